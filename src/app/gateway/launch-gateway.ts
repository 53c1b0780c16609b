import type { Config } from '../../definitions/settings/config.ts';
import { launch } from './launch.ts';
import type { OpenedGateway, OpeningHooks } from './open-gateway.ts';
import type { GatewayHooks, RunningGateway } from './run-gateway.ts';

/**
 * As `runGateway`, but starts the planning thread and the engine process first, so that all load their modules at the
 * same time.
 *
 * @throws the errors of `runGateway`
 */
export async function launchGateway(config: Config, hooks: GatewayHooks): Promise<RunningGateway> {
  const launches = launch(config, hooks.log);
  const { runGateway } = await import('./run-gateway.ts');
  return runGateway(config, hooks, launches);
}

/** As `launchGateway`, for `openGateway`. */
export async function launchOpened(config: Config, hooks: OpeningHooks): Promise<OpenedGateway> {
  const launches = launch(config, hooks.log);
  const { openGateway } = await import('./open-gateway.ts');
  return openGateway(config, hooks, launches);
}
