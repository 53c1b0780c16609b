import type { NameDefaults } from '../tables/catalog.ts';
import { type ServedTable, tableName } from '../tables/served-table.ts';
import { GoogleError } from '../wire/google-error.ts';

interface Known {
  readonly defaults: NameDefaults;
  readonly tables: readonly ServedTable[];
  readonly location: string;
}

/** BigQuery's message for the analyzer's `Table not found`. Undefined for any other message of the analyzer. */
export function missingTable(message: string, known: Known): GoogleError | undefined {
  const written = /^Table not found: (.*?)(?:; Did you mean .*)?$/s.exec(message)?.[1];
  return written === undefined ? undefined : noSuchTable(written.replaceAll('`', ''), known);
}

/**
 * BigQuery's message for a table that doesn't exist.
 *
 * @param name as in the query, without backquotes
 */
export function noSuchTable(name: string, { defaults, tables, location }: Known): GoogleError {
  const parts = name.split('.');
  const tableId = parts.pop() ?? '';
  const datasetId = parts.pop() ?? defaults.datasetId;
  if (datasetId === undefined) {
    const text = `Table "${name}" must be qualified with a dataset (e.g. dataset.table).`;
    return GoogleError.invalid(text, name);
  }
  // The name of an old project includes its domain: example.com:project.
  const projectId = parts.length > 0 ? parts.join('.') : defaults.projectId;
  const isKnown = tables.some((table) => table.projectId === projectId && table.datasetId === datasetId);
  const what = isKnown
    ? `Table ${tableName({ projectId, datasetId, tableId })}`
    : `Dataset ${projectId}:${datasetId}`;
  return GoogleError.notFound(`${what} was not found in location ${location}`);
}
