import { availableParallelism } from 'node:os';
import type { Clock } from '../../base/system/clock.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import type { TestCase } from '../../tools/endpoint-tests/cases/test-file.ts';
import {
  type CoveredCall,
  coverageOf,
  type EndpointCoverage,
} from '../../tools/endpoint-tests/coverage/coverage.ts';
import type { CaseResult, FileResult } from '../../tools/endpoint-tests/report/result.ts';
import type { CaseVerdict } from './case-outcome.ts';
import { haveSameRows } from './case-store.ts';
import type { EndpointTests, ReadyCase } from './load-tests.ts';

/** Runs cases, one at a time. */
export interface CaseWorker {
  /** @throws the signal's reason; errors that are defects */
  run(
    endpoint: Endpoint,
    ready: ReadyCase,
    options: { readonly withCoverage: boolean; readonly signal: AbortSignal },
  ): Promise<CaseVerdict>;
  close(): Promise<void>;
}

export interface RunOptions {
  readonly openWorker: () => Promise<CaseWorker>;
  readonly clock: Pick<Clock, 'elapsed'>;
  readonly isWanted: (test: TestCase) => boolean;
  readonly withCoverage: boolean;
  readonly signal: AbortSignal;
  /** Called for each file, in order, once its cases have been run. Returns the result to go on with. */
  readonly onFile: (result: FileResult, tests: EndpointTests) => FileResult | Promise<FileResult>;
}

export interface TestResults {
  readonly files: readonly FileResult[];
  readonly coverage: readonly EndpointCoverage[];
}

/** More databases take more memory than they save time. */
const maxWorkers = 4;

/** Opening a database takes as long as running some ten cases. */
const casesPerWorker = 10;

/** A case to run, and what follows from it. */
interface Job {
  readonly endpoint: Endpoint;
  readonly ready: ReadyCase;
  readonly done: (answer: { readonly result: CaseResult; readonly call: CoveredCall | undefined }) => void;
}

/**
 * Runs the cases of test files, several at a time. Cases with the same rows run one after the other on the same database.
 *
 * @throws the signal's reason
 */
export async function runTests(tests: readonly EndpointTests[], options: RunOptions): Promise<TestResults> {
  const { isWanted, onFile } = options;
  const groups: Job[][] = [];
  const pending = tests.map(async (each) => {
    const { file, endpoint, problems, cases } = each;
    const calls: CoveredCall[] = [];
    const wanted = cases.filter(({ test }) => isWanted(test));
    const results = await Promise.all(
      wanted.map(({ test, rows }) => {
        if (test.skip !== undefined) return skipped(test, test.skip);
        if (endpoint === undefined) return skipped(test, 'the endpoint has errors');
        return new Promise<CaseResult>((resolve) => {
          const done: Job['done'] = ({ result, call }) => {
            if (call !== undefined) calls.push(call);
            resolve(result);
          };
          const job = { endpoint, ready: { test, rows }, done };
          const group = groups.find(([first]) => first !== undefined && haveSameRows(first.ready.rows, rows));
          if (group === undefined) groups.push([job]);
          else group.push(job);
        });
      }),
    );
    const result: FileResult = {
      file: file.file,
      endpoint: endpoint?.name ?? file.file,
      problems,
      cases: results,
    };
    const coverage = endpoint && problems.length === 0 ? coverageOf(endpoint, calls) : undefined;
    return { each, result, coverage };
  });
  const ordered = inOrder(pending, async ({ each, result, coverage }) => ({
    coverage,
    result: await onFile(result, each),
  }));
  const queue = parts(groups);
  const cases = groups.reduce((sum, group) => sum + group.length, 0);
  const count = Math.min(maxWorkers, availableParallelism(), queue.length, Math.ceil(cases / casesPerWorker));
  const workers = Array.from({ length: count }, () =>
    work(queue, options).catch((error: unknown) => {
      // The others end after their present group.
      queue.length = 0;
      throw error;
    }),
  );
  for (const worker of await Promise.allSettled(workers))
    if (worker.status === 'rejected') throw worker.reason;
  const files = await ordered;
  return {
    files: files.map(({ result }) => result),
    coverage: files.flatMap(({ coverage }) => coverage ?? []),
  };
}

/** Long groups are divided, so that no worker is left with one alone. */
const longGroup = 20;

function parts(groups: readonly (readonly Job[])[]): Job[][] {
  return groups.flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / longGroup) }, (_, index) =>
      group.slice(index * longGroup, (index + 1) * longGroup),
    ),
  );
}

async function inOrder<T, U>(pending: readonly Promise<T>[], each: (value: T) => Promise<U>): Promise<U[]> {
  const values: U[] = [];
  for (const value of pending) values.push(await each(await value));
  return values;
}

async function work(queue: Job[][], { openWorker, ...options }: RunOptions): Promise<void> {
  let group = queue.shift();
  if (group === undefined) return;
  const worker = await openWorker();
  try {
    for (; group !== undefined; group = queue.shift()) {
      for (const job of group) {
        options.signal.throwIfAborted();
        job.done(await runCase(worker, job, options));
      }
    }
  } finally {
    await worker.close();
  }
}

async function runCase(
  worker: CaseWorker,
  { endpoint, ready }: Job,
  { clock, ...options }: Omit<RunOptions, 'openWorker'>,
): Promise<Parameters<Job['done']>[0]> {
  const { name, index, place } = ready.test;
  const started = clock.elapsed();
  const finished = ({ failures, skipped, rows }: CaseVerdict): CaseResult => ({
    ...{ name, index, place, failures },
    status: failures.length > 0 ? 'failed' : skipped === undefined ? 'passed' : 'skipped',
    ...(skipped !== undefined && { reason: skipped }),
    ...(rows !== undefined && { rows }),
    milliseconds: clock.elapsed() - started,
  });
  try {
    const verdict = await worker.run(endpoint, ready, options);
    return { result: finished(verdict), call: verdict.call };
  } catch (error) {
    options.signal.throwIfAborted();
    const text = `the case could not be run: ${error instanceof Error ? (error.stack ?? error.message) : error}`;
    return { result: finished({ failures: [{ key: 'expect', text }] }), call: undefined };
  }
}

function skipped({ name, index, place }: TestCase, reason: string): CaseResult {
  return { name, index, place, status: 'skipped', milliseconds: 0, reason, failures: [] };
}
