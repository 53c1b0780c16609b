import type { DuckDBConnection } from '@duckdb/node-api';
import { stringLiteral } from '../../dialect/literal.ts';
import type { RowTable } from '../tables/row-table.ts';
import { countRows } from '../tables/table-state.ts';
import { blockRows } from '../tables/time-order.ts';

/** A row group of DuckDB: a part of a table with consecutive row ids. */
export interface RowGroup {
  readonly firstRow: bigint;
  /** The row id after its last row. */
  readonly endRow: bigint;
  /** Without deleted rows. */
  readonly rows: number;
}

/** The condition, as SQL, that a row is in a group. */
export function isInGroup({ firstRow, endRow }: RowGroup): string {
  return `rowid >= ${firstRow} AND rowid < ${endRow}`;
}

/** Fewer rows make a group small. */
const smallRows = blockRows / 2;

/** The row groups of a table, in the order of its rows. Costs 1 ms for each row group of a hundred columns. */
export async function readRowGroups(connection: DuckDBConnection, table: RowTable): Promise<RowGroup[]> {
  const reader = await connection.runAndReadAll(
    `SELECT sum("count") FROM pragma_storage_info(${stringLiteral(table.sql)})
     WHERE lower(column_name) = lower(${stringLiteral(table.key.timeName ?? '')}) AND segment_type <> 'VALIDITY'
     GROUP BY row_group_id ORDER BY row_group_id`,
  );
  let firstRow = 0n;
  const groups = reader.getRows().map(([count]) => {
    const endRow = firstRow + BigInt(String(count));
    const group = { firstRow, endRow, rows: Number(count) };
    firstRow = endRow;
    return group;
  });
  // A few deleted rows don't matter.
  if (Number(firstRow) - (await countRows(connection, table)) < smallRows) return groups;
  const live: RowGroup[] = [];
  for (const group of groups) {
    const counted = await connection.runAndReadAll(
      `SELECT count(*) FROM ${table.sql} WHERE ${isInGroup(group)}`,
    );
    live.push({ ...group, rows: Number(counted.value(0, 0)) });
  }
  return live;
}

/** As many small groups are merged at least, unless they fill a row group. */
const fewest = 8;
/** A group this many times as large as all smaller ones together is left for later. */
const growth = 4;

/**
 * The small row groups to merge: a checkpoint begins a new one for each table. None while merging isn't worth it yet: so a
 * row is rewritten a few times at most, however few rows come between two checkpoints.
 */
export function groupsToMerge(groups: readonly RowGroup[]): RowGroup[] {
  // Rows are still being added to the last one.
  const small = groups.slice(0, -1).filter(({ rows }) => rows > 0 && rows < smallRows);
  small.sort((a, b) => a.rows - b.rows);
  const merged: RowGroup[] = [];
  let total = 0;
  for (const group of small) {
    if (total >= blockRows || (merged.length > 0 && group.rows > growth * total)) break;
    merged.push(group);
    total += group.rows;
  }
  return merged.length >= fewest || total >= blockRows ? merged : [];
}
