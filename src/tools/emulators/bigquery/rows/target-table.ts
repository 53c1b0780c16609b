import { sourceOfTable } from '../../../../definitions/sources/table-of-source.ts';
import { type ServedTable, type TableReference, tableName } from '../tables/served-table.ts';
import { GoogleError } from '../wire/google-error.ts';

/** The table that streamed rows go to. */
interface TargetTable {
  readonly table: ServedTable;
  /** The table's name, for a table of a day with the day. */
  readonly name: string;
  /** The day of a wildcard table, `2026-01-31`. */
  readonly day?: string;
}

/**
 * Finds the table with a name. That of a day belongs to a wildcard table; it exists for each day, as does its template.
 *
 * @param templateSuffix appended to the name of a template
 * @throws GoogleError notFound
 */
export function targetTable(
  tables: readonly ServedTable[],
  reference: TableReference,
  templateSuffix: string,
): TargetTable {
  const tableId = `${reference.tableId}${templateSuffix}`;
  const name = tableName({ ...reference, tableId });
  for (const table of tables) {
    if (table.projectId !== reference.projectId || table.datasetId !== reference.datasetId) continue;
    const { name: base, isWildcard } = sourceOfTable(table.tableId);
    if (!isWildcard && templateSuffix === '' && table.tableId === tableId) return { table, name };
    const [, year, month, day] = /^_(\d{4})(\d\d)(\d\d)$/.exec(tableId.slice(base.length)) ?? [];
    if (isWildcard && tableId.startsWith(base) && year !== undefined) {
      return { table, name, day: `${year}-${month}-${day}` };
    }
  }
  throw GoogleError.notFound(`Table ${name}`);
}
