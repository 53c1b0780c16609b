import { GatewayError } from '../../base/errors/errors.ts';
import { counted } from '../../base/text/counted.ts';
import { withoutKeys } from '../../calls/access/key/key-text.ts';
import { otherFields } from '../../definitions/sources/source.ts';
import type { Rejections } from '../../rows/ingest/events/event-outcome.ts';
import type { Rejection, SourceConflicts } from '../../rows/ingest/events/parsed-events.ts';

/** Maximum number of rejected events that an answer describes. */
const maxDescribed = 20;

/** A rejected event, as answers describe it. */
type RejectionNotice = Pick<Rejection, 'source' | 'unit' | 'index' | 'reason'>;

/** The rejected events in the form of answers. */
export function rejectionNotices({ events }: Rejections): RejectionNotice[] {
  return events
    .slice(0, maxDescribed)
    .map(({ source, unit, index, reason }) => ({ source, unit, index, reason: withoutKeys(reason) }));
}

/** The number of rejected events. */
export function rejectedCount({ counts }: Rejections): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}

/** The reasons in one sentence, such as `2 events rejected: line 3: ...; line 7: ...`. */
export function rejectionText(rejections: Rejections): string {
  const count = rejectedCount(rejections);
  const named = rejectionNotices(rejections);
  const reasons = named.map(({ unit, index, reason }) => `${unit} ${index}: ${reason}`);
  if (count > named.length) reasons.push(`and ${(count - named.length).toLocaleString('en')} more`);
  return `${counted(count, 'event')} rejected: ${reasons.join('; ')}`;
}

/** Thrown for a body of which nothing was added, because some of its events are not rows of their source. */
export class EventsRejected extends GatewayError {
  readonly rejections: Rejections;

  constructor(rejections: Rejections) {
    super('BAD_USER_INPUT', `Nothing was added. ${rejectionText(rejections)}`);
    this.rejections = rejections;
  }
}

/** Sentences about events with values in the column `otherFields`, because the types of their own fields don't fit. */
export function conflictWarnings(conflicts: readonly SourceConflicts[]): string[] {
  return conflicts.map(({ source, count, first }) =>
    withoutKeys(
      `${counted(count, 'event')} of ${source} with values in ${otherFields}, the first for: ${first}`,
    ),
  );
}
