import { hostname } from 'node:os';
import { engineOf, isStored, readConfig } from '../../app/engines/registry.ts';
import { CommandError, readableError, UsageError } from '../../base/errors/command-error.ts';
import { systemClock } from '../../base/system/clock.ts';
import { UnfitFile } from '../../base/system/read-written-file.ts';
import { shownFile } from '../../base/system/shown-file.ts';
import { writeOutputFile } from '../../base/system/write-output-file.ts';
import { plainLog } from '../../base/terminal/log.ts';
import type { Output } from '../../base/terminal/output.ts';
import { noPaint, terminalPaint } from '../../base/terminal/paint.ts';
import { visibleText } from '../../base/terminal/visible-text.ts';
import { LocalPlanner } from '../../calls/planner/local-planner.ts';
import { adHocQueries } from '../../calls/sandbox/ad-hoc-query.ts';
import { adHocSql } from '../../calls/sandbox/ad-hoc-sql.ts';
import { type Config, defaultEngine } from '../../definitions/settings/config.ts';
import { Analyzer } from '../../sql/analyzer/analyzer.ts';
import { analyzerSettings } from '../../sql/analyzer/settings.ts';
import { regexpMistake } from '../../sql/regexp/parse.ts';
import {
  coverageOf,
  coveredPercent,
  type EndpointCoverage,
} from '../../tools/endpoint-tests/coverage/coverage.ts';
import { coverageLines, percentText } from '../../tools/endpoint-tests/report/coverage-report.ts';
import { endLines, fileLines } from '../../tools/endpoint-tests/report/default-report.ts';
import { githubReport } from '../../tools/endpoint-tests/report/github-report.ts';
import { jsonReport } from '../../tools/endpoint-tests/report/json-report.ts';
import { junitReport } from '../../tools/endpoint-tests/report/junit-report.ts';
import { type FileResult, type TestRun, totalsOf } from '../../tools/endpoint-tests/report/result.ts';
import { readMoment } from '../options/option-values.ts';
import { exitCodes } from '../output/exit-codes.ts';
import { defaultNow } from './default-now.ts';
import { DuckDbWorker } from './duckdb-worker.ts';
import { type EndpointTests, type LoadedTests, loadTests, testFileNames } from './load-tests.ts';
import type { TestOptions } from './options.ts';
import { caseFilter } from './options.ts';
import { ConstantsWorker, DryRunWorker } from './remote-workers.ts';
import { runTests } from './run-tests.ts';
import { updateFile } from './update-file.ts';
import { watchTests } from './watch-tests.ts';

/** Where a run is reported. */
interface Terminal extends Output {
  readonly hasColours: boolean;
}

interface Surroundings {
  /** Aborting it ends the run. */
  readonly signal: AbortSignal;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** An analyzer to use, which stays open. By default, one is started for the run. */
  readonly analyzer?: Analyzer;
}

/**
 * Runs the tests of endpoints.
 *
 * @param wanted the names, ids or files of endpoints; all that have tests if empty
 * @returns the exit code: a failure for failed cases, errors in files, too little coverage or no tests at all
 * @throws UsageError for wrong options and unknown endpoints; the signal's reason
 */
export async function testCommand(
  configured: Config,
  terminal: Terminal,
  wanted: readonly string[],
  options: TestOptions,
  { signal, environment, analyzer: given }: Surroundings,
): Promise<number> {
  const { err } = terminal;
  const wrong = wrongUse(options);
  if (wrong !== undefined) throw new UsageError(wrong);
  const now = readMoment('--now', options.now, systemClock.now())?.micros ?? defaultNow;
  const config = configFor(options.engine ?? defaultEngine, configured, environment);
  if ((await testFileNames(config.endpointsDir)).length === 0) {
    const folder = shownFile(config.endpointsDir);
    err(
      `No tests: there is no <endpoint>.test.yaml beside the endpoints in ${folder}. docs/testing.md shows one.\n`,
    );
    return exitCodes.failure;
  }
  const analyzer = given ?? (await Analyzer.start(analyzerSettings(config)));
  try {
    const planner = new LocalPlanner(analyzer);
    const load = () => loadTests(config, planner, { endpoints: wanted, hasRows: options.dryRun !== true });
    const loaded = await load();
    if (loaded.unknown.length > 0) throw new UsageError(loaded.unknown.map(visibleText).join('\n'));
    for (const text of loaded.untested) err(`${visibleText(text)}\n`);
    const run = (all: LoadedTests, tests: readonly EndpointTests[]) =>
      runOnce(config, terminal, { all, tests, planner, analyzer, options, now, signal, environment });
    if (options.watch === true) {
      await watchTests({ loaded, load, run, terminal, clock: systemClock, signal });
      return exitCodes.success;
    }
    const isGood = (await run(loaded, loaded.tests)) && loaded.untested.length === 0;
    return isGood ? exitCodes.success : exitCodes.failure;
  } finally {
    if (given === undefined) await analyzer.close();
  }
}

/**
 * The settings for an engine, which may require others than the configured one.
 *
 * @throws ConfigError
 */
function configFor(
  engine: Config['engine'],
  given: Config,
  environment: Surroundings['environment'],
): Config {
  if (engine === given.engine) return given;
  return isStored({ engine }) ? { ...given, engine } : readConfig({ ...environment, ENGINE: engine });
}

