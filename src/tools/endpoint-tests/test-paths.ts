import { realpath } from 'node:fs/promises';
import path, { join } from 'node:path';
import type { Problem } from '../../base/errors/problem.ts';
import { exists } from '../../base/system/exists.ts';
import { shownFile } from '../../base/system/shown-file.ts';

const [ofTest, ofEndpoint] = ['.test.yaml', '.sql'];

/** Whether a file in the folder of endpoints contains tests. */
export function isTestFile(name: string): boolean {
  return name.endsWith(ofTest) && !name.startsWith('.');
}

/** The path of the endpoint beside a test file. */
export function endpointFileOf(testFile: string): string {
  return `${testFile.slice(0, -ofTest.length)}${ofEndpoint}`;
}

/** The path of the test file beside an endpoint. */
export function testFileOf(endpointFile: string): string {
  return `${endpointFile.slice(0, -ofEndpoint.length)}${ofTest}`;
}

/** The files in the folder of endpoints that look like test files and are none, so that they would be ignored. */
export function misnamedTestFiles(folder: string, names: readonly string[]): Problem[] {
  return names
    .filter((name) => /\.tests?\.ya?ml$/i.test(name) && !name.endsWith(ofTest))
    .map((name) => ({
      ...{ file: shownFile(join(folder, name)), line: 1, column: 1 },
      text: `The names of test files end in ${ofTest}: rename this file`,
    }));
}

/**
 * The folder of the project that endpoints belong to: the nearest one above them with a `package.json` or a git repository. Without
 * any, it is the folder that the endpoints' folder is in. Test files read nothing outside of it.
 *
 * @throws errors of the file system if the endpoints' folder does not exist
 */
export async function projectFolder(endpointsDir: string): Promise<string> {
  const usual = path.dirname(await realpath(endpointsDir));
  for (let folder = usual; ; folder = path.dirname(folder)) {
    for (const sign of ['package.json', '.git']) if (await exists(path.join(folder, sign))) return folder;
    if (path.dirname(folder) === folder) return usual;
  }
}
