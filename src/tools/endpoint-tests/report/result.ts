import type { Problem } from '../../../base/errors/problem.ts';
import type { JsonObject } from '../../../base/text/exact-json.ts';
import type { FilePlace } from '../cases/test-file.ts';
import type { Failure } from '../compare/judge.ts';
import type { EndpointCoverage } from '../coverage/coverage.ts';

/** A case is updated when its actual rows were written into the file as the expected ones. */
export type CaseStatus = 'passed' | 'failed' | 'skipped' | 'updated';

/** The result of a case. */
export interface CaseResult {
  readonly name: string;
  readonly index: number;
  readonly place: FilePlace;
  readonly status: CaseStatus;
  readonly milliseconds: number;
  /** Why it was skipped. */
  readonly reason?: string;
  readonly failures: readonly Failure[];
  /** The rows that were answered, if there were any. */
  readonly rows?: readonly JsonObject[];
}

/** The results of a test file. */
export interface FileResult {
  /** Its path, relative to the current folder if it is below it. */
  readonly file: string;
  /** The endpoint's name; the file's if the endpoint has errors. */
  readonly endpoint: string;
  /** Errors in the file, its endpoint or its rows. Its cases were not run then. */
  readonly problems: readonly Problem[];
  readonly cases: readonly CaseResult[];
}

/** The results of a run. */
export interface TestRun {
  readonly files: readonly FileResult[];
  /** Errors in sources and in files of endpoints without tests. */
  readonly problems: readonly Problem[];
  readonly milliseconds: number;
  readonly coverage?: readonly EndpointCoverage[];
}

export interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly updated: number;
  /** Errors in files. */
  readonly errors: number;
}

export function totalsOf({ files, problems }: Pick<TestRun, 'files' | 'problems'>): Totals {
  const cases = files.flatMap((file) => file.cases);
  const count = (status: CaseStatus) => cases.filter((each) => each.status === status).length;
  const errors = problems.length + files.flatMap((file) => file.problems).length;
  return {
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    updated: count('updated'),
    errors,
  };
}
