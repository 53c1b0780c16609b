import { withoutKeys } from '../access/key/key-text.ts';
import type { SourceConflicts } from '../ingest/events/parsed-events.ts';
import { otherFields } from '../sources/source.ts';
import { counted } from '../text/counted.ts';

/** Sentences about events of which values are in the column `otherFields`, because their own fields don't take them. */
export function conflictWarnings(conflicts: readonly SourceConflicts[]): string[] {
  return conflicts.map(({ source, count, first }) =>
    withoutKeys(
      `${counted(count, 'event')} of ${source} with values in ${otherFields}, the first for: ${first}`,
    ),
  );
}
