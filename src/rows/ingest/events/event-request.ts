import type { Account } from '../../../base/fairness/account.ts';
import { defaultTimeLimits, type TimeLimits } from '../../../definitions/settings/ingest-settings.ts';
import type { WritableSources } from '../../../definitions/sources/writable-sources.ts';

/**
 * How the members of an event are arranged: as in the row; all but the message and the time under `metadata`, as Vector's
 * events are on Logflare's `/vector`; or all of them under `metadata`, with the event itself as the message, as on
 * Logflare's `/json`.
 */
export type EventShape = 'row' | 'vector' | 'json';

/** How to read a body of events. */
export interface EventRequest {
  /** In `json`, an object, an array, `{"batch": [...]}` and NDJSON are told apart by their content. */
  readonly format: 'json' | 'otlp-json' | 'otlp-protobuf';
  /** As in `Content-Encoding`. A body in gzip format needs none. */
  readonly contentEncoding?: string | undefined;
  /** The name or alias of the source. The resources of OTLP can name others. */
  readonly source?: string | undefined;
  /** The sources that the sender may write to; by default, all. */
  readonly writable?: WritableSources | undefined;
  /** Of `json`; `row` by default. */
  readonly shape?: EventShape | undefined;
  /** What tells requests with the same body apart, such as the key of the caller: see `EventIds`. */
  readonly sender?: readonly string[] | undefined;
  /** `whole` rows suit every engine. By default, rows are flat where possible, as the embedded store has them. */
  readonly rows?: 'whole' | undefined;
  /** Microseconds since 1970: the time of events without one. */
  readonly receivedAt: bigint;
  /** Whether valid events are kept when others are rejected. */
  readonly partial: boolean;
  /** How many fields of the body have been added already: it is parsed again with them. */
  readonly addedFields?: number | undefined;
  /** Whose turn it is where bodies and their rows wait; by default, the gateway's. */
  readonly account?: Account | undefined;
}

/** What one body may need, and which times its events may have. */
export interface EventLimits {
  /** Bytes of a body after decompression. */
  readonly maxBodyBytes: number;
  readonly maxEvents: number;
  /** Events of one body that don't fit: each costs more time than a good one. */
  readonly maxRejected: number;
  /** Columns and fields of records that a source can have, with those that events add. */
  readonly maxFields: number;
  /** Of these, how many one body adds to a source. */
  readonly maxNewFields: number;
  readonly times: TimeLimits;
}

export const defaultEventLimits: EventLimits = {
  maxBodyBytes: 64 * 1024 * 1024,
  maxEvents: 50_000,
  maxRejected: 10_000,
  maxFields: 1_000,
  maxNewFields: 200,
  times: defaultTimeLimits,
};
