import type { Config } from '../config.ts';
import { launch } from './launch.ts';
import type { GatewayHooks, RunningGateway } from './run-gateway.ts';

/**
 * As `runGateway`, but starts the planning thread and the engine process first, so that all load their modules at the
 * same time.
 *
 * @throws the errors of `runGateway`
 */
export async function launchGateway(config: Config, hooks: GatewayHooks): Promise<RunningGateway> {
  const launches = launch(config, hooks.log);
  try {
    const { runGateway } = await import('./run-gateway.ts');
    return await runGateway(config, hooks, launches);
  } catch (error) {
    const engine = await launches.engine?.catch(() => undefined);
    await engine?.child.end('the gateway could not be started');
    await launches.planner.close();
    throw error;
  }
}
