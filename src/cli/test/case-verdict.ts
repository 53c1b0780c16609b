import type { JsonObject } from '../../base/text/exact-json.ts';
import { isError, type Outcome } from '../../tools/endpoint-tests/cases/outcome.ts';
import type { TestCase } from '../../tools/endpoint-tests/cases/test-case.ts';
import { type Failure, judge } from '../../tools/endpoint-tests/compare/judge.ts';
import type { CoveredCall } from '../../tools/endpoint-tests/coverage/coverage.ts';

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
