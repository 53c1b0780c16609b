import path from 'node:path';
import { linesOfRows, parseRows } from '../../endpoint-tests/parse-rows.ts';
import { readTestFile, suggestion } from '../../endpoint-tests/read-test-file.ts';
import type { GivenSourceRows, TestCase, TestFile } from '../../endpoint-tests/test-case.ts';
import type { Endpoint } from '../../endpoints/endpoint.ts';
import type { Problem } from '../../problem.ts';
import type { Source } from '../../sources/source.ts';
import { sourceByName } from '../../sources/source-by-name.ts';
import type { FolderFiles } from '../../system/folder-files.ts';

export const testExtension = '.test.yaml';

/** More refused rows of a list aren't described. */
const describedRows = 10;

interface TestedProject {
  readonly sources: readonly Source[];
  /** The valid endpoints. */
  readonly endpoints: readonly Endpoint[];
  readonly files: FolderFiles;
}

/** The errors in the test files of a folder that show without running a case. Files of rows are not read. */
export async function testProblems(folder: string, project: TestedProject): Promise<Problem[]> {
  const names = await project.files.list(folder).catch(() => []);
  const tests = names.filter((name) => name.endsWith(testExtension) && !name.startsWith('.'));
  const found = await Promise.all(
    tests.map((name) => problemsIn(path.join(folder, name), new Set(names), project)),
  );
  return found.flat();
}

async function problemsIn(
  location: string,
  names: ReadonlySet<string>,
  { sources, endpoints, files }: TestedProject,
): Promise<readonly Problem[]> {
  const shown = path.relative(process.cwd(), location) || location;
  const atStart = (text: string) => ({ file: shown, line: 1, column: 1, text });
  let text: string;
  try {
    text = (await files.read(location)).toString();
  } catch (error) {
    return [atStart(`cannot be read (${error instanceof Error && 'code' in error ? error.code : error})`)];
  }
  const test = readTestFile(shown, text);
  const tested = `${location.slice(0, -testExtension.length)}.sql`;
  const endpoint = endpoints.find(({ file }) => path.resolve(file) === path.resolve(tested));
  return [
    ...(names.has(path.basename(tested))
      ? []
      : [atStart(`There is no endpoint ${path.basename(tested)} beside this file`)]),
    ...test.problems,
    ...(endpoint === undefined ? [] : test.cases.flatMap((each) => unknownParameters(test, each, endpoint))),
    ...givenRows(test).flatMap((given) => rowProblems(test, given, sources)),
  ];
}

function unknownParameters(test: TestFile, each: TestCase, { parameters }: Endpoint): Problem[] {
  const names = parameters.map(({ name }) => name);
  return [...each.parameters.keys()]
    .filter((name) => !names.includes(name))
    .map((name) => ({
      file: test.file,
      ...test.locate(['cases', each.index, 'parameters', name]),
      text: `The endpoint has no parameter "${name}"${suggestion(name, names)}`,
    }));
}

/** The rows that a file gives. Those that cases share are named by each of them. */
function givenRows({ cases }: TestFile): readonly GivenSourceRows[] {
  const all = cases.flatMap(({ rows }) => rows);
  return [...new Map(all.map((given) => [given.path.join('\n'), given])).values()];
}

function rowProblems(
  test: TestFile,
  { source: name, given, path: at }: GivenSourceRows,
  sources: readonly Source[],
): Problem[] {
  const { file } = test;
  const source = sourceByName(sources, name);
  if (source === undefined) {
    const names = sources.map((each) => each.name);
    return [{ file, ...test.locate(at), text: `unknown source "${name}"${suggestion(name, names)}` }];
  }
  if (!Array.isArray(given)) return [];
  const parsed = parseRows(source, linesOfRows(given));
  if (!('refused' in parsed)) return [];
  return parsed.refused.slice(0, describedRows).map(({ number, reason, path: within }) => ({
    file,
    ...test.locate([...at, number - 1, ...within]),
    text: `row ${number} of ${name}: ${reason}`,
  }));
}
