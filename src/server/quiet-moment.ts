import type { Server } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Under a load without end there is no such moment: then this is waited for, in milliseconds. */
const maxWaitMs = 1_000;

/** What a turn of the event loop takes that does hardly anything, in milliseconds. */
const shortTurnMs = 1;

/**
 * Waits until a turn of the event loop has brought no new connection. Those that the kernel has accepted and the process has
 * not are reset when the server stops listening: in this moment there are hardly any.
 *
 * A turn says so only if it was short: what comes while it does other work is seen in the next one.
 */
export async function quietMoment(http: Server): Promise<void> {
  let isQuiet = false;
  const onConnection = () => {
    isQuiet = false;
  };
  http.on('connection', onConnection);
  const end = performance.now() + maxWaitMs;
  // The rest of a turn that has begun doesn't look for connections any more.
  await nextTurn();
  do {
    isQuiet = true;
    const begun = performance.now();
    await nextTurn();
    if (performance.now() - begun > shortTurnMs) isQuiet = false;
  } while (!isQuiet && performance.now() < end);
  http.off('connection', onConnection);
}
