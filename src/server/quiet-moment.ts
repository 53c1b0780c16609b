import type { Server } from 'node:http';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds in which a client is back whose connection has ended, if it comes back: some, where processors are busy. */
const quietMs = 50;

/** Milliseconds after which clients are taken for others that don't wait for each other: a moment is all there is between them. */
const patienceMs = 250;

/** Under a load without end there is not even that: then this is waited for, in milliseconds. */
const maxWaitMs = 1_000;

/** What a turn of the event loop takes that does hardly anything, in milliseconds. */
const shortTurnMs = 1;

/**
 * Looks after the connections of a server that is going to stop listening. Those that the kernel has accepted and the process has
 * not are reset then.
 *
 * @returns what waits for a moment in which there are hardly any: for a while none has come, and none has ended whose client may
 *   come back. The last turn of the event loop says so only if it was short: what comes while it does other work is seen in the
 *   next one
 */
export function quietMoments(http: Server): () => Promise<void> {
  let changedAt = Number.NEGATIVE_INFINITY;
  const noteChange = () => {
    changedAt = performance.now();
  };
  http.on('connection', (socket) => {
    noteChange();
    socket.once('close', noteChange);
  });
  return async () => {
    const began = performance.now();
    for (;;) {
      const left = Math.min(changedAt + quietMs, began + patienceMs) - performance.now();
      if (left > 0) await sleep(left);
      // The rest of a turn that has begun doesn't look for connections any more.
      await nextTurn();
      const turnBegan = performance.now();
      await nextTurn();
      const now = performance.now();
      const since = now - began < patienceMs ? now - quietMs : turnBegan;
      const isQuiet = changedAt <= since && now - turnBegan <= shortTurnMs;
      if (isQuiet || now - began >= maxWaitMs) return;
    }
  };
}
