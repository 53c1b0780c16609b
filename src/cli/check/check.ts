import type { GraphQLSchema } from 'graphql';
import { engineOf } from '../../app/engines/registry.ts';
import { checkEndpoints, checkSources, engineRefusals } from '../../app/schema/load-schema.ts';
import { compareProblems, formatProblem, type Problem } from '../../base/errors/problem.ts';
import { limitHeapGrowth } from '../../base/system/heap-growth.ts';
import { fileFailure, isFileFailure, readWrittenFile } from '../../base/system/read-written-file.ts';
import type { Output } from '../../base/terminal/output.ts';
import { visibleText } from '../../base/terminal/visible-text.ts';
import { counted } from '../../base/text/counted.ts';
import { LocalPlanner } from '../../calls/planner/local-planner.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import type { Config } from '../../definitions/settings/config.ts';
import { declaredSources } from '../../definitions/sources/own-sources.ts';
import type { Source } from '../../definitions/sources/source.ts';
import { type SliceFacts, sliceSentences } from '../../engines/engine/slice-facts.ts';
import {
  type ContractChange,
  ContractError,
  contractChanges,
  parseContract,
} from '../../server/graphql/contract.ts';
import { buildSchema } from '../../server/graphql/schema/build-schema.ts';
import { buildShape } from '../../server/graphql/shape/build-shape.ts';
import { Analyzer } from '../../sql/analyzer/analyzer.ts';
import { analyzerSettings } from '../../sql/analyzer/settings.ts';
import { pagingSentence } from '../../sql/plan/paging.ts';
import { withOwnTree } from '../../sql/plan/plan.ts';
import {
  columnLine,
  type DescribedColumn,
  type DescribedParameter,
  describeColumns,
  describeParameters,
  parameterLine,
} from '../output/describe-types.ts';
import { exitCodes } from '../output/exit-codes.ts';
import { checkBoards } from './boards.ts';
import { checkLock, type LockOptions, type LockReport, loadDeclared, lockChangeText } from './lock.ts';
import { unboundedWarnings } from './unbounded.ts';

interface CheckOptions extends LockOptions {
  /** A file with a previously printed GraphQL schema that must stay compatible. */
  readonly against?: string;
  /** Whether to check with the engine as well, without running anything. A text names the engine. */
  readonly engine?: boolean | Config['engine'];
  readonly json?: boolean;
  readonly quiet?: boolean;
  /** Whether to tell which aggregations are merged from slices. */
  readonly slices?: boolean;
  /** Whether to tell which results can be read in pages. */
  readonly pages?: boolean;
  /** Whether the store's rows fit the files as well. */
  readonly store?: boolean;
}

/**
 * Analyzes every endpoint against the sources, and every board against the endpoints, without any data. Prints the parameters and columns of each endpoint,
 * and every error as `file:LINE:COL: text`. Can compare the resulting GraphQL schema with an earlier one; breaking
 * changes are errors, too.
 *
 * @returns the exit code: 1 if there are errors
 */
export async function checkCommand(
  config: Config,
  output: Output,
  options: CheckOptions = {},
): Promise<number> {
  const { against, engine = false, json = false, quiet = false, store = false } = options;
  const { slices = false, pages = false } = options;
  // Projects may have thousands of files, which need no more memory than a few.
  limitHeapGrowth(20);
  const contract = against === undefined ? undefined : await readContract(against, output);
  if (against !== undefined && contract === undefined) return exitCodes.failure;
  const used = typeof engine === 'string' ? { ...config, engine } : config;
  const report = await check(used, output, contract, {
    ...{ isEngineAsked: engine !== false, slices, pages, isStoreAsked: store, lock: options },
  });
  printReport(report, { json, quiet, against }, output);
  return isGood(report) ? exitCodes.success : exitCodes.failure;
}

interface AskedChecks {
  readonly isEngineAsked: boolean;
  readonly slices: boolean;
  readonly pages: boolean;
  readonly isStoreAsked: boolean;
  readonly lock: LockOptions;
}

