import type { TableName } from '../text/table-names.ts';
import { TableError } from './table-error.ts';
import type { Tables } from './tables.ts';

/**
 * The table that shows the columns of a source: of a wildcard table the newest day, else the table itself.
 *
 * @throws TableError when there is none, or the dataset can't be read
 */
export async function newestTable(name: TableName, tables: Pick<Tables, 'list'>): Promise<TableName> {
  if (!name.table.endsWith('*')) return name;
  const start = name.table.slice(0, -1);
  const days = (await tables.list(name)).filter(
    (table) => table.startsWith(start) && /^\d{8}$/.test(table.slice(start.length)),
  );
  const table = days.sort().at(-1);
  if (table !== undefined) return { ...name, table };
  throw new TableError(`${name.project}.${name.dataset}.${start}YYYYMMDD: there is no table of any day`);
}
