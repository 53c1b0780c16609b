import { quoteIdentifier } from '../../duck-type.ts';
import { columnName } from '../column-name.ts';
import type { EmittedCte, InlineCte } from '../cte-scope.ts';
import type { Emitter, ScanEmitter } from '../emitter.ts';
import { project, type Relation, relation, rename, render, sealed } from '../relation.ts';
import { noColumns, selectColumns } from '../select-columns.ts';
import { recursiveUnion } from './recursive.ts';

const recursiveScanKind = 'resolved_recursive_scan_node';

/**
 * A CTE that one reference is made to is put in its place; one without references is left out, so that what
 * it does costs nothing and can't fail.
 */
export const withScan: ScanEmitter = (node, emitter) => {
  const recursive = node.flag('recursive');
  const isSealed = emitter.context.isSealed === true && emitter.ctes.isEmpty;
  const ctes: string[] = [];
  for (const entry of node.list('with_entry_list')) {
    const name = entry.text('with_query_name');
    const references = emitter.ctes.references(name);
    if (references === 0) {
      entry.skip('with_subquery');
      continue;
    }
    const subquery = entry.child('with_subquery');
    if (references === 1 && subquery.kind !== recursiveScanKind)
      emitter.ctes.define(name, { subquery, isSealed });
    else ctes.push(cte(name, { subquery, isSealed }, emitter));
  }
  const query = emitter.scan(node.child('query'));
  return { ...query, ctes: [...ctes, ...query.ctes], recursive: recursive || query.recursive };
};

/** The entry of the WITH clause, with the columns that its text orders by as additional columns. */
function cte(name: string, { subquery, isSealed }: InlineCte, emitter: Emitter): string {
  const table = quoteIdentifier(`w_${name}`);
  const columns = subquery.columns('column_list');
  const names = columns.map((_, i) => `w${i}`);
  if (subquery.kind === recursiveScanKind) {
    const entry: EmittedCte = { name: table, columns: names, order: [] };
    emitter.ctes.define(name, entry);
    const union = emitter.ctes.recursing(entry, () => recursiveUnion(subquery, emitter));
    return `${table}(${names.join(', ')}) AS (${union})`;
  }
  const source = scanOf({ subquery, isSealed }, emitter);
  const select = new Map(columns.map((column, i): [string, string] => [`w${i}`, columnName(column)]));
  const order = source.order.map((key, i) => ({ ...key, column: `k${i}` }));
  for (const [i, key] of source.order.entries()) select.set(`k${i}`, key.column);
  emitter.ctes.define(name, { name: table, columns: names, order });
  return `${table} AS (${render(project(source, select.size > 0 ? select : noColumns))})`;
}

export const withRefScan: ScanEmitter = (node, emitter) => {
  const entry = emitter.ctes.find(node.text('with_query_name'));
  const columns = node.columns('column_list');
  if ('subquery' in entry) {
    const source = scanOf(entry, emitter);
    return rename(source, selectColumns(entry.subquery.columns('column_list'), columns));
  }
  return reference(entry, columns.map(columnName));
};

function scanOf({ subquery, isSealed }: InlineCte, emitter: Emitter): Relation {
  const source = emitter.scan(subquery);
  return isSealed ? sealed(source) : source;
}

/** A reference to the recursion from within it. */
export const recursiveRefScan: ScanEmitter = (node, emitter) =>
  reference(emitter.ctes.recursion(), node.columns('column_list').map(columnName));

function reference(cte: EmittedCte, names: readonly string[]) {
  if (names.length === 0) return project(relation(cte.name, cte.order), noColumns);
  if (names.length !== cte.columns.length)
    throw new TypeError('The resolved tree is malformed: columns of a CTE');
  return project(
    relation(cte.name, cte.order),
    new Map(names.map((name, i): [string, string] => [name, cte.columns[i] ?? ''])),
  );
}
