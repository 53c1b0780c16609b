import { systemClock } from '../../base/system/clock.ts';
import type { Log } from '../../base/terminal/log.ts';
import { PlannerThread } from '../../calls/planner/planner-thread.ts';
import type { Config } from '../../definitions/settings/config.ts';
import { analyzerSettings } from '../../sql/analyzer/settings.ts';
import type { LaunchedEngine } from '../engines/engine/engine-definition.ts';
import { engineOf } from '../engines/registry.ts';

/** What a gateway starts before it loads its own modules. */
export interface Launches {
  readonly planner: PlannerThread;
  readonly engine: LaunchedEngine;
}

/** Starts the planning thread and the engine. This module has few imports. */
export function launch(config: Config, log: Log): Launches {
  return {
    engine: engineOf(config).launch(),
    planner: new PlannerThread({ settings: analyzerSettings(config), clock: systemClock, log }),
  };
}
