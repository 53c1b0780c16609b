import { writtenName } from '../../../sql/editing/written-name.ts';
import type { EndpointColumn } from '../../api/endpoints.ts';

/** A table with its columns, as the list of endpoints has it. */
export interface DescribedTable {
  readonly name: string;
  readonly columns: readonly EndpointColumn[];
  /** The column that orders the rows in time. */
  readonly time?: string | undefined;
  /** How endpoints write it: `logs.events_*`. */
  readonly path?: string | undefined;
}

/** Types whose values can be grouped and ordered. */
const comparable = /^(?:BOOL|INT64|FLOAT64|NUMERIC|BIGNUMERIC|STRING|BYTES|DATE|DATETIME|TIME|TIMESTAMP)$/;

/** Whether a column has statistics: lists and records have none. */
export function hasStatistics({ type }: EndpointColumn): boolean {
  return comparable.test(type);
}

/** The table as endpoints write it, so that a query can become one. */
function written({ name, path = name }: DescribedTable): string {
  return path.split('.').map(writtenName).join('.');
}

/** The newest rows or, without a time, some rows. */
export function rowsQuery(table: DescribedTable): string {
  const { time } = table;
  const order = time === undefined ? '' : `\nORDER BY ${writtenName(time)} DESC`;
  return `SELECT *\nFROM ${written(table)}${order}\nLIMIT 100`;
}

/** The number of rows of each day. Undefined without a time. */
export function daysQuery(table: DescribedTable): string | undefined {
  const { time } = table;
  if (time === undefined) return undefined;
  return `SELECT CAST(${writtenName(time)} AS DATE) AS day, COUNT(*) AS row_count\nFROM ${written(table)}\nGROUP BY day\nORDER BY day DESC\nLIMIT 1000`;
}

/** One row: how many rows, NULLs and different values there are, and the range of the values. */
export function rangeQuery(table: DescribedTable, { name, type }: EndpointColumn): string {
  const column = writtenName(name);
  const text = (value: string) => (type === 'BYTES' ? `TO_HEX(${value})` : `CAST(${value} AS STRING)`);
  return `SELECT
  COUNT(*) AS row_count,
  COUNTIF(${column} IS NULL) AS null_count,
  APPROX_COUNT_DISTINCT(${column}) AS about_distinct,
  ${text(`MIN(${column})`)} AS least,
  ${text(`MAX(${column})`)} AS greatest
FROM ${written(table)}`;
}

/** The values that most rows have. */
export function topQuery(table: DescribedTable, { name }: EndpointColumn): string {
  const column = writtenName(name);
  return `SELECT ${column} AS value, COUNT(*) AS row_count\nFROM ${written(table)}\nGROUP BY value\nORDER BY row_count DESC\nLIMIT 10`;
}
