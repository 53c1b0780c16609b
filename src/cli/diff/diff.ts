import { engineOf } from '../../app/engines/registry.ts';
import { checkEndpoints, checkSources, engineRefusals } from '../../app/schema/load-schema.ts';
import { CommandError, UsageError } from '../../base/errors/command-error.ts';
import { compareProblems, type Problem } from '../../base/errors/problem.ts';
import type { FolderFiles } from '../../base/system/folder-files.ts';
import { limitHeapGrowth } from '../../base/system/heap-growth.ts';
import { fileFailure, isFileFailure, readWrittenFile } from '../../base/system/read-written-file.ts';
import { shownFile } from '../../base/system/shown-file.ts';
import type { Output } from '../../base/terminal/output.ts';
import { LocalPlanner } from '../../calls/planner/local-planner.ts';
import type { Endpoint, EndpointPlaces } from '../../definitions/endpoints/endpoint.ts';
import type { DeclaredEndpoint } from '../../definitions/endpoints/load-endpoints.ts';
import type { Config } from '../../definitions/settings/config.ts';
import type { Source } from '../../definitions/sources/source.ts';
import {
  type ContractChange,
  contractChanges,
  parseContract,
  printContract,
} from '../../server/graphql/contract.ts';
import { buildSchema } from '../../server/graphql/schema/build-schema.ts';
import { buildShape } from '../../server/graphql/shape/build-shape.ts';
import { Analyzer } from '../../sql/analyzer/analyzer.ts';
import { analyzerSettings } from '../../sql/analyzer/settings.ts';
import { compareEndpoints, pairEndpoints } from '../../tools/endpoint-diff/changes/compare-endpoints.ts';
import {
  canDiffer,
  type DiffReport,
  type ReportedEndpoint,
} from '../../tools/endpoint-diff/report/diff-report.ts';
import { jsonReport } from '../../tools/endpoint-diff/report/json-report.ts';
import { markdownReport } from '../../tools/endpoint-diff/report/markdown-report.ts';
import { problemLines, textReport } from '../../tools/endpoint-diff/report/text-report.ts';
import { readRecordedCalls } from '../../tools/endpoint-diff/rows/recorded-calls.ts';
import { interruptible } from '../engine/interruptible.ts';
import { findEndpoint } from '../options/find-named.ts';
import { exitCodes } from '../output/exit-codes.ts';
import { compareCalls } from './compare-calls.ts';
import type { DiffOptions } from './diff-options.ts';
import { findEarlierFiles } from './earlier-files.ts';
import { openRows } from './open-rows.ts';

/** The files of one version, as loaded. */
interface LoadedVersion {
  readonly sources: readonly Source[];
  readonly endpoints: readonly Endpoint[];
  readonly declared: readonly DeclaredEndpoint[];
  readonly places: EndpointPlaces;
  readonly problems: readonly Problem[];
}

/**
 * Compares the endpoints of now with earlier ones: what changed in words, whether answers can differ, and in which rows they do.
 *
 * @param from a git revision, or a folder
 * @param wanted the names or ids of endpoints; all if empty
 * @returns the exit code: 0 if no answer can differ, 3 if one can, 1 for errors in the files of now
 * @throws UsageError for an unknown revision, folder or endpoint; CommandError if there is no git repository; StoreError
 */
