import type { Config } from '../../config.ts';
import type { Log } from '../../log.ts';
import type { Source } from '../../sources/source.ts';
import { openDuckDb } from './open-duckdb.ts';
import type { OpenedEngine } from './opened-engine.ts';

/**
 * Opens the engine that the settings name.
 *
 * @throws StoreError
 */
export function openEngine(config: Config, sources: readonly Source[], log: Log): Promise<OpenedEngine> {
  return openDuckDb(config, sources, log);
}
