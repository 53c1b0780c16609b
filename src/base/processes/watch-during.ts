import type { Clock } from '../system/clock.ts';
import type { Supervised } from './supervised.ts';
import { type Watch, watch } from './watch.ts';

/**
 * Waits for the first work of a process that isn't ready yet. Ends the process when it doesn't answer meanwhile, or
 * when the signal is aborted. The work may take long: the upgrade of a store takes minutes.
 *
 * @param work fails when the process ends
 */
export async function watchDuring<Session extends Supervised>(
  session: Session,
  work: Promise<unknown>,
  { sendPing, ...options }: Watch<Session>,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const stop = () => void session.end('it was stopped');
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  const { pid } = session;
  const exited = work.then(
    () => 'done',
    () => 'failed',
  );
  const starting = { pid, exited, end: (reason: string) => session.end(reason) };
  void watch(
    starting,
    { ...options, ...(sendPing && { sendPing: () => sendPing(session) }) },
    clock,
    () => {},
  );
  try {
    await work;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
