import type { Column } from '../../sql/values/type.ts';
import type { Source } from './source.ts';

const date = (time: string) => `CAST(${time} AS DATE)`;

/**
 * The columns that BigQuery adds to some tables, in its spelling: `SELECT *` does not have them. In the embedded store
 * their values are computed from a row's time, here in DuckDB's SQL.
 *
 * Source: https://cloud.google.com/bigquery/docs/querying-wildcard-tables and
 * https://cloud.google.com/bigquery/docs/querying-partitioned-tables
 */
const columns = {
  _TABLE_SUFFIX: {
    kind: 'STRING',
    stored: (time: string) => `replace(CAST(${date(time)} AS VARCHAR), '-', '')`,
  },
  _PARTITIONTIME: { kind: 'TIMESTAMP', stored: (time: string) => `CAST(${date(time)} AS TIMESTAMP)` },
  _PARTITIONDATE: { kind: 'DATE', stored: date },
} as const;

type Name = keyof typeof columns;

/** The pseudo columns of a source's table. */
export function pseudoColumns({ wildcard, partitioned }: Pick<Source, 'wildcard' | 'partitioned'>): Column[] {
  const names: Name[] = [
    ...(wildcard === undefined ? [] : (['_TABLE_SUFFIX'] as const)),
    ...(partitioned === undefined ? [] : (['_PARTITIONTIME', '_PARTITIONDATE'] as const)),
  ];
  return names.map((name) => ({ name, type: { kind: columns[name].kind } }));
}

/**
 * The value of a pseudo column, as DuckDB's SQL. Undefined for every other name.
 *
 * @param time the time of a row, as SQL
 */
export function storedPseudoColumn(name: string, time: string): string | undefined {
  return Object.hasOwn(columns, name) ? columns[name as Name].stored(time) : undefined;
}

/** The columns by which deletions find rows: what identifies a row in the store, and its time. */
export const rowKeyColumns = { id: '_TABLE_ROW_ID', time: '_TABLE_ROW_TIME' } as const;

/** The columns of {@link rowKeyColumns}, for a catalog. */
export const rowKeys: readonly Column[] = [
  { name: rowKeyColumns.id, type: { kind: 'STRING' } },
  { name: rowKeyColumns.time, type: { kind: 'TIMESTAMP' } },
];

/** Whether BigQuery reserves a name, so that neither a table nor a result can have it. */
export function isReservedColumn(name: string): boolean {
  return /^(?:_TABLE_|_FILE_|_PARTITION|_ROW_TIMESTAMP|__ROOT__|_COLIDENTIFIER)/i.test(name);
}
