import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { planCheck } from '../../app/engine/plan-check.ts';
import { checkSources, sourceCatalog } from '../../app/load-schema.ts';
import type { Config } from '../../config.ts';
import type { RowsOfSource } from '../../endpoint-tests/parse-rows.ts';
import { readTestFile, suggestion } from '../../endpoint-tests/read-test-file.ts';
import type { TestCase, TestFile } from '../../endpoint-tests/test-case.ts';
import type { Endpoint } from '../../endpoints/endpoint.ts';
import { endpointFileNames } from '../../endpoints/endpoint-file-names.ts';
import { loadEndpoints } from '../../endpoints/load-endpoints.ts';
import type { Planner } from '../../planner/planner.ts';
import { compareProblems, type Problem } from '../../problem.ts';
import type { Source } from '../../sources/source.ts';
import type { Catalog } from '../../sql/analyzer/catalog.ts';
import { RowReader } from './ready-rows.ts';
import { shownPath } from './shown-path.ts';

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

type LoadingConfig = Pick<Config, 'endpointsDir' | 'sourcesDir' | 'dataDir' | 'engine'>;

export const testExtension = '.test.yaml';

/** The test files beside the endpoints, sorted. */
export async function testFileNames(endpointsDir: string): Promise<string[]> {
  const names = await readdir(endpointsDir).catch(() => []);
  return names.filter((name) => name.endsWith(testExtension) && !name.startsWith('.')).sort();
}

/**
 * Loads sources, endpoints and the tests of endpoints. Errors in files are returned, not thrown.
 *
 * @param wanted the names, ids or files of endpoints to test; all if empty
 */
export async function loadTests(
  config: LoadingConfig,
  planner: Pick<Planner, 'planText'>,
  wanted: readonly string[],
): Promise<LoadedTests> {
  const { sources, problems: sourceProblems } = await checkSources(config);
  const catalog = sourceCatalog(sources);
  const loaded = await loadEndpoints(config.endpointsDir, {
    planText: (text) => planner.planText(text),
    catalog,
    checkPlan: planCheck(config),
  });
  const sqlNames = new Set(await endpointFileNames(config.endpointsDir).catch(() => []));
  const all = await testFileNames(config.endpointsDir);
  const asked = wanted.map((name) => ({ name, file: testFileOf(name, loaded.endpoints, sqlNames) }));
  const known = new Set(asked.flatMap(({ file }) => file ?? []));
  const names = wanted.length === 0 ? all : all.filter((name) => known.has(name));
  const endpointNames = loaded.endpoints.map(({ name }) => name);
  // On BigQuery, queries are only checked.
  const hasRows = config.engine === 'duckdb';
  const ofFile = Map.groupBy(loaded.problems.map(withShownPath), ({ file }) => file);
  const tests = await Promise.all(
    names.map((name) =>
      loadTest(path.join(config.endpointsDir, name), { sources, ...loaded, sqlNames, ofFile, hasRows }),
    ),
  );
  const tested = new Set(tests.map((test) => shownPath(sqlFileOf(test.path))));
  const others = [...ofFile].filter(([file]) => !tested.has(file)).flatMap(([, problems]) => problems);
  return {
    ...{ sources, catalog, endpoints: loaded.endpoints, tests },
    problems: [...sourceProblems.map(withShownPath), ...others, ...(await misnamed(config.endpointsDir))],
    withoutTests: wanted.length > 0 ? [] : loaded.endpoints.filter(({ file }) => !tested.has(file)),
    unknown: asked
      .filter(({ file }) => file === undefined)
      .map(({ name }) => `unknown endpoint "${name}"${suggestion(name, endpointNames)}`),
    untested: asked.flatMap(({ name, file }) =>
      file === undefined || all.includes(file)
        ? []
        : [`${name} has no tests: there is no ${shownPath(path.join(config.endpointsDir, file))}`],
    ),
  };
}

