/** Stopping takes at most this long, whatever is still under way. */
const stopTimeoutMs = 8_000;

/**
 * Waits for SIGTERM or SIGINT, then closes. A second signal, or a close that takes too long, ends the process
 * at once; what it had started notices that by itself.
 */
export async function untilStopped(running: { close(): Promise<void> }): Promise<void> {
  await nextSignal();
  const forced = setTimeout(() => process.exit(1), stopTimeoutMs).unref();
  void nextSignal().then(() => process.exit(1));
  await running.close();
  clearTimeout(forced);
}

function nextSignal(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
  const onSignal = () => {
    for (const signal of signals) process.off(signal, onSignal);
    resolve();
  };
  for (const signal of signals) process.on(signal, onSignal);
  return promise;
}
