import { systemClock } from '../clock.ts';
import type { Config } from '../config.ts';
import { type LaunchedEngine, launchEngine } from '../engine-process/launched-engine.ts';
import type { Log } from '../log.ts';
import { PlannerThread } from '../planner/planner-thread.ts';
import { analyzerSettings } from '../sql/analyzer/settings.ts';

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
