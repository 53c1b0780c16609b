import type { AdHocQueries } from '../../calls/call/ad-hoc-query.ts';
import type { Source } from '../../definitions/sources/source.ts';

/** What the cases of a run share, whatever runs them. */
export interface CaseSurroundings {
  readonly sources: readonly Source[];
  readonly queries: AdHocQueries;
  /** Time limit of a query in milliseconds. Its endpoint can have a shorter one. */
  readonly timeoutMs: number;
  /** What the clock of cases shows that don't say it, in microseconds since the epoch. */
  readonly now: bigint;
}
