import path from 'node:path';
import type { ConnectedEngine } from '../../app/engines/engine/engine-definition.ts';
import { formatProblem } from '../../base/errors/problem.ts';
import { exists } from '../../base/system/exists.ts';
import { shownFile } from '../../base/system/shown-file.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import type { Engine } from '../../engines/engine/engine.ts';
import { resultRows } from '../../sql/comparison/key-columns.ts';
import { statementOf, withOwnTree } from '../../sql/plan/plan.ts';
import type { CallComparison, ComparedCalls } from '../../tools/endpoint-diff/rows/call-comparison.ts';
import { areEqualRows, compareRows } from '../../tools/endpoint-diff/rows/compare-rows.ts';
import type { RecordedCall } from '../../tools/endpoint-diff/rows/recorded-calls.ts';
import { isError } from '../../tools/endpoint-tests/compare/judge.ts';
import { testFileOf } from '../../tools/endpoint-tests/test-paths.ts';
import type { CaseStore } from '../test/case-store.ts';
import { loadTest, type TestContext } from '../test/load-tests.ts';
import { exampleCall, type OriginCall, recordedCallsOf, testCalls } from './calls-to-compare.ts';
import type { VersionAnswer, VersionRunner } from './version-runner.ts';

/** What a version of the files is run with. */
export interface Version {
  readonly runner: VersionRunner;
  /** What loading its tests requires. The tests are those of now. */
  readonly tests: TestContext;
  /** The rows of a test at a time. */
  readonly cases: CaseStore;
}

/** Where rows of data come from. */
export interface DataRows {
  readonly engine: Engine;
  /** Such as `the rows in ./data`. */
  readonly name: string;
}

export interface CallsEnvironment {
  readonly before: Version;
  readonly after: Version;
  /** Whether tests are run on their rows. */
  readonly hasTests: boolean;
  readonly data: DataRows | undefined;
  readonly dryRun: ConnectedEngine['dryRun'] | undefined;
  readonly recorded: { readonly file: string; readonly calls: readonly RecordedCall[] } | undefined;
  /** What the clock of tests shows that don't say it, in microseconds since the epoch. */
  readonly now: bigint;
  readonly signal: AbortSignal;
}

/** Both versions of an endpoint. */
interface BothVersions {
  readonly before: Endpoint;
  readonly after: Endpoint;
  /** The names of columns before, by those that they have now. */
  readonly formerNames: ReadonlyMap<string, string>;
}

/** Calls both versions of an endpoint, and compares their answers. */
export async function compareCalls(
  both: BothVersions,
  environment: CallsEnvironment,
): Promise<ComparedCalls> {
  const { before, after, data, dryRun, recorded, hasTests, signal } = environment;
  const notes: string[] = [];
  const calls: CallComparison[] = [];
  const file = testFileOf(path.resolve(both.after.file));
  const tests = (await exists(file))
    ? await loadTest(file, { ...after.tests, hasRows: hasTests })
    : undefined;
  const pair = answersOf(both);
  if (hasTests && tests !== undefined) {
    for (const problem of tests.problems) notes.push(`tests not run: ${formatProblem(problem)}`);
    const earlier = await loadTest(file, { ...before.tests, hasRows: true });
    if (tests.problems.length === 0)
      for (const problem of earlier.problems)
        notes.push(`tests not run: their rows don't fit the sources before (${formatProblem(problem)})`);
    for (const [index, { test, rows }] of tests.cases.entries()) {
      const old = earlier.cases[index];
      if (test.skip !== undefined || old === undefined) continue;
      const now = test.now ?? environment.now;
      await before.cases.use(old.rows, now);
      await after.cases.use(rows, now);
      const call = { ...test, origin: `test "${test.name}"` };
      calls.push(
        pair(
          call,
          'the rows of the test',
          await before.runner.answer(before.cases.engine, both.before, call, signal),
          await after.runner.answer(after.cases.engine, both.after, call, signal),
        ),
      );
    }
  }
  const example = exampleCall(both.after);
  if (example === undefined && (data !== undefined || dryRun !== undefined))
    notes.push('no call with the examples: a required parameter has none');
  const replayed = recorded && recordedCallsOf(both.after, recorded.calls, recorded.file);
  if (replayed !== undefined) notes.push(...replayed.notes);
  if (data !== undefined) {
    const all = [
      ...(example ? [example] : []),
      ...testCalls(tests?.file.cases ?? []),
      ...(replayed?.calls ?? []),
    ];
    for (const call of all)
      calls.push(
        pair(
          call,
          data.name,
          await before.runner.answer(data.engine, both.before, call, signal),
          await after.runner.answer(data.engine, both.after, call, signal),
        ),
      );
  } else if (replayed !== undefined && replayed.calls.length > 0)
    notes.push('recorded calls not run: there are no rows to run them on');
  const asked = dryRun !== undefined && example !== undefined;
  const bytes = asked && {
    before: await before.runner.bytes(dryRun, both.before, example, signal),
    after: await after.runner.bytes(dryRun, both.after, example, signal),
  };
  return { calls, notes, ...(bytes && { bytes }) };
}

/** Compares the answers of two versions. */
function answersOf({ before, after, formerNames }: BothVersions) {
  const [old, now] = [before, after].map(({ plan }) => resultRows(statementOf(withOwnTree(plan))));
  const isOrdered = old?.isOrdered === true && now?.isOrdered === true;
  const facts = { keys: now?.keys ?? [], isOrdered, formerNames };
  return (call: OriginCall, over: string, was: VersionAnswer, is: VersionAnswer): CallComparison => {
    const parameters = JSON.stringify(Object.fromEntries(call.parameters));
    const query =
      call.query === undefined ? '' : ` ${call.query.language} ${JSON.stringify(call.query.text)}`;
    const facets = {
      origin: call.origin,
      over,
      parameters: `${parameters}${query}`,
      before: was.side,
      after: is.side,
    };
    if (isError(was.outcome) || isError(is.outcome))
      return { ...facets, isSame: was.side.error === is.side.error };
    const rows = compareRows(
      was.outcome,
      is.outcome,
      call.query === undefined ? facts : { ...facts, keys: [] },
    );
    const hasSameColumns = was.outcome.columns.join('\n') === is.outcome.columns.join('\n');
    const isCutAlike = was.side.isTruncated === is.side.isTruncated;
    return { ...facets, rows, isSame: areEqualRows(rows) && hasSameColumns && isCutAlike };
  };
}

/** The name of a folder of rows. */
export function dataName(dataDir: string): string {
  return `the rows in ${shownFile(dataDir)}`;
}
