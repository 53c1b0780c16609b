import { pseudoColumns } from '../../../../definitions/sources/pseudo-columns.ts';
import { timeColumn } from '../../../../definitions/sources/row-key.ts';
import type { Source, SourceColumn } from '../../../../definitions/sources/source.ts';
import { tableOfSource } from '../../../../definitions/sources/source.ts';
import type { Column } from '../../../../sql/values/type.ts';
import type { Value } from '../../../../sql/values/value.ts';

/** A table of the emulator: its name in BigQuery, and the source of the store that contains its rows. */
export interface ServedTable {
  readonly projectId: string;
  readonly datasetId: string;
  readonly tableId: string;
  /** The source of the store that contains the rows. */
  readonly source: string;
  readonly columns: readonly SourceColumn[];
  readonly pseudoColumns?: readonly Column[];
  /** The column with the time of a row, by whose day the table is partitioned if it is a TIMESTAMP. */
  readonly timeColumn?: string;
}

/** `project:dataset.table`, as in BigQuery's messages. */
export function tableName({ projectId, datasetId, tableId }: TableReference): string {
  return `${projectId}:${datasetId}.${tableId}`;
}

export type TableReference = Pick<ServedTable, 'projectId' | 'datasetId' | 'tableId'>;

/** Only the reference, as in responses. */
export function referenceOf({ projectId, datasetId, tableId }: TableReference): TableReference {
  return { projectId, datasetId, tableId };
}

/**
 * A table for every source, with the same name, in one dataset.
 *
 * @param elsewhere table names by source, for those in another dataset or with another name
 */
export function tablesOfSources(
  sources: readonly Source[],
  dataset: Pick<TableReference, 'projectId' | 'datasetId'>,
  elsewhere: ReadonlyMap<string, TableReference> = new Map(),
): readonly ServedTable[] {
  return sources.map((source) => {
    const { name, wildcard, columns } = source;
    const table = { ...dataset, tableId: name, ...elsewhere.get(name) };
    const tableId = tableOfSource({ name: table.tableId, ...(wildcard && { wildcard }) });
    const time = timeColumn(source);
    return {
      ...table,
      tableId,
      source: name,
      columns,
      pseudoColumns: pseudoColumns(source),
      ...(time?.type.kind === 'TIMESTAMP' && { timeColumn: time.name }),
    };
  });
}

/** A column by which BigQuery chooses partitions, or tables of a wildcard. */
interface PartitionColumn {
  readonly name: string;
  /** The least and the greatest value of the rows of a day, given as `2026-01-31`. */
  valuesOf(day: string): { readonly first: Value; readonly last: Value };
}

const dayMicros = 86_400_000_000n;
const beginOf = (day: string): bigint => BigInt(Date.parse(`${day}T00:00:00Z`)) * 1000n;
const single = (value: Value) => ({ first: value, last: value });

const byDay: Readonly<Record<string, PartitionColumn['valuesOf']>> = {
  _PARTITIONTIME: (day) => single(beginOf(day)),
  _PARTITIONDATE: single,
  _TABLE_SUFFIX: (day) => single(day.replaceAll('-', '')),
};

/**
 * The columns by which a table is partitioned by day: that with the time, or the time of ingestion. Those of a wildcard are its tables,
 * one for each day. Empty for a table without a time.
 */
export function partitionColumns({
  timeColumn: time,
  pseudoColumns: pseudo = [],
}: ServedTable): readonly PartitionColumn[] {
  if (time === undefined) return [];
  if (pseudo.length === 0)
    return [
      {
        name: time,
        valuesOf: (day) => ({ first: beginOf(day), last: beginOf(day) + dayMicros - 1n }),
      },
    ];
  return pseudo.flatMap(({ name }) => {
    const valuesOf = byDay[name];
    return valuesOf === undefined ? [] : [{ name, valuesOf }];
  });
}
