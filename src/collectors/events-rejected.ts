import { GatewayError } from '../errors.ts';
import { counted } from '../text/counted.ts';
import type { Rejections } from './events.ts';

/** Maximum number of rejected events that an answer describes. */
const maxDescribed = 20;

/** A rejected event, as answers describe it. */
interface RejectionNotice {
  readonly source: string;
  readonly index: number;
  readonly reason: string;
}

/** The rejected events in the form of answers. */
export function rejectionNotices({ events }: Rejections): RejectionNotice[] {
  return events.slice(0, maxDescribed).map(({ source, index, reason }) => ({ source, index, reason }));
}

/** The number of rejected events. */
export function rejectedCount({ counts }: Rejections): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}

/** The reasons in one sentence, such as `2 events were rejected. Event 0: ...; event 7: ...`. */
export function rejectionText(rejections: Rejections): string {
  const count = rejectedCount(rejections);
  const named = rejectionNotices(rejections);
  const reasons = named.map(({ index, reason }) => `event ${index}: ${reason}`);
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
