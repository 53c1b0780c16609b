import type { Log } from '../../base/log/log.ts';
import type { Config } from '../../definitions/settings/config.ts';
import { type Launches, launch } from './launch.ts';
import type { GatewayHooks, RunningGateway } from './run-gateway.ts';

/**
 * As `runGateway`, but starts the planning thread and the engine process first, so that all load their modules at the
 * same time.
 *
 * @throws the errors of `runGateway`
 */
export function launchGateway(config: Config, hooks: GatewayHooks): Promise<RunningGateway> {
  return withLaunches(config, hooks.log, async (launches) => {
    const { runGateway } = await import('./run-gateway.ts');
    return runGateway(config, hooks, launches);
  });
}

/** Launches the planning thread and the engine process, then starts the rest. If that fails, ends them. */
export async function withLaunches<Started>(
  config: Config,
  log: Log,
  start: (launches: Launches) => Promise<Started>,
): Promise<Started> {
  const launches = launch(config, log);
  try {
    return await start(launches);
  } catch (error) {
    await launches.engine.end();
    await launches.planner.close();
    throw error;
  }
}
