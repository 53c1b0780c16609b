import { type FSWatcher, watch } from 'node:fs';
import type { Clock } from '../../base/system/clock.ts';

/** Programs write files in several steps: files are read this long after the last change, in milliseconds. */
const quietMs = 100;
/** How often to check whether a missing folder exists again, in milliseconds. */
const absentMs = 1_000;

/**
 * Calls back when something in the folder or its subfolders was changed, added or removed, or the folder itself was replaced.
 * Doesn't keep the process alive.
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
      // The folder may have been replaced, which the old watcher would not notice.
      watcher?.close();
      if (begin()) onChange();
    });
  };
  const begin = () => {
    try {
      watcher = watch(folder, { persistent: false, recursive: true });
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
