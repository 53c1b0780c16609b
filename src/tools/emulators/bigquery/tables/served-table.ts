import { pseudoColumns } from '../../../../definitions/sources/pseudo-columns.ts';
import type { Source, SourceColumn } from '../../../../definitions/sources/source.ts';
import { tableOfSource } from '../../../../definitions/sources/source.ts';
import type { Column } from '../../../../sql/values/type.ts';

/** A table of the emulator: its name in BigQuery, and the source of the store that contains its rows. */
export interface ServedTable {
  readonly projectId: string;
  readonly datasetId: string;
  readonly tableId: string;
  /** The source of the store that contains the rows. */
  readonly source: string;
  readonly columns: readonly SourceColumn[];
  readonly pseudoColumns?: readonly Column[];
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
    return { ...table, tableId, source: name, columns, pseudoColumns: pseudoColumns(source) };
  });
}
