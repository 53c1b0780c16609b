import { setTimeout as sleep } from 'node:timers/promises';

/** How long after its timeout a shutdown is forced, in milliseconds. */
const forceAfterMs = 1_500;

/** Signals within this time count as one request: Ctrl-C under npm sends two, the terminal's and the one that npm forwards. */
const sameRequestMs = 500;

/**
 * Makes SIGTERM and SIGINT abort the returned signal instead of ending the process. A second request, or a shutdown
 * that takes too long, ends the process at once. Its child processes detect that themselves.
 *
 * @param timeoutMs how long a shutdown may take
 * @returns a signal whose reason is the name of the received one, such as `SIGTERM`
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
 * Ends the process by the signal's default action. Shells see 128 plus its number. `process.exit` would wait for
 * threads that run DuckDB queries. The store tolerates being killed.
 */
function endAtOnce(signal: NodeJS.Signals): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  // In a container, the first process is not ended by a signal without a listener.
  setTimeout(() => process.abort(), 100);
}

/** Something that runs until it is stopped. */
interface Stoppable {
  /** Announces the shutdown, and continues. */
  drain?(): void;
  close(): Promise<void>;
}

/**
 * Waits for the stop request, then drains and closes.
 *
 * @param drainMs how long to wait between the two, in milliseconds
 */
export async function untilStopped(stop: AbortSignal, running: Stoppable, drainMs = 0): Promise<void> {
  if (!stop.aborted) await new Promise((resolve) => stop.addEventListener('abort', resolve, { once: true }));
  running.drain?.();
  if (drainMs > 0) await sleep(drainMs);
  await running.close();
}
