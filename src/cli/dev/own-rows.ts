import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { openEngineProcess } from '../../app/engines/duckdb/open-engine-process.ts';
import { loadSourceSchemas } from '../../app/schema/load-schema.ts';
import type { Log } from '../../base/terminal/log.ts';
import type { Config } from '../../definitions/settings/config.ts';
import { storeFileName } from '../../engines/duckdb/store/file/store-file-name.ts';

/**
 * Whether the store in `DATA_DIR` has rows that aren't made up. Opens it for a moment, unless there is none.
 *
 * @throws StoreError, for example because another process has it; ProblemsError
 */
export async function hasOwnRows(config: Config, log: Log): Promise<boolean> {
  if ((await storeState(config.dataDir)) === '') return false;
  const engine = await openEngineProcess(config, await loadSourceSchemas(config), { log });
  try {
    return (await engine.store.origin()) === 'imported';
  } finally {
    await engine.close();
  }
}

/** Differs when the store's files have changed. Empty while there is no store. */
export async function storeState(dataDir: string): Promise<string> {
  const file = join(dataDir, storeFileName);
  const states = await Promise.all(
    [file, `${file}.wal`].map((path) =>
      stat(path).then(
        ({ mtimeMs, size }) => `${mtimeMs} ${size}`,
        () => '',
      ),
    ),
  );
  return states.join(' ').trim();
}
