import { systemClock } from '../clock.ts';
import type { Config } from '../config.ts';
import { launchEngine } from '../engine-process/launched-engine.ts';
import type { GatewayHooks, RunningGateway } from './run-gateway.ts';

/**
 * Does what `runGateway` does, and starts the engine process first: both load their modules at the same time.
 *
 * @throws what `runGateway` throws
 */
export async function launchGateway(config: Config, hooks: GatewayHooks): Promise<RunningGateway> {
  const launched = config.engine === 'duckdb' ? launchEngine(systemClock) : undefined;
  // Who uses it is told of a failure.
  launched?.catch(() => {});
  try {
    const { runGateway } = await import('./run-gateway.ts');
    return await runGateway(config, hooks, launched);
  } catch (error) {
    const engine = await launched?.catch(() => undefined);
    await engine?.child.end('the gateway could not be started');
    throw error;
  }
}
