import { type Failure, judge } from '../../endpoint-tests/compare/judge.ts';
import type { CoveredCall } from '../../endpoint-tests/coverage/coverage.ts';
import { isError, type Outcome } from '../../endpoint-tests/outcome.ts';
import type { TestCase } from '../../endpoint-tests/test-case.ts';
import type { JsonObject } from '../../text/exact-json.ts';

/** How a case ended. */
export interface CaseVerdict {
  /** Empty if it passed. */
  readonly failures: readonly Failure[];
  /** Why nothing can be said about it. */
  readonly skipped?: string;
  /** The rows that were answered. */
  readonly rows?: readonly JsonObject[];
  /** What it covers of its endpoint, if its query ran. */
  readonly call?: CoveredCall;
}

/** How a case ended whose call was answered. */
export function verdictOf({ expectation }: Pick<TestCase, 'expectation'>, outcome: Outcome): CaseVerdict {
  return {
    failures: judge(expectation, outcome),
    ...(!isError(outcome) && { rows: outcome.rows }),
  };
}
