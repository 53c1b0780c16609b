import { systemClock } from '../../base/clock/clock.ts';
import type { Log } from '../../base/log/log.ts';
import { PlannerThread } from '../../calls/planner/planner-thread.ts';
import type { Config } from '../../definitions/settings/config.ts';
import { analyzerSettings } from '../../sql/analyzer/settings.ts';
import { type LaunchedEngine, launchEngine } from '../engine-process/launched-engine.ts';

/** What a gateway starts before it loads its own modules. */
export interface Launches {
  readonly planner: PlannerThread;
  /** The engine process; undefined for BigQuery. */
  readonly engine: Promise<LaunchedEngine> | undefined;
}

/** Starts the planning thread and the engine process. This module has few imports. */
export function launch(config: Config, log: Log): Launches {
  const engine = config.engine === 'duckdb' ? launchEngine(systemClock) : undefined;
  // A failure reaches the code that awaits it later.
  engine?.catch(() => {});
  return {
    engine,
    planner: new PlannerThread({ settings: analyzerSettings(config), clock: systemClock, log }),
  };
}
