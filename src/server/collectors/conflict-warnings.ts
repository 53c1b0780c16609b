import { counted } from '../../base/text/counted.ts';
import { withoutKeys } from '../../calls/access/key/key-text.ts';
import { otherFields } from '../../definitions/sources/source.ts';
import type { SourceConflicts } from '../../rows/ingest/events/parsed-events.ts';

/** Sentences about events of which values are in the column `otherFields`, because their own fields don't take them. */
export function conflictWarnings(conflicts: readonly SourceConflicts[]): string[] {
  return conflicts.map(({ source, count, first }) =>
    withoutKeys(
      `${counted(count, 'event')} of ${source} with values in ${otherFields}, the first for: ${first}`,
    ),
  );
}
