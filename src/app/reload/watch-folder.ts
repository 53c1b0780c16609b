import { type FSWatcher, watch } from 'node:fs';
import type { Clock } from '../../clock.ts';

/** Programs write a file in several steps: so long after the last one it is read, in milliseconds. */
const quietMs = 100;
/** How often to look whether a folder that is gone is there again, in milliseconds. */
const absentMs = 1_000;

/**
 * Calls back after something in the folder was changed, added or removed, and when the folder itself was replaced. Doesn't keep the
 * process alive.
 */
export function watchFolder(
  folder: string,
  clock: Pick<Clock, 'after'>,
  onChange: () => void,
): { close(): void } {
  let watcher: FSWatcher | undefined;
  let timer: ReturnType<Clock['after']> | undefined;

  const later = (milliseconds: number) => {
    timer?.cancel();
    timer = clock.after(milliseconds, () => {
      // Another folder may stand there by now, which the old watcher would not notice.
      watcher?.close();
      if (begin()) onChange();
    });
  };
  const begin = () => {
    try {
      watcher = watch(folder, { persistent: false });
    } catch {
      watcher = undefined;
      later(absentMs);
      return false;
    }
    watcher.on('change', () => later(quietMs));
    watcher.on('error', () => later(absentMs));
    return true;
  };
  begin();
  return {
    close() {
      timer?.cancel();
      watcher?.close();
    },
  };
}
