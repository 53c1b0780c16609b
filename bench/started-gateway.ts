import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort, untilReady } from './parts/start-up.ts';

/** The key of every request. */
export const benchKey = 'the-key-of-the-benchmark';

export interface GatewayCommand {
  readonly dataDir: string;
  /** The package's folder, where the gateway is started. */
  readonly packageDir: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The command that starts the gateway; its own by default. */
  readonly command?: readonly [string, ...string[]];
}

/** A gateway in its own process, which is killed when this is disposed. */
export interface StartedGateway extends AsyncDisposable {
  readonly port: number;
  readonly process: ChildProcess;
}

/** Starts a gateway over a store and waits until it is ready. */
export async function startGateway({
  dataDir,
  packageDir,
  environment,
  command = [process.execPath, 'src/cli/main.js', 'serve'],
}: GatewayCommand): Promise<StartedGateway> {
  const port = await freePort();
  const [program, ...args] = command;
  const gateway = spawn(program, args, {
    cwd: packageDir,
    env: { ...environment, DATA_DIR: dataDir, PORT: String(port), API_KEY: benchKey, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const end = async () => {
    gateway.kill('SIGKILL');
    if (gateway.exitCode === null && gateway.signalCode === null) await once(gateway, 'exit');
  };
  try {
    await untilReady(`http://127.0.0.1:${port}/readyz`, gateway);
  } catch (error) {
    await end();
    throw error;
  }
  return { port, process: gateway, [Symbol.asyncDispose]: end };
}
