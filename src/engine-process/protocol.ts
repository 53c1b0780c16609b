import { deserialize, serialize } from 'node:v8';
import type { RowOrigin } from '../engines/duckdb/store/metadata.ts';
import type { ChunkForm } from '../engines/rows/packed-chunk.ts';
import type { Source } from '../sources/source.ts';
import type { Plan } from '../sql/plan.ts';
import type { UsedFields } from '../sql/used-fields.ts';
import type { Value } from '../sql/value.ts';

/**
 * What the gateway and the engine process say to each other, in frames (`processes/frames.ts`) over a private socket. A call is a
 * frame with a new id; what belongs to it has the same one. It ends with `answer` or `error`. What isn't bytes is packed by V8, which
 * is the same on both sides: they are one package, and the engine process ends if `open` names another version.
 */
export const protocolVersion = 1;

/** Frames from the gateway: calls, and what belongs to them. */
export const calls = {
  /** {@link OpenCall}; `moved` comes while an older store is upgraded, then `answer`. Before any other call. */
  open: 1,
  /** The bytes of {@link Plan.packed}; the plan is kept to be run. */
  prepare: 2,
  /** {@link RunCall}; `begin` and `rows` come, then {@link RunAnswer}. Fails with `unknownPlan` where the plan isn't kept. */
  run: 3,
  /** {@link AppendCall}; followed by `bytes`, for which there is `credit`, and `finish`. Answered when the rows are committed. */
  append: 4,
  /** Answered by a map of how many rows each source has. */
  rowCounts: 5,
  /** Answered by where the rows come from. */
  origin: 6,
  /** A source's name; answered by the time of its newest row. */
  newest: 7,
  /** Answered at once. */
  ping: 8,
  /** Ends what is under way, closes the store and is answered; the process ends then. */
  close: 9,
  /** Belongs to a call, which is to end soon. */
  cancel: 10,
  /** Belongs to `append`: bytes of the body. */
  bytes: 11,
  /** Belongs to `append`: the body has come to its end. */
  finish: 12,
} as const;

/** Frames from the engine process. */
export const replies = {
  /** The last one of a call. */
  answer: 32,
  /** The last one of a call: an error as `packError` makes it. */
  error: 33,
  /** Belongs to `run`: its rows begin, or begin anew; those that came before don't count. */
  begin: 34,
  /** Belongs to `run`: `packChunk`'s bytes behind the number of their rows, in four bytes. */
  rows: 35,
  /** Belongs to `append`: so many more bytes may be sent, in four bytes. */
  credit: 36,
  /** Belongs to `open`: how far the upgrade has come. */
  moved: 37,
  /** {@link LogLine}, with the id 0. */
  log: 38,
} as const;

export interface OpenCall {
  readonly version: number;
  readonly dataDir: string;
  readonly sources: readonly Source[];
  /** `DUCKDB_MEMORY_LIMIT`. */
  readonly memoryLimit: string;
  readonly tempLimit: string | undefined;
  readonly threads: number;
}

export interface RunCall {
  readonly planId: string;
  readonly parameters: ReadonlyMap<string, Value>;
  readonly maxRows: number;
  readonly wanted: UsedFields | undefined;
  /** Milliseconds that are left. */
  readonly timeoutMs: number;
  readonly form: ChunkForm;
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
}

export interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Bytes of a body that may be under way to the engine process. */
export const appendWindow = 4 << 20;

/** The longest payload of a frame, in bytes: a chunk with one row of the largest size. */
export const maxPayloadBytes = 1 << 30;

/** Plans that the engine process keeps, by how large they are in all. */
export const maxPlansBytes = 64 << 20;

export const pack = (value: unknown): Buffer => serialize(value);

/** What the other process, which is of the same package, has packed. */
export function unpack<Content>(payload: Uint8Array): Content {
  return deserialize(payload);
}

export type { Plan };
