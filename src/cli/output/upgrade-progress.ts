import type { MoveProgress } from '../../engines/duckdb/store/upkeep/move-old-rows.ts';
import type { Progress } from './progress.ts';

/** Shows how many rows of an older store have been moved, by source. */
export function upgradeProgress(progress: Progress): (moved: MoveProgress) => void {
  return ({ source, moved, rows }) => {
    if (moved === 0) progress.start(`upgrading the store: ${source}`, rows);
    progress.update(moved);
    if (moved === rows) progress.stop();
  };
}
