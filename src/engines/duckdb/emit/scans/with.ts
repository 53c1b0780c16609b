import type { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import type { ResolvedColumn } from '../../../../sql/resolved/result-columns.ts';
import { quoteIdentifier } from '../../dialect/duck-type.ts';
import { needsKey } from '../../functions/comparison/comparison-key.ts';
import { recordType } from '../../store/tables/flat-layout.ts';
import { behindBorder } from '../emitter/border.ts';
import type { EmittedCte, InlineCte } from '../emitter/cte-scope.ts';
import type { Emitter, ScanEmitter } from '../emitter/emitter.ts';
import { plainColumns, type Relation, relation, render, unordered } from '../emitter/relation.ts';
import { project, rename } from '../emitter/steps.ts';
import { isRowwise } from '../flat/rowwise.ts';
import { columnName } from '../pieces/column-name.ts';
import { noColumns, selectColumns } from '../pieces/select-columns.ts';
import { differs } from '../volatile/differs.ts';

const recursiveScanKind = 'resolved_recursive_scan_node';

/**
 * A CTE with one reference is inlined, as are some others. A CTE without references is omitted, so that it costs
 * nothing and can't fail.
 */
export const withScan: ScanEmitter = (node, emitter) => {
  const recursive = node.flag('recursive');
  const isStored = emitter.context.hasBorder && node === emitter.root;
  const ctes: string[] = [];
  for (const entry of node.list('with_entry_list')) {
    const name = entry.text('with_query_name');
    const references = emitter.ctes.references(name);
    if (references === 0) {
      entry.skip('with_subquery');
      continue;
    }
    const inline: InlineCte = { subquery: entry.child('with_subquery'), isStored };
    if (isPutInPlace(inline.subquery, references, emitter)) emitter.ctes.define(name, inline);
    else ctes.push(emitter.ctes.inText(inline, () => cte(name, inline, emitter)));
  }
  const query = emitter.scan(node.child('query'));
  return { ...query, ctes: [...ctes, ...query.ctes], recursive: recursive || query.recursive };
};

/**
 * Whether a CTE is inlined. One that returns rows of a table with records is read several times: each reference then
 * reads only the fields that it uses, whereas a materialised result would have all of them.
 */
function isPutInPlace(subquery: ResolvedNode, references: number, emitter: Emitter): boolean {
  if (subquery.kind === recursiveScanKind) return false;
  if (references === 1) return true;
  const hasRecords = subquery.columns('column_list').some(({ type }) => recordType(type) !== undefined);
  return hasRecords && isRowwise(subquery, emitter) && !differs(subquery.arrived, emitter);
}

/** The entry of the WITH clause. The columns that its text orders by are additional columns. */
function cte(name: string, { subquery, isStored }: InlineCte, emitter: Emitter): string {
  const table = quoteIdentifier(`w_${name}`);
  const columns = subquery.columns('column_list');
  const names = columns.map((_, i) => `w${i}`);
  if (subquery.kind === recursiveScanKind) {
    const entry: EmittedCte = { name: table, columns: names, order: [], times: new Map(), isStored };
    emitter.ctes.define(name, entry);
    const union = emitter.ctes.recursing(entry, () => recursiveUnion(subquery, emitter));
    return `${table}(${names.join(', ')}) AS (${union})`;
  }
  const source = emitter.scan(subquery);
  const select = new Map(columns.map((column, i): [string, string] => [`w${i}`, columnName(column)]));
  const order = source.order.map((key, i) => ({ ...key, column: `k${i}` }));
  for (const [i, key] of source.order.entries()) select.set(`k${i}`, key.column);
  const selected = project(source, plainColumns(select));
  // Copies of times are not among the columns.
  const times = new Map([...selected.times].filter(([column, copy]) => column === copy));
  emitter.ctes.define(name, { name: table, columns: names, order, times, isStored });
  const kept = differs(subquery.arrived, emitter) ? 'MATERIALIZED ' : '';
  return `${table} AS ${kept}(${render(selected)})`;
}

export const withRefScan: ScanEmitter = (node, emitter) => {
  const entry = emitter.ctes.find(node.text('with_query_name'));
  const columns = node.columns('column_list');
  const [source, select] = 'subquery' in entry ? inPlace(entry, columns, emitter) : reference(entry, columns);
  return emitter.ctes.crossesBorder(entry) ? behindBorder(source, select) : rename(source, select);
};

/** Rows, and the selected columns by their new names. */
type Selected = readonly [source: Relation, select: ReadonlyMap<string, string>];

function inPlace(entry: InlineCte, columns: readonly ResolvedColumn[], emitter: Emitter): Selected {
  const source = emitter.ctes.inText(entry, () => emitter.scan(entry.subquery));
  return [source, selectColumns(entry.subquery.columns('column_list'), columns)];
}

/** A reference to the recursion from within it. */
export const recursiveRefScan: ScanEmitter = (node, emitter) =>
  rename(...reference(emitter.ctes.recursion(), node.columns('column_list')));

function reference(cte: EmittedCte, columns: readonly ResolvedColumn[]): Selected {
  const source = { ...relation(cte.name), order: cte.order, times: cte.times };
  if (columns.length === 0) return [source, noColumns];
  if (columns.length !== cte.columns.length)
    throw new TypeError('The resolved tree is malformed: columns of a CTE');
  return [source, new Map(columns.map((column, i) => [columnName(column), cte.columns[i] ?? '']))];
}

/** The text of a recursive CTE. Each term is in brackets: it can have a WITH clause or a limit. */
function recursiveUnion(node: ResolvedNode, emitter: Emitter): string {
  const operator = node.choice('op_type', ['UNION_ALL', 'UNION_DISTINCT']);
  const targets = node.columns('column_list');
  if (operator === 'UNION_DISTINCT' && targets.some(({ type, collated }) => needsKey(type, collated)))
    throw node.refusal('UNION DISTINCT of texts with a collation or INTERVAL');
  const term = (field: string): string => {
    const item = node.child(field);
    const source = unordered(emitter.scan(item.child('scan')));
    const columns = selectColumns(item.columns('output_column_list'), targets);
    return `SELECT * FROM (${render(rename(source, columns))})`;
  };
  const all = operator === 'UNION_ALL' ? ' ALL' : '';
  return `${term('non_recursive_term')} UNION${all} ${term('recursive_term')}`;
}
