import path from 'node:path';
import type { Problem } from '../../../base/errors/problem.ts';
import type { FolderFiles } from '../../../base/system/folder-files.ts';
import { fileFailure } from '../../../base/system/read-written-file.ts';
import { shownFile } from '../../../base/system/shown-file.ts';
import type { Endpoint } from '../../../definitions/endpoints/endpoint.ts';
import type { Source } from '../../../definitions/sources/source.ts';
import type { GivenSourceRows, TestFile } from '../../endpoint-tests/cases/test-file.ts';
import {
  listedRows,
  missingEndpoint,
  sourceOfRows,
  unknownParameters,
} from '../../endpoint-tests/check-test-file.ts';
import { readTestFile } from '../../endpoint-tests/read-test-file.ts';
import { endpointFileOf, isTestFile, misnamedTestFiles } from '../../endpoint-tests/test-paths.ts';

interface TestedProject {
  readonly sources: readonly Source[];
  /** The valid endpoints. */
  readonly endpoints: readonly Endpoint[];
  readonly files: FolderFiles;
}

/**
 * The errors in the test files of a folder that show without running a case, and files that look like test files and are
 * none. Files of rows are not read.
 */
export async function testProblems(folder: string, project: TestedProject): Promise<Problem[]> {
  const names = await project.files.list(folder).catch(() => []);
  const sqlNames = names.filter((name) => name.endsWith('.sql'));
  const found = await Promise.all(
    names.filter(isTestFile).map((name) => problemsIn(path.join(folder, name), sqlNames, project)),
  );
  return [...found.flat(), ...misnamedTestFiles(folder, names)];
}

async function problemsIn(
  location: string,
  sqlNames: readonly string[],
  { sources, endpoints, files }: TestedProject,
): Promise<readonly Problem[]> {
  const shown = shownFile(location);
  let text: string;
  try {
    text = (await files.read(location)).toString();
  } catch (error) {
    return [{ file: shown, line: 1, column: 1, text: `cannot be read (${fileFailure(error)})` }];
  }
  const test = readTestFile(shown, text);
  const tested = path.resolve(endpointFileOf(location));
  const endpoint = endpoints.find(({ file }) => path.resolve(file) === tested);
  return [
    ...missingEndpoint(test, sqlNames),
    ...test.problems,
    ...(endpoint === undefined ? [] : unknownParameters(test, endpoint)),
    ...givenRows(test).flatMap((given) => rowProblems(test, given, sources)),
  ];
}

/** The rows that a file gives. Those that cases share are named by each of them. */
function givenRows({ cases }: TestFile): readonly GivenSourceRows[] {
  const all = cases.flatMap(({ rows }) => rows);
  return [...new Map(all.map((given) => [given.path.join('\n'), given])).values()];
}

function rowProblems(test: TestFile, given: GivenSourceRows, sources: readonly Source[]): readonly Problem[] {
  const found = sourceOfRows(test, given, sources);
  if ('problems' in found) return found.problems;
  if (!Array.isArray(given.given)) return [];
  const rows = listedRows(test, given, found.source, given.given);
  return 'problems' in rows ? rows.problems : [];
}
