import { setTimeout as sleep } from 'node:timers/promises';

/** How long after its time a stop is ended by force, in milliseconds. */
const forceAfterMs = 1_500;

/** Ctrl-C under npm sends two signals, a moment apart: the terminal's and the one that npm passes on. */
const sameRequestMs = 500;

/**
 * From now on SIGTERM and SIGINT abort the signal that this gives instead of ending the process. Asking
 * again, or a stop that takes too long, ends the process at once; what it had started notices that by itself.
 *
 * @param timeoutMs how long a stop may take
 * @returns a signal whose reason is the name of the one that came, as `SIGTERM`
 */
export function stopRequest(timeoutMs: number): AbortSignal {
  const stop = new AbortController();
  let isRepeated = false;
  const onSignal = (signal: NodeJS.Signals) => {
    if (isRepeated) endAtOnce(signal);
    if (stop.signal.aborted) return;
    setTimeout(() => {
      isRepeated = true;
    }, sameRequestMs).unref();
    setTimeout(() => endAtOnce('SIGKILL'), timeoutMs + forceAfterMs).unref();
    stop.abort(signal);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, onSignal);
  return stop.signal;
}

/**
 * Ends as who isn't told otherwise ends by the signal: for shells, with 128 and its number. `process.exit` would wait for
 * the threads that are at work in DuckDB. The store bears being killed.
 */
function endAtOnce(signal: NodeJS.Signals): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  // The first process of a container ends by no signal that it has no listener for.
  setTimeout(() => process.abort(), 100);
}

/** What runs until it is told to stop. */
interface Stoppable {
  /** Tells others that it is about to stop, and goes on. */
  drain?(): void;
  close(): Promise<void>;
}

/**
 * Waits for the request to stop, then closes.
 *
 * @param drainMs how long others have to take notice, in milliseconds
 */
export async function untilStopped(stop: AbortSignal, running: Stoppable, drainMs = 0): Promise<void> {
  if (!stop.aborted) await new Promise((resolve) => stop.addEventListener('abort', resolve, { once: true }));
  running.drain?.();
  if (drainMs > 0) await sleep(drainMs);
  await running.close();
}
