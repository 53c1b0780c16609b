import { type FSWatcher, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../base/system/clock.ts';

/** Programs write files in several steps: files are read this long after the last change, in milliseconds. */
const quietMs = 100;
/** How often to check whether a missing folder exists again, in milliseconds. */
const absentMs = 1_000;

/**
 * Calls back when something in the folder, or in one of its subfolders, was changed, added or removed, or the folder itself was replaced. Doesn't
 * keep the process alive.
 */
export function watchFolder(
  folder: string,
  clock: Pick<Clock, 'after'>,
  onChange: () => void,
): { close(): void } {
  const watchers: FSWatcher[] = [];
  let timer: ReturnType<Clock['after']> | undefined;

  const close = () => {
    for (const watcher of watchers.splice(0)) watcher.close();
  };
  const later = (milliseconds: number) => {
    timer?.cancel();
    timer = clock.after(milliseconds, () => {
      // A folder may have been replaced, which its old watcher would not notice.
      close();
      if (begin()) onChange();
    });
  };
  const begin = () => {
    try {
      for (const each of [folder, ...subfoldersOf(folder)]) watchers.push(watch(each, { persistent: false }));
    } catch {
      close();
      later(absentMs);
      return false;
    }
    for (const watcher of watchers) {
      watcher.on('change', () => later(quietMs));
      watcher.on('error', () => later(absentMs));
    }
    return true;
  };
  begin();
  return {
    close() {
      timer?.cancel();
      close();
    },
  };
}

/** @throws errors of the file system */
function subfoldersOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => join(folder, name));
}
