/** Stopping takes at most this long, whatever is still under way. */
const stopTimeoutMs = 8_000;

/** Ctrl-C under npm sends two signals, a moment apart: the terminal's and the one that npm passes on. */
const sameRequestMs = 500;

/**
 * From now on SIGTERM and SIGINT abort the signal that this gives instead of ending the process. Asking
 * again, or a stop that takes too long, ends the process at once; what it had started notices that by itself.
 */
export function stopRequest(): AbortSignal {
  const stop = new AbortController();
  let isRepeated = false;
  const onSignal = () => {
    if (isRepeated) endAtOnce();
    if (stop.signal.aborted) return;
    setTimeout(() => {
      isRepeated = true;
    }, sameRequestMs).unref();
    setTimeout(endAtOnce, stopTimeoutMs).unref();
    stop.abort();
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, onSignal);
  return stop.signal;
}

/** `process.exit` would wait for the threads that are at work in DuckDB. The store bears being killed. */
function endAtOnce(): void {
  process.kill(process.pid, 'SIGKILL');
}

/** Waits for the request to stop, then closes. */
export async function untilStopped(stop: AbortSignal, running: { close(): Promise<void> }): Promise<void> {
  if (!stop.aborted) await new Promise((resolve) => stop.addEventListener('abort', resolve, { once: true }));
  await running.close();
}
