import path from 'node:path';
import { engineOf } from '../../app/engines/registry.ts';
import { UsageError } from '../../base/errors/command-error.ts';
import type { Problem } from '../../base/errors/problem.ts';
import { systemClock } from '../../base/system/clock.ts';
import { exists } from '../../base/system/exists.ts';
import { plainLog } from '../../base/terminal/log.ts';
import type { Output } from '../../base/terminal/output.ts';
import type { LocalPlanner } from '../../calls/planner/local-planner.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import { endpointFileNames } from '../../definitions/endpoints/settings-comment.ts';
import type { Config } from '../../definitions/settings/config.ts';
import type { Source } from '../../definitions/sources/source.ts';
import { storeFileName } from '../../engines/duckdb/store/file/store-file-name.ts';
import { unstorableColumns } from '../../engines/duckdb/store/tables/source-table.ts';
import type { Analyzer } from '../../sql/analyzer/analyzer.ts';
import { projectFolder } from '../../tools/endpoint-tests/test-paths.ts';
import { openCommandStore } from '../engine/command-store.ts';
import { readMoment } from '../options/option-values.ts';
import { CaseStore } from '../test/case-store.ts';
import { defaultNow } from '../test/default-now.ts';
import { type CallsEnvironment, dataName, type Version } from './compare-calls.ts';
import type { DiffOptions } from './diff-options.ts';
import { VersionRunner } from './version-runner.ts';

interface VersionFiles {
  readonly sources: readonly Source[];
  readonly endpoints: readonly Endpoint[];
  readonly problems: readonly Problem[];
}

interface OpeningRows {
  readonly planner: LocalPlanner;
  readonly analyzer: Analyzer;
  readonly before: VersionFiles;
  readonly after: VersionFiles;
  readonly options: Pick<DiffOptions, 'rows' | 'now'>;
  /** What is said of rows that can't be used is added. */
  readonly notes: string[];
  readonly output: Output;
  readonly signal: AbortSignal;
}

/** What calls are run with. Disposing it closes the stores. */
interface OpenedRows extends AsyncDisposable {
  /** Undefined if nothing is to be run. */
  readonly environment: Omit<CallsEnvironment, 'recorded'> | undefined;
}

/**
 * Opens the rows on which both versions are run.
 *
 * @throws UsageError for wrong options; StoreError if the store can't be opened
 */
export async function openRows(config: Config, opening: OpeningRows): Promise<OpenedRows> {
  const { planner, before, after, options, output, signal } = opening;
  const { elsewhere, checkPlan } = engineOf(config);
  // Queries on BigQuery cost money: they are run only if that is asked for.
  const rows = options.rows ?? (elsewhere === undefined ? 'all' : 'tests');
  const moment = readMoment('--now', options.now, systemClock.now());
  const isOnData = rows === 'data' || rows === 'all';
  if (moment !== undefined && elsewhere !== undefined && isOnData)
    throw new UsageError(elsewhere.clockRefusal);
  const stack = new AsyncDisposableStack();
  const dispose = () => stack.disposeAsync();
  if (rows === 'none') return { environment: undefined, [Symbol.asyncDispose]: dispose };
  try {
    const project = await projectFolder(config.endpointsDir).catch(() => '');
    const sqlNames = new Set(await endpointFileNames(config.endpointsDir).catch(() => []));
    const versionOf = async ({ sources }: VersionFiles): Promise<Version> => {
      const storable = sources.filter((source) => unstorableColumns(source).length === 0);
      return {
        runner: new VersionRunner({ planner, checkPlan, sources, timeoutMs: config.requestTimeoutMs }),
        tests: { sources, endpoints: after.endpoints, sqlNames, ofFile: new Map(), hasRows: true, project },
        cases: stack.use(await CaseStore.open(storable)),
      };
    };
    const [old, now] = [await versionOf(before), await versionOf(after)];
    const log = { ...plainLog(output.err), warn() {} };
    const connected =
      elsewhere === undefined ? undefined : stack.use(await elsewhere.connect(config, planner, log));
    const data = !isOnData
      ? undefined
      : connected !== undefined
        ? { engine: connected.engine, name: `the rows in ${elsewhere?.place ?? ''}` }
        : await storedRows(config, opening, rows === 'data', stack, moment?.micros);
    return {
      environment: {
        ...{ before: old, after: now, hasTests: rows === 'tests' || rows === 'all', data, signal },
        dryRun: connected?.dryRun,
        now: moment?.micros ?? defaultNow,
      },
      [Symbol.asyncDispose]: dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** The rows of the store. Undefined, with a note, if there are none or a gateway has them. */
async function storedRows(
  config: Config,
  { after, notes, output }: OpeningRows,
  isAsked: boolean,
  stack: AsyncDisposableStack,
  now: bigint | undefined,
): Promise<CallsEnvironment['data']> {
  if (!(await exists(path.join(config.dataDir, storeFileName)))) {
    if (isAsked) throw new UsageError(`--rows data: there is no store in DATA_DIR (${config.dataDir})`);
    notes.push(`no rows in DATA_DIR (${config.dataDir}): both versions were run on those of tests only`);
    return undefined;
  }
  const found = await openCommandStore(config, after.sources, {
    log: { ...plainLog(output.err), warn() {} },
    ...(now !== undefined && { now: () => now }),
  });
  if ('server' in found) {
    const { url } = found.server;
    if (isAsked)
      throw new UsageError(`--rows data: the gateway at ${url} is using the store. Stop it first.`);
    notes.push(`the gateway at ${url} is using the store: both versions were run on the rows of tests only`);
    return undefined;
  }
  stack.defer(() => found.store.close());
  return { engine: found.store.engine, name: dataName(config.dataDir) };
}
