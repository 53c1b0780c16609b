import { hash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { engineOf } from '../../app/engines/registry.ts';
import { checkEndpoints, checkSources } from '../../app/schema/load-schema.ts';
import { sourceCatalog } from '../../app/schema/source-catalog.ts';
import { compareProblems, type Problem } from '../../base/errors/problem.ts';
import { fileFailure, readWrittenFile } from '../../base/system/read-written-file.ts';
import { realPathIn } from '../../base/system/real-path-in.ts';
import { shownFile } from '../../base/system/shown-file.ts';
import { suggestion } from '../../base/text/suggest.ts';
import type { Planner } from '../../calls/planner/planner.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import { endpointFileNames } from '../../definitions/endpoints/settings-comment.ts';
import type { Config } from '../../definitions/settings/config.ts';
import type { Source } from '../../definitions/sources/source.ts';
import type { Catalog } from '../../sql/analyzer/catalog.ts';
import type { TestCase, TestFile } from '../../tools/endpoint-tests/cases/test-file.ts';
import { missingEndpoint, unknownParameters } from '../../tools/endpoint-tests/check-test-file.ts';
import type { RowsOfSource } from '../../tools/endpoint-tests/parse-rows.ts';
import { readTestFile } from '../../tools/endpoint-tests/read-test-file.ts';
import {
  endpointFileOf,
  isTestFile,
  misnamedTestFiles,
  projectFolder,
  testFileOf,
} from '../../tools/endpoint-tests/test-paths.ts';
import { endpointNamed } from '../options/find-named.ts';
import { maxFixtureBytes, RowReader } from './ready-rows.ts';

/** A case with its rows. */
export interface ReadyCase {
  readonly test: TestCase;
  readonly rows: readonly RowsOfSource[];
}

/** The tests of an endpoint. */
export interface EndpointTests {
  /** The test file; its path is absolute. */
  readonly path: string;
  readonly file: TestFile;
  /** Undefined if the endpoint has errors. */
  readonly endpoint: Endpoint | undefined;
  /** Errors for which no case can be run. */
  readonly problems: readonly Problem[];
  readonly cases: readonly ReadyCase[];
  /** The files of rows that it names. */
  readonly fixtures: readonly string[];
  /** Changes with everything that affects the results of its cases. */
  readonly fingerprint: string;
}

export interface LoadedTests {
  readonly sources: readonly Source[];
  readonly catalog: Catalog;
  readonly endpoints: readonly Endpoint[];
  readonly tests: readonly EndpointTests[];
  /** Errors in sources and in endpoints without tests. */
  readonly problems: readonly Problem[];
  /** Those of all endpoints that have no tests, if all are to be tested. */
  readonly withoutTests: readonly Endpoint[];
  /** The names of endpoints that don't exist, with what is wrong. */
  readonly unknown: readonly string[];
  /** Endpoints that were asked for by name and have no tests, with what is missing. */
  readonly untested: readonly string[];
}

/** What to load. */
interface Wanted {
  /** The names, ids or files of endpoints to test; all if empty. */
  readonly endpoints: readonly string[];
  /** Whether the cases are run on their rows. */
  readonly hasRows: boolean;
}

type LoadingConfig = Pick<
  Config,
  | 'endpointsDir'
  | 'sourcesDir'
  | 'dataDir'
  | 'engine'
  | 'recordCalls'
  | 'recordCallsDays'
  | 'dataRetentionDays'
>;

/** The test files beside the endpoints, sorted. */
export async function testFileNames(endpointsDir: string): Promise<string[]> {
  const names = await readdir(endpointsDir).catch(() => []);
  return names.filter(isTestFile).sort();
}

/** Loads sources, endpoints and the tests of endpoints. Errors in files are returned, not thrown. */
export async function loadTests(
  config: LoadingConfig,
  planner: Pick<Planner, 'planText'>,
  { endpoints: wanted, hasRows }: Wanted,
): Promise<LoadedTests> {
  const { sources, problems: sourceProblems } = await checkSources(config);
  const catalog = sourceCatalog(sources);
  const loaded = await checkEndpoints(config, planner, sources, engineOf(config).checkPlan);
  const sqlNames = new Set(await endpointFileNames(config.endpointsDir).catch(() => []));
  const all = await testFileNames(config.endpointsDir);
  const misnamed = misnamedTestFiles(config.endpointsDir, await readdir(config.endpointsDir).catch(() => []));
  const asked = wanted.map((name) => ({ name, file: wantedTestFile(name, loaded.endpoints, sqlNames) }));
  const known = new Set(asked.flatMap(({ file }) => file ?? []));
  const names = wanted.length === 0 ? all : all.filter((name) => known.has(name));
  const endpointNames = loaded.endpoints.map(({ name }) => name);
  const ofFile = Map.groupBy(loaded.problems, ({ file }) => file);
  // Without test files, the folder may be missing.
  const project = names.length === 0 ? '' : await projectFolder(config.endpointsDir);
  const context = { sources, ...loaded, sqlNames, ofFile, hasRows, project };
  const tests = await Promise.all(
    names.map((name) => loadTest(path.join(config.endpointsDir, name), context)),
  );
  const tested = new Set(tests.map((test) => shownFile(endpointFileOf(test.path))));
  const others = [...ofFile].filter(([file]) => !tested.has(file)).flatMap(([, problems]) => problems);
  return {
    ...{ sources, catalog, endpoints: loaded.endpoints, tests },
    problems: [...sourceProblems, ...others, ...misnamed],
    withoutTests: wanted.length > 0 ? [] : loaded.endpoints.filter(({ file }) => !tested.has(file)),
    unknown: asked
      .filter(({ file }) => file === undefined)
      .map(({ name }) => `unknown endpoint "${name}"${suggestion(name, endpointNames)}`),
    untested: asked.flatMap(({ name, file }) =>
      file === undefined || all.includes(file)
        ? []
        : [`${name} has no tests: there is no ${shownFile(path.join(config.endpointsDir, file))}`],
    ),
  };
}

/** The name of the test file of an endpoint, by the endpoint's name, id or file, or by that of the test file. */
function wantedTestFile(
  wanted: string,
  endpoints: readonly Endpoint[],
  sqlNames: ReadonlySet<string>,
): string | undefined {
  const found = endpointNamed(endpoints, wanted);
  const base = path.basename(wanted).replace(/\.(?:sql|test\.yaml)$/, '');
  const sqlName = found === undefined ? `${base}.sql` : path.basename(found.file);
  return sqlNames.has(sqlName) ? testFileOf(sqlName) : undefined;
}

/** What loading the tests of an endpoint requires. */
export interface TestContext {
  readonly sources: readonly Source[];
  readonly endpoints: readonly Endpoint[];
  /** The names of all endpoint files. */
  readonly sqlNames: ReadonlySet<string>;
  /** The errors in endpoint files, by shown path. */
  readonly ofFile: ReadonlyMap<string, readonly Problem[]>;
  /** Whether the cases are run on their rows. */
  readonly hasRows: boolean;
  /** The folder of the project. */
  readonly project: string;
}

/** Loads the tests of an endpoint by the path of their file. Errors in files are returned, not thrown. */
export async function loadTest(
  testPath: string,
  { sources, endpoints, sqlNames, ofFile, hasRows, project }: TestContext,
): Promise<EndpointTests> {
  const sqlFile = endpointFileOf(testPath);
  const file = await openTestFile(testPath, project);
  const endpoint = endpoints.find((each) => each.file === shownFile(sqlFile));
  const problems: Problem[] = [...(ofFile.get(shownFile(sqlFile)) ?? []), ...file.problems];
  problems.push(...missingEndpoint(file, [...sqlNames]));
  if (endpoint !== undefined) problems.push(...unknownParameters(file, endpoint));
  const reader = new RowReader(sources, { start: path.dirname(testPath), project });
  const cases: ReadyCase[] = [];
  for (const test of file.cases) {
    cases.push({ test, rows: hasRows ? await reader.rowsOf(file, test) : [] });
  }
  problems.push(...reader.problems);
  problems.sort(compareProblems);
  if (endpoint === undefined && problems.length === 0)
    problems.push({ file: file.file, line: 1, column: 1, text: 'The endpoint has errors' });
  const fixtures = [...reader.fixtures];
  const contents = await Promise.all(fixtures.map((each) => contentOf(project, each)));
  const facts = [file.text, endpoint?.version ?? '', problems, contents, sources.filter(isRead(cases))];
  return {
    ...{ path: testPath, file, endpoint, problems, fixtures },
    cases: problems.length > 0 ? [] : cases,
    fingerprint: hash('sha256', JSON.stringify(facts), 'base64url'),
  };
}

/** Empty for what no rows are read from. */
async function contentOf(project: string, fixture: string): Promise<string> {
  const bytes = await realPathIn(project, fixture)
    .then((file) => readWrittenFile(file, maxFixtureBytes))
    .catch(() => Buffer.alloc(0));
  return bytes.toString('base64');
}

function isRead(cases: readonly ReadyCase[]): (source: Source) => boolean {
  const names = new Set(cases.flatMap(({ rows }) => rows.map(({ source }) => source.name)));
  return ({ name }) => names.has(name);
}

/** Reads and checks a test file of a project by its path. That it can't be read is a problem of the file, not thrown. */
async function openTestFile(testPath: string, project: string): Promise<TestFile> {
  const file = shownFile(testPath);
  let bytes: Buffer;
  try {
    bytes = await readWrittenFile(await realPathIn(project, testPath));
  } catch (error) {
    const place = { line: 1, column: 1 };
    const text = `cannot be read (${fileFailure(error)})`;
    return { file, text: '', cases: [], problems: [{ file, ...place, text }], locate: () => place };
  }
  return readTestFile(file, bytes.toString());
}