function wrongUse({
  filter,
  engine = defaultEngine,
  dryRun,
  update,
  coverage,
  minCoverage,
  output,
  json,
  reporter,
}: TestOptions): string | undefined {
  try {
    caseFilter(filter);
  } catch (error) {
    return `--filter ${filter}: ${error instanceof Error ? error.message : error}`;
  }
  const { dryRunRefusal } = engineOf({ engine });
  if (dryRun === true && dryRunRefusal !== undefined) return dryRunRefusal;
  if (dryRun === true && update === true) return '--update: not with --dry-run, which runs nothing';
  const ofCoverage =
    coverage === true ? '--coverage' : minCoverage === undefined ? undefined : '--min-coverage';
  if (!isStored({ engine }) && ofCoverage !== undefined)
    return `${ofCoverage}: only with the embedded engine, which knows the branches that a query takes`;
  if (output !== undefined && json !== true && (reporter ?? 'default') === 'default')
    return '--output: choose the format of the file by --reporter';
  return undefined;
}

interface RunParts extends Required<Surroundings> {
  readonly all: LoadedTests;
  readonly tests: readonly EndpointTests[];
  readonly planner: LocalPlanner;
  readonly options: TestOptions;
  /** What the clock shows to cases that don't say it, in microseconds since the epoch. */
  readonly now: bigint;
}

/** Runs tests and reports them. Returns whether everything is as it should be. */
async function runOnce(
  config: Config,
  terminal: Terminal,
  { all, tests, planner, analyzer, options, now, signal, environment }: RunParts,
): Promise<boolean> {
  const { quiet = false, minCoverage, output: file } = options;
  const reporter = options.json === true ? 'json' : (options.reporter ?? 'default');
  const withCoverage = options.coverage === true || minCoverage !== undefined;
  const paint = terminal.hasColours ? terminalPaint : noPaint;
  const isShown = file !== undefined || reporter === 'default';
  const print = (lines: readonly string[]) => {
    if (isShown) terminal.out(lines.map((line) => `${line}\n`).join(''));
  };
  const [startedAt, started] = [systemClock.now(), systemClock.elapsed()];
  const checkPlan = engineOf(config).checkPlan;
  const { catalog, sources } = all;
  const sql = adHocSql({
    planText: (text, ended) => planner.planAdHocQuery(text, ended),
    catalog,
    checkPlan,
  });
  const isWanted = caseFilter(options.filter);
  const onFile = async (result: FileResult, each: EndpointTests) => {
    const updated = options.update === true ? await updateFile(each, result) : result;
    print(fileLines(updated, { paint, quiet }));
    return updated;
  };
  const shared = {
    queries: adHocQueries({ queries: sql, regexpMistake }),
    timeoutMs: config.requestTimeoutMs,
  };
  const log = { ...plainLog(terminal.err), warn() {} };
  await using connected = await engineOf(config).elsewhere?.connect(config, planner, log);
  const results = await runTests(tests, {
    openWorker: async () => {
      const onRows = { ...shared, sources, now };
      if (connected === undefined) return DuckDbWorker.open(onRows);
      const { dryRun, overRows } = connected;
      if (options.dryRun === true && dryRun !== undefined) return new DryRunWorker({ ...shared, dryRun });
      if (options.dryRun !== true && overRows !== undefined)
        return ConstantsWorker.open({ ...onRows, overRows, analyzer });
      throw new UsageError(`--engine ${config.engine}: this engine can't run the tests of endpoints`);
    },
    ...{ clock: systemClock, isWanted, withCoverage, signal, onFile },
  });
  // Endpoints without tests are not covered at all.
  const coverage = [...results.coverage, ...all.withoutTests.map((endpoint) => coverageOf(endpoint, []))];
  const run: TestRun = {
    files: results.files,
    problems: all.problems,
    milliseconds: systemClock.elapsed() - started,
    ...(withCoverage && { coverage }),
  };
  print(endLines(run, { paint, quiet }));
  if (run.coverage !== undefined && !quiet) print(['', ...coverageLines(run.coverage, paint)]);
  const report = {
    default: () => '',
    github: () => githubReport(run, environment.GITHUB_WORKSPACE),
    json: () => jsonReport(run),
    junit: () => junitReport(run, { startedAt, hostname: hostname() }),
  }[reporter]();
  if (file !== undefined) await writeReport(file, report);
  else terminal.out(report);
  if (environment.GITHUB_ACTIONS === 'true' && isShown && reporter !== 'github')
    terminal.out(githubReport(run, environment.GITHUB_WORKSPACE));
  return isFine(run, options, coverage, terminal);
}

/** @throws CommandError if the file can't be written */
async function writeReport(file: string, text: string): Promise<void> {
  try {
    await writeOutputFile(file, text);
  } catch (error) {
    if (error instanceof UnfitFile)
      throw new CommandError(`--output ${file}: the file can't be written (${error.message})`);
    throw readableError(error);
  }
}

function isFine(
  run: TestRun,
  { minCoverage, filter }: TestOptions,
  coverage: readonly EndpointCoverage[],
  { err }: Output,
): boolean {
  const { passed, failed, updated, skipped, errors } = totalsOf(run);
  if (filter !== undefined && passed + failed + updated + skipped + errors === 0) {
    err(`--filter ${filter}: no case has such a name\n`);
    return false;
  }
  const percent = coveredPercent(coverage);
  const isCovered = minCoverage === undefined || percent >= minCoverage;
  if (!isCovered) err(`Coverage is ${percentText(percent)}, less than ${minCoverage} %\n`);
  return failed === 0 && errors === 0 && isCovered;
}
