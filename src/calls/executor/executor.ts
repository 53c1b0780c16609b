import type { QueryClass } from '../../definitions/classes/query-class.ts';
import type { Cost, Estimate, SliceCounts, StreamEnd } from '../../engines/engine/engine.ts';
import type { QueryProfile } from '../../engines/engine/profile.ts';
import type { ResultRows } from '../../engines/rows/result-rows.ts';
import type { ColumnBatch } from '../../sql/columns/column-batch.ts';
import type { UsedFields } from '../../sql/plan/used-fields.ts';
import type { Column } from '../../sql/values/type.ts';
import type { AuthorisedCall } from '../call/authorised-call.ts';
import type { PageFacts } from '../call/page.ts';
import type { CacheStatus } from '../records/call-record.ts';
import type { CachedEntry } from './entry-table.ts';
import type { Bodies } from './flights/bodies.ts';

/** How a call is run. */
export interface Run {
  /** Aborting it ends this caller's wait; the call then rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** The most urgent class that the run may have. */
  readonly atMost?: QueryClass;
  /** The fields that are read of a row; the others may be NULL. Absent means all. */
  readonly wanted?: UsedFields | undefined;
  /**
   * Rows that were read before this time, in milliseconds since the epoch, are not used, unless another call's run is
   * shared or new rows can't be made: see `ExecutorResult.readAt`.
   */
  readonly notBefore?: number;
  /** Told while the run goes on. */
  readonly progress?: RunProgress;
}

/** What is known of a run, also of one that fails. */
export interface RunProgress {
  /** The class in which it waits and runs. */
  class?: QueryClass;
  /** Milliseconds for which it has waited for its turn. */
  queueMs?: number;
  /** Milliseconds of planning. */
  planningMs?: number;
  /** Milliseconds for which the engine has worked in vain. */
  engineMs?: number;
}

/** How the cache answered a call. */
export interface CacheFacts {
  /**
   * `hit`: the rows were cached. `miss`: they were made for this call. `stale`: they are too old, but new ones could not be
   * made. `off`: the endpoint isn't cached.
   */
  readonly status: CacheStatus;
  /** Whether the call shared the run of another one. */
  readonly collapsed: boolean;
  /** When the rows were made, in milliseconds since the epoch. */
  readonly madeAt: number;
  /** Until when the rows may be reused, in milliseconds since the epoch; `madeAt` for rows that aren't cached. */
  readonly freshUntil: number;
}

/** The result of a call. */
export interface ExecutorResult {
  readonly columns: readonly Column[];
  /** Whether the query had more rows than the limit. */
  readonly truncated: boolean;
  /** Milliseconds that the engine worked for this call; 0 for cached rows. */
  readonly engineMs: number;
  /** Milliseconds for which the call waited for its turn. */
  readonly queueMs: number;
  /** Milliseconds of planning, if the query had to be planned. */
  readonly planningMs: number;
  /** About when the engine began to read the rows, in milliseconds since the epoch. */
  readonly readAt: number;
  /** The cost of the run that the call started or shared, if the engine reports it; absent for cached rows. */
  readonly cost?: Cost;
  /** The slices from which the run that the call started or shared merged its result, if it did. */
  readonly slices?: SliceCounts;
  /** The rows, not redacted. */
  readonly rows: ResultRows;
  /** Response bodies with these rows: made once, shared by all calls with the same key. */
  readonly bodies: Bodies;
  readonly cache: CacheFacts;
  /** The cached entry of the rows; undefined for rows that aren't cached. */
  readonly cachedEntry?: CachedEntry;
  /** The page that the rows are, with one more if there is one. */
  readonly page?: PageFacts;
  /** Takes back rows that were counted for the caller, and are not in its answer. */
  readonly leaveOut?: (rows: number) => void;
}

/** The next rows of an export. The first part has no batch, only the columns. */
export interface ExportedRows {
  readonly columns: readonly Column[];
  readonly batch?: ColumnBatch;
}

/** Receives the rows of an export. The executor waits for it. Its failure ends the export. */
export type TakeExported = (exported: ExportedRows) => void | Promise<void>;

/** Gets rows for all protocols. Failures are as the caller may see them; those that have a code are `GatewayError`s. */
export interface Executor {
  execute(call: AuthorisedCall, run: Run): Promise<ExecutorResult>;
  /**
   * Runs the call for up to the endpoint's `exportRows` rows, and hands them over at the receiver's pace. They are neither
   * cached nor shared. Fails like `execute`, possibly after some of the rows.
   */
  stream(call: AuthorisedCall, run: Run, take: TakeExported): Promise<StreamEnd>;
  /** Runs the call, drops its rows, and says where the time of the run went. It is neither cached nor shared, and counts as a run. */
  profile(call: AuthorisedCall, run: Run): Promise<QueryProfile>;
  /** Asks for the expected cost of the call without running it. The cache makes no difference. */
  estimate(call: AuthorisedCall, run: Run): Promise<Estimate>;
}
