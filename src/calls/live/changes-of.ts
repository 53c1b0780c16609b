import { sourceOfTable, tableOfPath } from '../../definitions/sources/source.ts';
import type { RowChange } from '../../engines/engine/row-changes.ts';
import type { Plan } from '../../sql/plan/plan.ts';

/** The sources that a query reads, by their names. */
export function sourcesOf({ tables }: Pick<Plan, 'tables'>): ReadonlySet<string> {
  return new Set(tables.map((table) => sourceOfTable(tableOfPath(table)).name));
}

/** The changes of these sources. */
export function changesOf(changes: readonly RowChange[], sources: ReadonlySet<string>): readonly RowChange[] {
  return changes.filter(({ source }) => sources.has(source));
}
