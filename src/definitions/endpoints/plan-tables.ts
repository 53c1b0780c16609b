import type { Analyzer } from '../../sql/analyzer/analyzer.ts';
import type { Catalog } from '../../sql/analyzer/catalog.ts';
import { parametersOfAllRows } from '../../sql/bound-rows/bound-rows.ts';
import { newPlan, type Plan, type PlanParts } from '../../sql/plan/plan.ts';
import type { AnyNode } from '../../sql/resolved/node.ts';
import { resultColumns } from '../../sql/resolved/result-columns.ts';
import { identifier } from '../../sql/text/identifier.ts';
import type { Column, SqlType } from '../../sql/values/type.ts';
import type { EndpointTable } from './endpoint.ts';
import { StoredWith } from './stored-with.ts';

/** Types by which rows can be ordered in time. */
const timeTypes: ReadonlySet<SqlType['kind']> = new Set(['TIMESTAMP', 'DATETIME', 'DATE']);

/**
 * Plans a query for each entry of a stored query's WITH clause: all of its rows, newest first if it has a column
 * `timestamp`. Returns nothing for a query without a WITH clause.
 *
 * @param stored the plan of the stored query
 * @param parsed the parse tree of its query
 */
export async function planTables(
  stored: Plan,
  parsed: AnyNode,
  { analyzer, catalog }: { readonly analyzer: Pick<Analyzer, 'analyze'>; readonly catalog: Catalog },
): Promise<EndpointTable[]> {
  const withClause = new StoredWith(stored, parsed);
  if (withClause.names.length === 0) return [];
  const { parameters } = stored;
  const analyze = async (read: readonly string[], select: string): Promise<PlanParts> => {
    const { sql: clause, ...functions } = withClause.clauseFor(read);
    const text = { sql: `${clause}\n${select}`, ...functions };
    const statement = await analyzer.analyze(text.sql, { catalog, parameters, ...functions });
    return { ...text, statement, columns: resultColumns(statement), parameters, isCallers: false };
  };
  const quoted = withClause.names.map(identifier);
  // One analysis returns the columns of all entries.
  const records = quoted.map((name) => `ARRAY(SELECT AS STRUCT * FROM ${name})`);
  const { columns } = await analyze(withClause.names, `SELECT ${records.join(', ')}`);
  return Promise.all(
    withClause.names.map(async (name, index) => {
      const isTimed = fieldsOf(columns[index]).some(
        (field) => field.name.toLowerCase() === 'timestamp' && timeTypes.has(field.type.kind),
      );
      const order = isTimed ? ' ORDER BY `timestamp` DESC' : '';
      const parts = await analyze([name], `SELECT * FROM ${quoted[index]}${order}`);
      return { name, plan: newPlan(parts), boundBy: parametersOfAllRows(parts.statement, parameters) };
    }),
  );
}

function fieldsOf(column: Column | undefined): readonly Column[] {
  const type = column?.type;
  return type?.kind === 'ARRAY' && type.element.kind === 'STRUCT' ? type.element.fields : [];
}