async function check(
  config: Config,
  output: Output,
  contract: GraphQLSchema | undefined,
  { isEngineAsked, slices, pages, isStoreAsked, lock: lockOptions }: AskedChecks,
): Promise<CheckReport> {
  const analyzer = await Analyzer.start(analyzerSettings(config));
  try {
    const planner = new LocalPlanner(analyzer);
    const { sources, problems: ofSources } = await checkSources(config);
    const loaded = await checkEndpoints(config, planner, sources, engineOf(config).checkPlan);
    const { endpoints, places, problems, refusals } = loaded;
    const { shape, problems: unspeakable } = buildShape(endpoints, places, sources);
    const asked = isEngineAsked
      ? await engineOf(config).checkFiles(config, { planner, sources, endpoints, places }, output)
      : undefined;
    const boards = await checkBoards(config, planner, { sources, loaded });
    const all = [
      ...ofSources,
      ...problems,
      ...engineRefusals(config, refusals),
      ...unspeakable,
      ...boards.problems,
      ...(asked?.problems ?? []),
      ...(isStoreAsked ? await storeProblems(config, withoutProblems(sources, ofSources)) : []),
    ].sort(compareProblems);
    const unbounded = all.length === 0 ? unboundedWarnings(endpoints, sources, places) : [];
    const warnings = [...loaded.warnings, ...unbounded];
    const factsOf = slices ? engineOf(config).slices : undefined;
    const checked = endpoints.map(async (endpoint) => ({
      ...checkedEndpoint(endpoint, asked?.bytes.get(endpoint.name)),
      ...(pages && { pages: checkedPages(endpoint) }),
      ...(factsOf && { slices: await factsOf(withOwnTree(endpoint.plan), sources, planner) }),
    }));
    const load = () => loadDeclared(config, planner, sources, loaded);
    const lock = all.length === 0 ? await checkLock(config, load, lockOptions) : undefined;
    return {
      endpoints: await Promise.all(checked),
      sources: checkedSources(declaredSources(sources)),
      boards: boards.names,
      problems: [...all, ...(lock?.problems ?? [])].sort(compareProblems),
      ...(lock && { lock: { file: lock.file, outcome: lock.outcome, changes: lock.changes } }),
      ...(warnings.length > 0 && { warnings }),
      ...(contract !== undefined &&
        all.length === 0 && { changes: contractChanges(contract, buildSchema(shape)) }),
    };
  } finally {
    await analyzer.close();
  }
}

function withoutProblems(sources: readonly Source[], problems: readonly Problem[]): readonly Source[] {
  const wrong = new Set(problems.map(({ file }) => file));
  return sources.filter(({ file }) => !wrong.has(file));
}

/** The sources whose stored rows don't fit their files, so that a gateway would start without them. */
async function storeProblems(config: Config, sources: readonly Source[]): Promise<Problem[]> {
  const { refuseWithoutStore } = await import('../engine/command-store.ts');
  refuseWithoutStore(config, 'check');
  const { storePlans } = await import('../sources/changes.ts');
  const { unavailableProblems } = await import('../../engines/duckdb/store/unavailable-problems.ts');
  return unavailableProblems(await storePlans(config, sources), sources, 'refusal');
}

/** Reads a previously printed schema. Returns undefined and writes to standard error if the file is not one. */
export async function readContract(
  file: string,
  { err }: Pick<Output, 'err'>,
): Promise<GraphQLSchema | undefined> {
  try {
    return parseContract((await readWrittenFile(file)).toString());
  } catch (error) {
    if (error instanceof ContractError) {
      err(`${formatProblem({ file, ...error.place, text: error.message })}\n`);
    } else if (isFileFailure(error)) {
      err(`--against ${file}: the file can't be read (${fileFailure(error)})\n`);
    } else {
      throw error;
    }
    return undefined;
  }
}

interface ReportForm {
  /** Whether to print the report as one JSON document. */
  readonly json: boolean;
  /** Whether to print only what is wrong. */
  readonly quiet: boolean;
  /** The file of the GraphQL schema to compare with. */
  readonly against: string | undefined;
}

/** Prints the endpoints to standard output, and what is wrong to standard error; or all of it as JSON. */
function printReport(report: CheckReport, { json, quiet, against }: ReportForm, { out, err }: Output): void {
  if (json) {
    out(`${JSON.stringify(report, null, 2)}\n`);
    return;
  }
  const say = quiet ? () => undefined : out;
  const { endpoints, sources, boards, problems, warnings = [], lock } = report;
  for (const endpoint of endpoints) say(`${describe(endpoint)}\n`);
  const read = endpoints.filter(({ bytesProcessed }) => bytesProcessed !== undefined);
  for (const { name, bytesProcessed = 0 } of read)
    say(`${visibleText(name)} would read ${counted(bytesProcessed, 'byte')}\n`);
  if (read.length > 0) say('\n');
  for (const problem of problems) err(`${formatProblem(problem)}\n`);
  for (const { text, ...place } of warnings)
    err(`${formatProblem({ ...place, text: `warning: ${text}` })}\n`);
  const counts = [counted(endpoints.length, 'endpoint'), counted(sources.length, 'source')];
  if (boards.length > 0) counts.push(counted(boards.length, 'board'));
  if (problems.length === 0) say(`${counts.join(', ')}: no errors\n`);
  else err(`${counted(problems.length, 'error')}\n`);
  if (lock !== undefined) printLock(lock, { out: say, err });
  if (against !== undefined) printChanges(report, against, { out: say, err });
}

