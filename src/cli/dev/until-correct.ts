import { watchFolder } from '../../app/reload/watch-folder.ts';
import { ProblemsError } from '../../app/schema/load-schema.ts';
import { type Clock, systemClock } from '../../base/system/clock.ts';

interface Waiting {
  /** The folders whose files can be wrong. */
  readonly folders: readonly string[];
  readonly stop: AbortSignal;
  readonly onProblems: (error: ProblemsError) => void;
  readonly clock?: Pick<Clock, 'after'>;
}

/** A timer keeps the process alive, because watching a folder doesn't. */
const aliveMs = 60_000;

/**
 * Tries something that needs correct files, again after each change until they are.
 *
 * @throws all errors but ProblemsError; the last ProblemsError, if the wait is stopped
 */
export async function untilCorrect<Outcome>(
  attempt: () => Promise<Outcome>,
  { folders, stop, onProblems, clock = systemClock }: Waiting,
): Promise<Outcome> {
  // Watched from before the attempt, so that no change while it reads the files is missed.
  let change = Promise.withResolvers<void>();
  const watchers = folders.map((folder) => watchFolder(folder, clock, () => change.resolve()));
  const alive = setInterval(() => undefined, aliveMs);
  const onStop = () => change.resolve();
  stop.addEventListener('abort', onStop);
  try {
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof ProblemsError) || stop.aborted) throw error;
        onProblems(error);
        await change.promise;
        if (stop.aborted) throw error;
        change = Promise.withResolvers();
      }
    }
  } finally {
    stop.removeEventListener('abort', onStop);
    clearInterval(alive);
    for (const watcher of watchers) watcher.close();
  }
}
