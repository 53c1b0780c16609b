import { fileURLToPath } from 'node:url';
import { Child } from '../../base/processes/child.ts';
import { makePrivateFolder } from '../../base/processes/private-folder.ts';
import { listenOnce, type PrivateSocket } from '../../base/processes/private-socket.ts';
import type { Clock } from '../../base/system/clock.ts';

/** The process's name in messages. */
export const engineName = 'The engine';

/** Plans can be nested more deeply than a stack of 1 MB, Node's default, can unpack. */
const nodeOptions = ['--stack-size=4000', '--max-semi-space-size=16'];

/** A started engine process. It loads its modules and then connects. */
export interface LaunchedEngine {
  readonly child: Child;
  readonly socket: PrivateSocket;
}

/**
 * Starts an engine process without waiting for its connection. This module has few imports: a gateway starts the
 * process before it loads its own modules.
 *
 * @throws if it can't be started
 */
export async function launchEngine(clock: Clock): Promise<LaunchedEngine> {
  const folder = await makePrivateFolder('engine');
  const socket = await listenOnce(folder);
  const main = fileURLToPath(new URL('./engine-main.js', import.meta.url));
  const args = [...nodeOptions, main, socket.path];
  const program = { name: engineName, command: process.execPath, args, includesStderr: true };
  const child = await Child.start(program, folder, clock);
  void child.exited.then(() => socket.close());
  return { child, socket };
}
