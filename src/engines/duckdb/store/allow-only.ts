import type { DuckDBConnection } from '@duckdb/node-api';
import { stringLiteral } from '../literal.ts';

/** Makes DuckDB read no other files than these and its own, for good. Nothing else may be attached or loaded. */
export async function allowOnly(connection: DuckDBConnection, files: readonly string[]): Promise<void> {
  const paths = files.flatMap((file) => [file, withoutWildcards(file)]).map(stringLiteral);
  await connection.run(`SET GLOBAL allowed_paths = [${paths.join(', ')}]`);
  await connection.run('SET GLOBAL enable_external_access = false');
}

/** DuckDB takes file names for patterns; in brackets a character stands for itself. */
export function withoutWildcards(path: string): string {
  return path.replace(/[*?[]/g, '[$&]');
}
