import { realpath } from 'node:fs/promises';
import { join } from 'node:path';

/** The name of the store's file in its folder. */
export const storeFileName = 'store.duckdb';

/** The path of a store's file, which need not exist. If it is a symbolic link, its logs are where the file is. */
export async function storeFileIn(dataDir: string): Promise<string> {
  const file = join(dataDir, storeFileName);
  return await realpath(file).catch(() => file);
}
