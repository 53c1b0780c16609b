import { type DuckDBDataChunk, DuckDBListValue } from '@duckdb/node-api';
import { stringLiteral } from '../dialect/literal.ts';

/** Runs SQL, and hands over its rows. */
export type ReadRows = (sql: string, take: (chunk: DuckDBDataChunk) => void) => Promise<void>;

/** A row group of a table: what a scan reads or skips as a whole. */
export interface GroupTimes {
  /** With those that were deleted and are still scanned. */
  readonly rows: number;
  /** The smallest and the largest time, in microseconds since the epoch. Undefined if they are not known. */
  readonly from: bigint | undefined;
  readonly to: bigint | undefined;
}

/** Where the values of a column are: in some blocks, each of one row group. A block can have values of several columns. */
interface ColumnBlocks {
  readonly groups: Int32Array;
  /** Negative for what is in memory only. It gets blocks of its own. */
  readonly blocks: Int32Array;
}

/** How DuckDB stores a table. */
export interface TableLayout {
  /** In the order of the rows. */
  readonly groups: readonly GroupTimes[];
  /** By their names, as the table has them. */
  readonly columns: ReadonlyMap<string, ColumnBlocks>;
}

/**
 * Reads how a table is stored. Takes about a millisecond for each row group of a hundred columns.
 *
 * @param table its whole name, as SQL
 * @param time the name of the column by which it is ordered
 */
export async function readTableLayout(
  read: ReadRows,
  table: string,
  time: string | undefined,
): Promise<TableLayout> {
  const isTime = `segment_type <> 'VALIDITY' AND lower(column_name) = lower(${stringLiteral(time ?? '')})`;
  // The first column has as many rows as the table. Values of lists, and which values are NULL, are below a column.
  const sql = `
    WITH segments AS MATERIALIZED (
      SELECT row_group_id AS part, column_name AS name,
        CASE WHEN column_id = 0 AND column_path = '[0]' THEN "count" END AS rows,
        CASE WHEN ${isTime} THEN ${endSql('Min', 1)} END AS first,
        CASE WHEN ${isTime} THEN ${endSql('Max', 2)} END AS last,
        CASE WHEN NOT persistent THEN [-row_number() OVER ()]
          WHEN block_id < 0 THEN additional_block_ids
          ELSE list_prepend(block_id, additional_block_ids) END AS blocks
      FROM pragma_storage_info(${stringLiteral(table)})
    ), parts AS (
      SELECT part, CAST(sum(rows) AS BIGINT) AS rows, min(first) AS first, max(last) AS last FROM segments GROUP BY part
    ), placed AS (SELECT name, part, unnest(blocks) AS block FROM segments)
    SELECT NULL, list(rows ORDER BY part), list(first ORDER BY part), list(last ORDER BY part) FROM parts
    UNION ALL SELECT name, list(part), list(block), NULL FROM placed GROUP BY name
    UNION ALL SELECT DISTINCT name, [], [], NULL FROM segments`;
  let groups: readonly GroupTimes[] = [];
  const columns = new Map<string, ColumnBlocks>();
  await read(sql, (chunk) => {
    for (const [name, ...lists] of chunk.getRows()) {
      const [first = [], second = [], third = []] = lists.map((list) =>
        list instanceof DuckDBListValue ? list.items : [],
      );
      if (name === null) {
        const micros = (value: unknown) => (typeof value === 'bigint' ? value : undefined);
        groups = first.map((rows, i) => ({
          rows: Number(rows),
          from: micros(second[i]),
          to: micros(third[i]),
        }));
      } else if (first.length > 0 || !columns.has(String(name))) {
        columns.set(String(name), { groups: numbers(first), blocks: numbers(second) });
      }
    }
  });
  return { groups, columns };
}

/** An end of a segment's range of times, as DuckDB writes it, in microseconds. NULL if it isn't a time. */
function endSql(name: 'Min' | 'Max', group: number): string {
  const text = `regexp_extract(stats, '\\[Min: (.*?), Max: (.*?)\\]', ${group})`;
  return `CASE WHEN contains(stats, '${name}: ') THEN TRY(epoch_us(TRY_CAST(${text} AS TIMESTAMP))) END`;
}

function numbers(values: readonly unknown[]): Int32Array {
  return Int32Array.from(values, Number);
}
