import { partitionColumns, referenceOf, type ServedTable, tableName } from '../tables/served-table.ts';
import { scannedBytes } from '../tables/table-scans.ts';
import { GoogleError } from '../wire/google-error.ts';
import { etagOf } from '../wire/request.ts';
import { declaredSchema } from '../wire/results.ts';
import { type Backend, type Call, type Method, part, projectPath } from './call.ts';

const datasetPath = `${projectPath}/datasets/:dataset`;
/** The creation time of all tables, as the emulator doesn't know it. */
const creationTime = '1700000000000';
/** Stands for all days of a wildcard table. */
const dayOfTables = '20231114';

export const listTables: Method = {
  method: 'GET',
  path: `${datasetPath}/tables`,
  query: { maxResults: 'uint32', pageToken: 'string' },
  async handle(call, backend) {
    const found = tablesOfDataset(call, backend);
    const start = Number(call.query.get('pageToken') ?? 0);
    const end = start + Number(call.query.get('maxResults') ?? 50);
    const list = {
      kind: 'bigquery#tableList',
      ...(end < found.length && { nextPageToken: String(end) }),
      tables: found.slice(start, end).map((table) => ({
        kind: 'bigquery#table',
        id: tableName(table),
        tableReference: referenceOf(table),
        type: 'TABLE',
        creationTime,
      })),
      totalItems: found.length,
    };
    return { ...list, etag: etagOf(list) };
  },
};

export const getTable: Method = {
  method: 'GET',
  path: `${datasetPath}/tables/:table`,
  query: {
    selectedFields: 'string',
    view: ['TABLE_METADATA_VIEW_UNSPECIFIED', 'BASIC', 'STORAGE_STATS', 'FULL'],
  },
  async handle(call, backend) {
    const tableId = part(call, 'table');
    const table = tablesOfDataset(call, backend).find((candidate) => candidate.tableId === tableId);
    if (table === undefined) {
      const reference = { projectId: part(call, 'project'), datasetId: part(call, 'dataset'), tableId };
      throw GoogleError.notFound(`Table ${tableName(reference)}`);
    }
    const { projectId, datasetId, columns } = table;
    const rows = await backend.rowCount(table.source);
    const bytes = scannedBytes(table, new Set(columns.map(({ name }) => name)), rows);
    const sizes = call.query.get('view') !== 'BASIC' && {
      numRows: String(rows),
      numBytes: String(bytes),
      numLongTermBytes: '0',
      numTotalLogicalBytes: String(bytes),
    };
    const resource = {
      kind: 'bigquery#table',
      id: tableName(table),
      selfLink: `${backend.baseUrl}/projects/${projectId}/datasets/${datasetId}/tables/${tableId}`,
      tableReference: referenceOf(table),
      schema: { fields: declaredSchema(columns) },
      ...partitioning(table),
      ...sizes,
      creationTime,
      lastModifiedTime: creationTime,
      type: 'TABLE',
      location: backend.location,
    };
    return { ...resource, etag: etagOf(resource) };
  },
};

function tablesOfDataset(call: Call, { tables }: Backend): readonly ServedTable[] {
  const projectId = part(call, 'project');
  const datasetId = part(call, 'dataset');
  const found = tables
    .filter((table) => table.projectId === projectId && table.datasetId === datasetId)
    // Only queries know wildcard tables. The tables that they stand for have a day instead of the star.
    .map((table) => ({ ...table, tableId: table.tableId.replace(/\*$/, dayOfTables) }));
  if (found.length === 0) throw GoogleError.notFound(`Dataset ${projectId}:${datasetId}`);
  return found;
}

/** How a table is partitioned: by the day of a column, or of the arrival of rows if none is named. */
function partitioning(table: ServedTable): object {
  const [column] = partitionColumns(table);
  if (column === undefined || column.name === '_TABLE_SUFFIX') return {};
  const isColumn = column.name === table.timeColumn;
  return { timePartitioning: { type: 'DAY', ...(isColumn && { field: column.name }) } };
}
