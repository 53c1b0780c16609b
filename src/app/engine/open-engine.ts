import type { Config } from '../../config.ts';
import type { LaunchedEngine } from '../../engine-process/launched-engine.ts';
import type { ApiMeter } from '../../engines/bigquery/api/api-meter.ts';
import type { MoveProgress } from '../../engines/duckdb/store/move-old-rows.ts';
import type { Log } from '../../log.ts';
import type { Planner } from '../../planner/planner.ts';
import type { Source } from '../../sources/source.ts';
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