/** Files that look like test files and would be ignored. */
async function misnamed(endpointsDir: string): Promise<Problem[]> {
  const names = await readdir(endpointsDir).catch(() => []);
  return names
    .filter((name) => /\.tests?\.ya?ml$/i.test(name) && !name.endsWith(testExtension))
    .map((name) => ({
      ...{ file: shownPath(path.join(endpointsDir, name)), line: 1, column: 1 },
      text: `The names of test files end in ${testExtension}: rename this file`,
    }));
}

/** The name of the test file of an endpoint, by the endpoint's name, id or file, or by that of the test file. */
function testFileOf(
  wanted: string,
  endpoints: readonly Endpoint[],
  sqlNames: ReadonlySet<string>,
): string | undefined {
  const found = endpoints.find(({ id, name }) => name === wanted || id === wanted.toLowerCase());
  const base = path.basename(wanted).replace(/\.(?:sql|test\.yaml)$/, '');
  const sqlName = found === undefined ? `${base}.sql` : path.basename(found.file);
  return sqlNames.has(sqlName) ? `${sqlName.slice(0, -'.sql'.length)}${testExtension}` : undefined;
}

interface TestContext {
  readonly sources: readonly Source[];
  readonly endpoints: readonly Endpoint[];
  /** The names of all endpoint files. */
  readonly sqlNames: ReadonlySet<string>;
  /** The errors in endpoint files, by shown path. */
  readonly ofFile: ReadonlyMap<string, readonly Problem[]>;
  /** Whether the cases are run on their rows. */
  readonly hasRows: boolean;
}

async function loadTest(
  testPath: string,
  { sources, endpoints, sqlNames, ofFile, hasRows }: TestContext,
): Promise<EndpointTests> {
  const sqlFile = sqlFileOf(testPath);
  const file = readTestFile(shownPath(testPath), await readFile(testPath, 'utf8'));
  const endpoint = endpoints.find((each) => each.file === shownPath(sqlFile));
  const problems: Problem[] = [...(ofFile.get(shownPath(sqlFile)) ?? []), ...file.problems];
  const sqlName = path.basename(sqlFile);
  if (!sqlNames.has(sqlName)) {
    const text = `There is no endpoint ${sqlName} beside this file${suggestion(sqlName, [...sqlNames])}`;
    problems.push({ file: file.file, line: 1, column: 1, text });
  }
  const reader = new RowReader(sources, path.dirname(testPath));
  const cases: ReadyCase[] = [];
  for (const test of file.cases) {
    if (endpoint !== undefined) problems.push(...unknownParameters(file, test, endpoint));
    cases.push({ test, rows: hasRows ? await reader.rowsOf(file, test) : [] });
  }
  problems.push(...reader.problems);
  problems.sort(compareProblems);
  if (endpoint === undefined && problems.length === 0)
    problems.push({ file: file.file, line: 1, column: 1, text: 'The endpoint has errors' });
  const fixtures = [...reader.fixtures];
  const contents = await Promise.all(fixtures.map((each) => readFile(each, 'base64').catch(() => '')));
  const facts = [file.text, endpoint?.version ?? '', problems, contents, sources.filter(isRead(cases))];
  return {
    ...{ path: testPath, file, endpoint, problems, fixtures },
    cases: problems.length > 0 ? [] : cases,
    fingerprint: hash('sha256', JSON.stringify(facts), 'base64url'),
  };
}

function isRead(cases: readonly ReadyCase[]): (source: Source) => boolean {
  const names = new Set(cases.flatMap(({ rows }) => rows.map(({ source }) => source.name)));
  return ({ name }) => names.has(name);
}

function unknownParameters(file: TestFile, test: TestCase, { parameters }: Endpoint): Problem[] {
  const names = parameters.map(({ name }) => name);
  return [...test.parameters.keys()]
    .filter((name) => !names.includes(name))
    .map((name) => ({
      file: file.file,
      ...file.locate(['cases', test.index, 'parameters', name]),
      text: `The endpoint has no parameter "${name}"${suggestion(name, names)}`,
    }));
}

/** The endpoint beside a test file. */
export function sqlFileOf(testPath: string): string {
  return `${testPath.slice(0, -testExtension.length)}.sql`;
}

function withShownPath(problem: Problem): Problem {
  return { ...problem, file: shownPath(problem.file) };
}
