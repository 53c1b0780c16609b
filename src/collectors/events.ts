import type { TableField } from '../sources/table-field.ts';

/** The body of a collector's request, and how to read it. */
export interface EventBody {
  /** The bytes as received. */
  readonly bytes: Uint8Array;
  readonly format: 'json' | 'otlp-json' | 'otlp-protobuf';
  /** `Content-Encoding`. */
  readonly contentEncoding?: string | undefined;
  /** The source of events that don't name one. */
  readonly source?: string | undefined;
  /** The time of arrival in microseconds since the epoch. */
  readonly receivedAt: bigint;
  /** Whether valid rows are added when others are rejected. */
  readonly partial: boolean;
}

/** An event that is not a row of its source. */
export interface RejectedEvent {
  readonly source: string;
  /** Its position in the body, from 0. */
  readonly index: number;
  /** Such as `metadata[0].status: expected INT64, got "abc"`. */
  readonly reason: string;
  /** The kind of reason, for metrics. */
  readonly cause: string;
  /** The event as JSON, shortened if necessary. */
  readonly text: string;
}

/** The rejected events of a body: the first ones, and how many there are by source and kind of reason. */
export interface Rejections {
  readonly events: readonly RejectedEvent[];
  readonly counts: readonly { readonly source: string; readonly cause: string; readonly count: number }[];
}

/** The rows of one source that a body brought. */
export interface AddedRows {
  readonly source: string;
  readonly imported: number;
  /** Rows that the source has already. */
  readonly duplicates: number;
  /** The time of the newest one in microseconds since the epoch. */
  readonly newest: bigint;
}

/** The outcome of a body. */
export type EventOutcome =
  /** The rows are committed. */
  | { readonly kind: 'added'; readonly rows: readonly AddedRows[]; readonly rejected: Rejections }
  /** Nothing was added. */
  | { readonly kind: 'rejected'; readonly rejected: Rejections }
  /** Nothing was added: sources that take new fields lack these. */
  | {
      readonly kind: 'new-fields';
      readonly newFields: readonly { readonly source: string; readonly fields: readonly TableField[] }[];
    };

/**
 * Adds the events of a body to their sources. Resolves when they are committed.
 *
 * Rejects with a `GatewayError`: `BAD_USER_INPUT` for a body that can't be read, `UNSUPPORTED_MEDIA_TYPE`,
 * `PAYLOAD_TOO_LARGE`, `NOT_FOUND` for an unknown source, `OVERLOADED` and `BACKEND_UNAVAILABLE` with the seconds to wait;
 * with the signal's reason when it is aborted.
 */
export type AddEvents = (body: EventBody, signal: AbortSignal) => Promise<EventOutcome>;
