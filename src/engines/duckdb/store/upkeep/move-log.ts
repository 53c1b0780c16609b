import type { Log } from '../../../../base/log/log.ts';
import type { MoveProgress } from './move-old-rows.ts';

/** Milliseconds between two lines about one source. */
const interval = 5000;

/**
 * Logs the progress of a move: at the beginning and the end of a source, and every few seconds between.
 *
 * @param now milliseconds of a monotonic clock
 */
export function moveLog(
  log: Log | undefined,
  now = () => performance.now(),
): (progress: MoveProgress) => void {
  let last = 0;
  return ({ source, moved, rows }) => {
    if (rows === 0) return;
    const isEnd = moved === 0 || moved === rows;
    if (!isEnd && now() - last < interval) return;
    last = now();
    const what =
      moved === rows
        ? 'rows have been moved to the new format'
        : 'moving rows to the new format of the store';
    log?.info(what, { source, moved, rows });
  };
}
