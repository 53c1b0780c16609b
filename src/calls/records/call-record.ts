import type { QueryClass } from '../../definitions/classes/query-class.ts';
import type { Cost, SliceCounts } from '../../engines/engine/engine.ts';
import type { Value } from '../../sql/values/value.ts';

/** How the cache answered a call: see `CacheFacts`. */
export type CacheStatus = 'hit' | 'miss' | 'stale' | 'off';

/** What runs for a call: the endpoint's own query, the newest rows of a table, a query of the caller, an endpoint that is tried before it is served, or a run that is measured. */
export type QueryForm = 'stored' | 'draft' | 'profile' | 'table' | 'sql' | 'lql' | 'filter';

/** What a call has asked. */
export interface AskedQuery {
  readonly form: QueryForm;
  /** The class in which it waits and runs. */
  readonly class: QueryClass;
  /** The values of the endpoint's parameters, by name. */
  readonly parameters: ReadonlyMap<string, Value>;
}

/** What is known of the run behind a call, also of one that has failed. */
export interface RunFacts {
  readonly truncated?: boolean;
  readonly slices?: SliceCounts;
  readonly cost?: Cost;
  /** Milliseconds for which the query waited for its turn. */
  readonly queueMs?: number;
  readonly planningMs?: number;
}

/** A call that has ended. */
export interface CallRecord {
  /** The name of the endpoint. Absent if the call was refused before that was known. */
  readonly endpoint?: string;
  /** The number of the endpoint's version. */
  readonly version?: number;
  /** Absent for repeated answers: they share this object. */
  readonly asked?: AskedQuery;
  /** Of a call that was refused before more was known of it. */
  readonly class?: QueryClass;
  readonly run?: RunFacts;
  readonly cache?: CacheStatus;
  /** In the answer. */
  rows: number;
  /** Also of a failed run. */
  readonly engineMs: number;
  /** Of its error. */
  readonly code?: string;
}