export function diffCommand(
  config: Config,
  output: Output,
  from: string,
  wanted: readonly string[],
  options: DiffOptions,
): Promise<number> {
  // As for `check`: projects may have thousands of files.
  limitHeapGrowth(20);
  return interruptible(async (signal) => {
    const shown = rowCount(options.show);
    const earlier = await findEarlierFiles(config, from);
    const recorded = options.replay === undefined ? undefined : await readReplay(options.replay);
    const analyzer = await Analyzer.start(analyzerSettings(config));
    try {
      const planner = new LocalPlanner(analyzer);
      const before = await load(earlier.config, planner, earlier.files);
      const after = await load(config, planner);
      const ofBoth = { before: before.sources, after: after.sources };
      const pairs = pairEndpoints(before.endpoints, after.endpoints);
      const chosen = chosenNames(wanted, [...before.endpoints, ...after.endpoints]);
      const notes: string[] = [];
      const isEmpty = before.declared.length === 0 && before.endpoints.length === 0;
      if (isEmpty) notes.push(`${from} has no endpoints: all are new`);
      const emptyFolder = shownFile(earlier.config.endpointsDir);
      const ofBefore = before.problems.filter(({ file }) => !isEmpty || file !== emptyFolder);
      if (recorded !== undefined && recorded.otherLines > 0)
        notes.push(`${recorded.otherLines} lines of ${recorded.file} are not records of calls`);
      await using opened = await openRows(config, {
        planner,
        analyzer,
        before,
        after,
        options,
        notes,
        output,
        signal,
      });
      const endpoints: ReportedEndpoint[] = [];
      for (const pair of pairs) {
        if (chosen !== undefined && !chosen.has(pair)) continue;
        // An endpoint whose other version has errors is neither new nor removed.
        if (isHidden(pair.before, after) || isHidden(pair.after, before)) continue;
        const comparison = compareEndpoints(pair, ofBoth);
        const run = comparison.state === 'changed' ? opened.environment : undefined;
        const compared =
          run !== undefined && pair.before !== undefined && pair.after !== undefined
            ? await compareCalls(
                { before: pair.before, after: pair.after, formerNames: comparison.formerColumns },
                { ...run, recorded },
              )
            : undefined;
        endpoints.push({ ...comparison, ...(compared && { compared }) });
        signal.throwIfAborted();
      }
      const contract = contractOf(before, after);
      const report: DiffReport = {
        ...{ from, endpoints, notes },
        problems: { before: ofBefore.map(earlier.placed), after: after.problems },
        ...(contract && { contract }),
      };
      print(report, options, shown, output);
      if (after.problems.length > 0) return exitCodes.failure;
      return canDiffer(report) ? exitCodes.differences : exitCodes.success;
    } finally {
      await analyzer.close();
    }
  });
}

async function load(config: Config, planner: LocalPlanner, files?: FolderFiles): Promise<LoadedVersion> {
  const { sources, problems: ofSources } = await checkSources(config, files);
  const { checkPlan } = engineOf(config);
  const loaded = await checkEndpoints(config, planner, sources, checkPlan, { ...(files && { files }) });
  const { endpoints, declared, places, refusals } = loaded;
  const problems = [...ofSources, ...loaded.problems, ...engineRefusals(config, refusals)].sort(
    compareProblems,
  );
  return { sources, endpoints, declared, places, problems };
}

/** Whether a version declares the endpoint, and has errors in it. */
function isHidden(endpoint: Endpoint | undefined, { endpoints, declared }: LoadedVersion): boolean {
  if (endpoint === undefined) return false;
  const isSame = ({ id, name }: DeclaredEndpoint) => id === endpoint.id || name === endpoint.name;
  return !endpoints.some(isSame) && declared.some(isSame);
}

/** @throws UsageError for an unknown endpoint */
function chosenNames(wanted: readonly string[], all: readonly Endpoint[]) {
  if (wanted.length === 0) return undefined;
  const ids = new Set(wanted.map((name) => findEndpoint(all, name, name).id));
  const has = ({ before, after }: ReturnType<typeof pairEndpoints>[number]) =>
    [before, after].some((endpoint) => endpoint !== undefined && ids.has(endpoint.id));
  return { has };
}

/** What clients of GraphQL may notice. Undefined if a schema can't be built, because of errors in files. */
function contractOf(before: LoadedVersion, after: LoadedVersion): ContractChange[] | undefined {
  if (before.problems.length > 0 || after.problems.length > 0) return undefined;
  const [old, now] = [before, after].map(({ endpoints, places, sources }) =>
    buildShape(endpoints, places, sources),
  );
  if (old === undefined || now === undefined || old.problems.length > 0 || now.problems.length > 0)
    return undefined;
  // As `check --against` reads it, which has other built-in types than a schema that is built in code.
  return contractChanges(parseContract(printContract(buildSchema(old.shape))), buildSchema(now.shape));
}

/** @throws CommandError if the file can't be read */
async function readReplay(file: string) {
  try {
    return { file, ...readRecordedCalls((await readWrittenFile(file, maxReplayBytes)).toString()) };
  } catch (error) {
    if (!isFileFailure(error)) throw error;
    throw new CommandError(`--replay ${file}: the file can't be read (${fileFailure(error)})`);
  }
}

/** A longer log has to be cut before. */
const maxReplayBytes = 256_000_000;

/** @throws UsageError */
function rowCount(text = '10'): number {
  if (!/^\d{1,4}$/.test(text)) throw new UsageError(`--show ${text}: expected a whole number from 0 to 9999`);
  return Number(text);
}

function print(
  report: DiffReport,
  { format, json }: DiffOptions,
  maxRows: number,
  { out, err }: Output,
): void {
  const form = json === true ? 'json' : format;
  if (form === 'json') {
    out(jsonReport(report, maxRows));
    return;
  }
  err(problemLines(report));
  out(form === 'markdown' ? markdownReport(report, maxRows) : textReport(report, maxRows));
}
