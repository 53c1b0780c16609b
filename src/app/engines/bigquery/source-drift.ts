import { GatewayError } from '../../../base/errors/errors.ts';
import type { Problem } from '../../../base/errors/problem.ts';
import type { Source } from '../../../definitions/sources/source.ts';
import type { TableName } from '../../../engines/bigquery/sql/table-names.ts';
import { newestTable } from '../../../engines/bigquery/tables/newest-table.ts';
import { TableError } from '../../../engines/bigquery/tables/table-error.ts';
import type { Tables } from '../../../engines/bigquery/tables/tables.ts';
import { tableDrift } from '../../../engines/bigquery/values/table-drift.ts';

/** The differences between a source's table and its declaration. */
export async function sourceDrift(
  { file, columns }: Source,
  name: TableName,
  tables: Pick<Tables, 'columns' | 'list'>,
): Promise<Problem[]> {
  const problem = (text: string) => ({ file, line: 1, column: 1, text });
  try {
    const table = await newestTable(name, tables);
    const path = `${table.project}.${table.dataset}.${table.table}`;
    return tableDrift(columns, await tables.columns(table)).map((text) => problem(`${text} (${path})`));
  } catch (error) {
    if (error instanceof TableError || error instanceof GatewayError) return [problem(error.message)];
    throw error;
  }
}
