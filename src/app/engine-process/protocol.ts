import { deserialize, serialize } from 'node:v8';
import type { Account } from '../../base/fairness/account.ts';
import type { HeldFiles } from '../../engines/duckdb/store/database/held-files.ts';
import type { RowOrigin } from '../../engines/duckdb/store/tables/metadata.ts';
import type { ChunkForm } from '../../engines/rows/packed-chunk.ts';
import type { EventRequest } from '../../rows/ingest/events/event-request.ts';
import type { Plan } from '../../sql/plan/plan.ts';
import type { UsedFields } from '../../sql/plan/tree-nodes.ts';
import type { Value } from '../../sql/values/value.ts';
import type { DuckDbSettings } from './open-duckdb.ts';

/**
 * The protocol of the gateway and the engine process: frames (`base/processes/frames.ts`) over a private socket. A call is a
 * frame with a new id. All frames with that id belong to it; `answer` or `error` ends it. Contents other than bytes are
 * serialized by V8, which is the same on both sides: they are one package. `open` fails if the versions differ.
 */
export const protocolVersion = 10;

/** Frames from the gateway: calls, and frames that belong to them. */
export const calls = {
  /** {@link OpenCall}. Must be the first call. Replies: `moved` while an older store is upgraded, then `answer`. */
  open: 1,
  /** The bytes of {@link Plan.packed}. The process stores the plan for `run`. */
  prepare: 2,
  /** {@link RunCall}. Replies: `begin` and `rows`, or `columns` with a window, then {@link RunAnswer}. Fails with `unknownPlan` if the plan isn't stored. */
  run: 3,
  /** {@link AppendCall}. `bytes`, limited by `credit`, and `finish` follow. Answered when the rows are committed. */
  append: 4,
  /** Answered with a map from sources to their numbers of rows. */
  rowCounts: 5,
  /** Answered with the origin of the rows. */
  origin: 6,
  /** A source's name. Answered with the time of its newest row. */
  newest: 7,
  /** Answered at once. */
  ping: 8,
  /** Aborts calls in flight and closes the store. After the answer, the process ends. */
  close: 9,
  /** Cancels the call. */
  cancel: 10,
  /** Belongs to `append`: bytes of the body. */
  bytes: 11,
  /** Belongs to `append`: the end of the body. */
  finish: 12,
  /** Belongs to `run` with a window: how many more bytes of rows may be sent, in four bytes. */
  credit: 13,
  /** The sources. Answered when the store has them. Fails and changes nothing if stored rows don't fit. */
  sources: 14,
  /** {@link EventsCall}. Answered with an {@link EventOutcome} when the rows are committed. */
  events: 15,
  /** Answered with the {@link SourceState} of each source. */
  sourceStates: 16,
  /** Answered at once with the {@link StoreState}. */
  storeState: 17,
  /**
   * Keeps the store's files as of the last commit. Replies: `held`. Answered after `release`, or fails if it is cancelled or
   * the store is closed before.
   */
  hold: 18,
  /** Belongs to `hold`: the files have been read. */
  release: 19,
  /** {@link RemoveCall}. Answered with the number of rows. */
  remove: 20,
} as const;

/** Frames from the engine process. */
export const replies = {
  /** Ends a call: its result. */
  answer: 32,
  /** Ends a call: an error, packed by `packError`. */
  error: 33,
  /** Belongs to `run`: rows follow. Rows before it are discarded. */
  begin: 34,
  /** Belongs to `run`: the number of rows in four bytes, then the bytes of `packChunk`. */
  rows: 35,
  /** Belongs to `append`: how many more bytes may be sent, in four bytes. */
  credit: 36,
  /** Belongs to `open`: the progress of an upgrade. */
  moved: 37,
  /** {@link LogLine}, with the id 0. */
  log: 38,
  /** Belongs to `run` with a window: the bytes of `packBatch`. */
  columns: 39,
  /** Belongs to `hold`: {@link HeldFiles}. */
  held: 40,
  /** {@link RowChange}s of a commit, with the id 0. */
  changed: 41,
} as const;

export interface OpenCall extends DuckDbSettings {
  /** {@link protocolVersion}. */
  readonly version: number;
}

export interface RunCall {
  readonly planId: string;
  readonly parameters: ReadonlyMap<string, Value>;
  readonly maxRows: number;
  readonly wanted: UsedFields | undefined;
  /** The remaining time. */
  readonly timeoutMs: number;
  readonly form: ChunkForm;
  /** Bytes of rows that may be sent before `credit`. Such a run has no maximum size, and its rows come as columns. */
  readonly window: number | undefined;
  readonly account: Account | undefined;
}

export interface RunAnswer {
  readonly truncated: boolean;
  readonly engineMs: number;
}

export interface AppendCall {
  readonly source: string;
  readonly contentEncoding: string | undefined;
  readonly skipBadRows: boolean;
  readonly lineNumbers: boolean | undefined;
  readonly origin: RowOrigin | undefined;
  readonly account: Account | undefined;
}

export interface EventsCall {
  readonly body: Uint8Array;
  readonly request: EventRequest;
}

export interface RemoveCall {
  readonly source: string;
  /** Microseconds since the epoch. */
  readonly before?: bigint;
  /** The id of a stored plan, in the place of a time. */
  readonly planId?: string;
  readonly isDryRun: boolean;
}

export interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Bytes of a body that may be in flight to the engine process. */
export const appendWindow = 4 << 20;

/** Bytes of streamed rows that may be in flight from the engine process. */
export const streamWindow = 4 << 20;

/** Maximum payload, in bytes: a chunk with one row of maximum size. */
export const maxPayloadBytes = 1 << 30;

/** Maximum total size of the plans that the engine process stores, in bytes. */
export const maxPlansBytes = 64 << 20;

export const pack = (value: unknown): Buffer => serialize(value);

/** Deserializes what the other process, which is of the same package, has packed. */
export function unpack<Content>(payload: Uint8Array): Content {
  return deserialize(payload);
}

export type { HeldFiles, Plan };