/** Prints what was written to the lock file, or what would be. */
function printLock({ file, outcome, changes }: NonNullable<CheckReport['lock']>, { out, err }: Output): void {
  const texts = changes.map(lockChangeText);
  if (outcome === 'written') out(`${file}: wrote ${texts.join('; ') || 'its lines in their order'}\n`);
  else if (outcome === 'current') out(`${file}: up to date\n`);
  else if (texts.length > 0) err(`${file}: not written: ${visibleText(texts.join('; '))}\n`);
  if (outcome === 'blocked' && texts.length > 0)
    err('A breaking change needs a higher `version` of its endpoint, or `check --accept-breaking`.\n');
}

/** Prints the changes that clients may notice, one per line. */
function printChanges({ changes }: CheckReport, against: string, { out, err }: Output): void {
  if (changes === undefined) {
    err(`against ${against}: not compared, because there are errors\n`);
    return;
  }
  for (const { severity, text } of changes)
    err(`${severity === 'breaking' ? 'breaking' : 'warning'}: ${visibleText(text)}\n`);
  const breaking = changes.filter(({ severity }) => severity === 'breaking').length;
  if (breaking === 0) out(`against ${against}: no breaking changes\n`);
  else err(`against ${against}: ${counted(breaking, 'breaking change')}\n`);
}

function describe({ name, id, file, parameters, columns, pages = [], slices }: CheckedEndpoint): string {
  const details = [
    ...parameters.map(parameterLine),
    ...columns.map(columnLine),
    ...pages,
    ...(slices === undefined ? [] : sliceSentences(slices)),
  ];
  return `${visibleText(`${name}  ${id}  ${file}`)}\n${details.map((line) => `  ${visibleText(line)}\n`).join('')}`;
}

/** An endpoint that has no error of its own. */
interface CheckedEndpoint {
  readonly name: string;
  readonly id: string;
  readonly file: string;
  readonly description: string;
  readonly parameters: readonly DescribedParameter[];
  readonly columns: readonly DescribedColumn[];
  /** The tables that it reads, as queries name them: `logs.edge_logs`. */
  readonly tables: readonly string[];
  /** The bytes that BigQuery would read. Absent if it was not asked, or refuses the query. */
  readonly bytesProcessed?: number;
  /** Whether its result and each of its tables can be read in pages, in a sentence each. Absent if that was not asked. */
  readonly pages?: readonly string[];
  /** Which aggregations are merged from slices. Absent if that was not asked, or the engine has none. */
  readonly slices?: SliceFacts;
}

/** What a check has found: the document that `check --json` prints. */
interface CheckReport {
  readonly endpoints: readonly CheckedEndpoint[];
  readonly sources: readonly { readonly name: string; readonly file: string }[];
  /** The names of the boards. */
  readonly boards: readonly string[];
  /** The errors in the files, by file and place. */
  readonly problems: readonly Problem[];
  /** What works, but may not be meant. Absent if there is nothing. */
  readonly warnings?: readonly Problem[];
  /** What became of the lock file. Absent without one, and if there are other errors. */
  readonly lock?: Omit<LockReport, 'problems'>;
  /** Changes that clients of an earlier GraphQL schema may notice. Absent if none was compared. */
  readonly changes?: readonly ContractChange[];
}

function checkedPages({ plan, tables }: Endpoint): readonly string[] {
  return [
    `the result ${pagingSentence(plan.paging)}`,
    ...tables.map((table) => `the table ${table.name} ${pagingSentence(table.plan.paging)}`),
  ];
}

function checkedEndpoint(endpoint: Endpoint, bytesProcessed: number | undefined): CheckedEndpoint {
  const { name, id, file, description, parameters, plan } = endpoint;
  return {
    ...{ name, id, file, description },
    parameters: describeParameters(parameters),
    columns: describeColumns(plan.columns),
    tables: plan.tables,
    ...(bytesProcessed !== undefined && { bytesProcessed }),
  };
}

function checkedSources(sources: readonly Source[]): CheckReport['sources'] {
  return sources.map(({ name, file }) => ({ name, file }));
}

/** Whether there is nothing to complain of: no error, and no breaking change. */
function isGood({ problems, changes = [] }: CheckReport): boolean {
  return problems.length === 0 && changes.every(({ severity }) => severity !== 'breaking');
}
