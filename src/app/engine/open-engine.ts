import type { Log } from '../../base/log/log.ts';
import type { Planner } from '../../calls/planner/planner.ts';
import type { Config } from '../../definitions/settings/config.ts';
import type { Source } from '../../definitions/sources/source.ts';
import type { ApiMeter } from '../../engines/bigquery/api/api-meter.ts';
import type { MoveProgress } from '../../engines/duckdb/store/upkeep/move-old-rows.ts';
import type { LaunchedEngine } from '../engine-process/launched-engine.ts';
import { openEngineProcess } from './open-engine-process.ts';
import type { OpenedEngine } from './opened-engine.ts';

interface EngineParts {
  readonly sources: readonly Source[];
  readonly planner: Pick<Planner, 'prepareText'>;
  readonly log: Log;
  readonly meter?: ApiMeter | undefined;
  readonly onMove?: ((progress: MoveProgress) => void) | undefined;
  /** The engine process, if it was started already. */
  readonly launched?: Promise<LaunchedEngine> | undefined;
}

/**
 * Opens the configured engine.
 *
 * @throws StoreError, ConfigError
 */
export async function openEngine(config: Config, parts: EngineParts): Promise<OpenedEngine> {
  const { sources, planner, log, meter, onMove, launched } = parts;
  if (config.engine === 'duckdb') return openEngineProcess(config, sources, { log, onMove, launched });
  const { openBigQuery } = await import('./open-bigquery.ts');
  return openBigQuery(config, { sources, planner, log, meter });
}
