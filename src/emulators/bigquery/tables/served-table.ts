import type { Source, SourceColumn } from '../../../sources/source.ts';

/** A table of the server: what BigQuery calls it, and which source of the store holds its rows. */
export interface ServedTable {
  readonly projectId: string;
  readonly datasetId: string;
  readonly tableId: string;
  /** The store's source that holds the rows. */
  readonly source: string;
  readonly columns: readonly SourceColumn[];
}

/** `project:dataset.table`, as BigQuery's messages name a table. */
export function tableName({ projectId, datasetId, tableId }: TableReference): string {
  return `${projectId}:${datasetId}.${tableId}`;
}

export type TableReference = Pick<ServedTable, 'projectId' | 'datasetId' | 'tableId'>;

/** Just the reference, as answers have it. */
export function referenceOf({ projectId, datasetId, tableId }: TableReference): TableReference {
  return { projectId, datasetId, tableId };
}

/**
 * A table for every source, called as it is, in one dataset.
 *
 * @param elsewhere names of tables by source, for those that are in another dataset or called otherwise
 */
export function tablesOfSources(
  sources: readonly Source[],
  dataset: Pick<TableReference, 'projectId' | 'datasetId'>,
  elsewhere: ReadonlyMap<string, TableReference> = new Map(),
): readonly ServedTable[] {
  return sources.map(({ name, columns }) => ({
    ...dataset,
    tableId: name,
    ...elsewhere.get(name),
    source: name,
    columns,
  }));
}
