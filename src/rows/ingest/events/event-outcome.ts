import type { NewFields } from '../../../definitions/sources/added-fields.ts';
import type { EventRequest } from './event-request.ts';
import type { ParsedEvents, Rejection, RejectionCount } from './parsed-events.ts';

/** The events of a body that are not rows of their source. */
export interface Rejections {
  /** The first ones. */
  readonly events: readonly Rejection[];
  /** All of them, by source and cause. */
  readonly counts: readonly RejectionCount[];
}

/** The rows of one source that a body brought. */
export interface AddedRows {
  readonly source: string;
  readonly imported: number;
  /** Rows that the source has already, or twice in the body. */
  readonly duplicates: number;
  /** The time of the newest one in microseconds since the epoch. */
  readonly newest: bigint;
}

/** The outcome of a body. */
export type EventOutcome =
  /** The rows are committed. */
  | {
      readonly kind: 'added';
      readonly rows: readonly AddedRows[];
      readonly rejected: Rejections;
      readonly conflicts: ParsedEvents['conflicts'];
    }
  /** Nothing was added. */
  | { readonly kind: 'rejected'; readonly rejected: Rejections }
  /** Nothing was added: sources with `unknownFields: add` lack these fields. */
  | { readonly kind: 'new-fields'; readonly newFields: readonly NewFields[] };

/**
 * Adds the events of a body to their sources. Resolves when they are committed.
 *
 * Rejects with a `GatewayError`: as `EventParser.parse` does; `OVERLOADED` and `BACKEND_UNAVAILABLE` with the seconds to
 * wait; with the signal's reason when it is aborted.
 */
export type AddEvents = (
  body: Uint8Array,
  request: EventRequest,
  signal: AbortSignal,
) => Promise<EventOutcome>;

/** The rejections among parsed events. */
export function rejectionsOf({ rejected, rejectedBy }: ParsedEvents): Rejections {
  return { events: rejected, counts: rejectedBy };
}
