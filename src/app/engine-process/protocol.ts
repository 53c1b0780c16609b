import type { Log, LogFields } from '../../base/terminal/log.ts';
import type { EngineRequest, Estimate, StreamEnd } from '../../engines/engine/engine.ts';
import type { QueryProfile } from '../../engines/engine/profile.ts';
import type { RowChange } from '../../engines/engine/row-changes.ts';
import type { ChunkForm } from '../../engines/rows/packed-chunk.ts';
import type { RowRemover } from '../../rows/deletion/row-remover.ts';
import type { RowStore } from '../../rows/ingest/row-store.ts';
import type { DuckDbSettings, OpenedDuckDb } from './open-duckdb.ts';

/** `open` fails if those of the two processes differ. */
export const protocolVersion = 16;

/** The calls that the gateway makes to the engine process, over a private socket. */
export interface EngineCalls extends RowStore, RowRemover, Pick<OpenedDuckDb, 'useSources' | 'planSources'> {
  /** Opens the store. Must be the first call. */
  open(version: number, settings: DuckDbSettings): Promise<void>;
  /** Answered at once. */
  ping(): Promise<void>;
  /** Checks a plan, given as `Plan.packed`, and keeps it for the calls below. */
  prepare(plan: Uint8Array, signal: AbortSignal): Promise<void>;
  /**
   * Gives the rows in chunks of `packChunk`. Rows before an empty chunk are discarded.
   *
   * @throws UnknownPlanError if the plan isn't kept
   */
  run(query: PlannedRun & { readonly form: ChunkForm }, take: TakeBytes): Promise<RunEnd>;
  /**
   * Gives the rows as columns, in chunks of `packBatch`.
   *
   * @throws UnknownPlanError if the plan isn't kept
   */
  stream(query: PlannedRun, take: TakeBytes): Promise<StreamEnd>;
  /**
   * Estimates what the query would read.
   *
   * @throws UnknownPlanError if the plan isn't kept
   */
  estimate(query: PlannedRun): Promise<Estimate>;
  /**
   * Runs the query, and says where its time went.
   *
   * @throws UnknownPlanError if the plan isn't kept
   */
  profile(query: PlannedRun): Promise<QueryProfile>;
  /** Aborts the calls in flight and closes the store. After the answer, the process ends. */
  close(signal: AbortSignal): Promise<void>;
}

type TakeBytes = (chunk: Uint8Array) => void | Promise<void>;

/** An `EngineRequest` whose plan was prepared. */
export interface PlannedRun extends Omit<EngineRequest, 'plan' | 'job' | 'isCacheable'> {
  readonly planId: string;
}

export interface RunEnd extends StreamEnd {
  /** The number of rows. */
  readonly count: number;
}

/** What the engine process tells. */
export type EngineEvent =
  | { readonly level: keyof Log; readonly message: string; readonly fields: LogFields | undefined }
  /** The changes of a commit. */
  | { readonly changed: readonly RowChange[] }
  /** The longest delay of its event loop within a second, in seconds. */
  | { readonly loopDelay: number };
