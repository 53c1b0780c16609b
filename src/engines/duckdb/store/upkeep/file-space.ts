import type { DuckDBConnection } from '@duckdb/node-api';

/** The space of the store's file, in bytes. */
interface FileSpace {
  readonly usedBytes: number;
  /** What can be used again. */
  readonly reusableBytes: number;
}

/** The engine has a database of macros besides the store's, which comes first. */
export async function fileSpace(connection: DuckDBConnection): Promise<FileSpace> {
  const reader = await connection.runAndReadAll(
    `SELECT block_size * used_blocks, block_size * free_blocks FROM pragma_database_size()
     WHERE database_name = current_database()`,
  );
  const [used, free] = reader.getRows()[0] ?? [];
  return { usedBytes: Number(used ?? 0), reusableBytes: Number(free ?? 0) };
}
