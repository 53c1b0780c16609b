import { stat } from 'node:fs/promises';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { CommandError } from '../../base/errors/command-error.ts';
import { lockDown, openingError } from '../../engines/duckdb/store/database/open-database.ts';

/** Limits of DuckDB while it reads a backup. */
interface DatabaseLimits {
  /** DuckDB's `memory_limit`. */
  readonly memoryLimit: string;
}

/**
 * Runs a task on a file of the store's format, which is not the store itself. Uses one thread: a gateway may run on the
 * same machine.
 *
 * @throws CommandError if it is not a file, or DuckDB can't read it; errors of the file system and of the task
 */
export async function withDatabase<T>(
  file: string,
  { memoryLimit, isReadOnly }: DatabaseLimits & { readonly isReadOnly: boolean },
  task: (connection: DuckDBConnection) => Promise<T>,
): Promise<T> {
  // DuckDB would wait for the writer of a pipe.
  if (!(await stat(file)).isFile()) throw new CommandError(`${file} is not a file.`);
  let instance: DuckDBInstance | undefined;
  let connection: DuckDBConnection | undefined;
  try {
    instance = await DuckDBInstance.create(file, {
      access_mode: isReadOnly ? 'READ_ONLY' : 'READ_WRITE',
      memory_limit: memoryLimit,
      threads: '1',
      checkpoint_threshold: '1TB',
      max_vacuum_tasks: '0',
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      enable_external_access: 'false',
    });
    await lockDown(instance);
    connection = await instance.connect();
    return await task(connection);
  } catch (error) {
    throw readingError(file, error);
  } finally {
    connection?.closeSync();
    instance?.closeSync();
  }
}

/** DuckDB reads most parts of a file only when they are needed. */
function readingError(file: string, error: unknown): unknown {
  const message = error instanceof Error ? error.message : '';
  if (
    !/^(?:IO|Invalid|Corrupt|Serialization|INTERNAL|FATAL|Fatal|TransactionContext) ?\w* ?Error/i.test(
      message,
    )
  )
    return error;
  const { kind, message: words } = openingError(file, error);
  if (kind === 'locked') return new CommandError(`${file} is in use by another process.`, error);
  if (/is damaged$/.test(words)) return new CommandError(`${file} is damaged.`, error);
  if (kind === 'format')
    return new CommandError(`${file} is not a backup that this version can read, or is damaged.`, error);
  return new CommandError(`${file} can't be read: ${message}`, error);
}
