import type { Server } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Under a load without end there is no such moment: then this is waited for, in milliseconds. */
const maxWaitMs = 1_000;

/**
 * Waits until a turn of the event loop has brought no new connection. Those that the kernel has accepted and the process has
 * not are reset when the server stops listening: in this moment there are hardly any.
 */
export async function quietMoment(http: Server): Promise<void> {
  let isQuiet = true;
  const onConnection = () => {
    isQuiet = false;
  };
  http.on('connection', onConnection);
  const end = performance.now() + maxWaitMs;
  do {
    isQuiet = true;
    await nextTurn();
  } while (!isQuiet && performance.now() < end);
  http.off('connection', onConnection);
}
