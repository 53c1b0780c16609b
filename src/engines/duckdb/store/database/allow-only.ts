import type { DuckDBConnection } from '@duckdb/node-api';
import { stringLiteral } from '../../dialect/literal.ts';

/** Restricts DuckDB to these files and its own, for good. Nothing else can be attached or loaded. */
export async function allowOnly(connection: DuckDBConnection, files: readonly string[]): Promise<void> {
  const paths = files.flatMap((file) => [file, withoutWildcards(file)]).map(stringLiteral);
  await connection.run(`SET GLOBAL allowed_paths = [${paths.join(', ')}]`);
  await connection.run('SET GLOBAL enable_external_access = false');
}

/** DuckDB treats file names as patterns. A character in brackets is literal. */
export function withoutWildcards(path: string): string {
  return path.replace(/[*?[]/g, '[$&]');
}
