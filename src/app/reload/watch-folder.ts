import { type FSWatcher, readdirSync, watch } from 'node:fs';
import path from 'node:path';
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
  let watchers: FSWatcher[] = [];
  let timer: ReturnType<Clock['after']> | undefined;

  const later = (milliseconds: number) => {
    timer?.cancel();
    timer = clock.after(milliseconds, () => {
      // The folder or one within may be a new one, which the old watchers don't see.
      close();
      if (begin()) onChange();
    });
  };
  const close = () => {
    for (const watcher of watchers) watcher.close();
    watchers = [];
  };
  const begin = () => {
    try {
      // Node's recursive watchers miss a folder that is replaced by one with the same names.
      for (const each of [folder, ...subfolders(folder)]) {
        watchers.push(watch(each, { persistent: false }));
      }
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

function subfolders(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => path.join(entry.parentPath, entry.name));
}
