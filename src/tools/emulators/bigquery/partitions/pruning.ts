import type { DuckDbEngine } from '../../../../engines/duckdb/run/duckdb-engine.ts';
import type { Value } from '../../../../sql/values/value.ts';
import type { ColumnCondition } from '../tables/partition-conditions.ts';
import { partitionColumns, type ServedTable } from '../tables/served-table.ts';
import { constantValue, type Parameters } from './constants.ts';
import type { Partition } from './partitions.ts';

/** The partitions of a table that a scan reads: those whose rows can meet its conditions. */
export async function prunedPartitions(
  table: ServedTable,
  partitions: readonly Partition[],
  conditions: readonly ColumnCondition[],
  { parameters, engine }: { readonly parameters: Parameters; readonly engine: Pick<DuckDbEngine, 'run'> },
): Promise<readonly Partition[]> {
  const columns = partitionColumns(table);
  let left = partitions;
  for (const { column, operator, constant } of conditions) {
    const partitioning = columns.find(({ name }) => name.toLowerCase() === column);
    if (partitioning === undefined) continue;
    const value = await constantValue(constant, parameters, engine);
    // The query itself will fail.
    if (value === undefined) continue;
    left = left.filter(({ day }) => {
      if (day === undefined || value === null) return false;
      const { first, last } = partitioning.valuesOf(day);
      return isPossible(operator, first, last, value);
    });
  }
  return left;
}

/** Whether a value between two others, which are included, can meet a comparison. */
function isPossible(operator: ColumnCondition['operator'], first: Value, last: Value, value: Value): boolean {
  if (first === null || last === null || value === null) return false;
  switch (operator) {
    case '=':
      return first <= value && value <= last;
    case '<':
      return first < value;
    case '<=':
      return first <= value;
    case '>':
      return last > value;
    case '>=':
      return last >= value;
  }
}
