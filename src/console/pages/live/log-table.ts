import type { Endpoint } from '../../api/endpoints.ts';

/**
 * The first table of an endpoint whose rows stay as they are once they are there: a source, or rows with ids. Rows of others, such as
 * counts by hour, change with each run. Undefined if there is none: then the result is to be watched, not its rows as they arrive.
 */
export function logTable({
  tables,
  liveTables,
}: Pick<Endpoint, 'tables' | 'liveTables'>): string | undefined {
  return liveTables.find((live) =>
    tables.some(
      ({ name, path, columns }) =>
        name === live && (path !== undefined || columns.some((column) => column.name === 'id')),
    ),
  );
}
