import { readTestFile } from '../../endpoint-tests/read-test-file.ts';
import type { TestFile } from '../../endpoint-tests/test-case.ts';
import { fileFailure, readWrittenFile } from '../../system/read-written-file.ts';
import { realPathIn } from '../../system/real-path-in.ts';
import { shownFile } from '../../system/shown-file.ts';

/** Reads and checks a test file of a project by its path. That it can't be read is a problem of the file, not thrown. */
export async function openTestFile(testPath: string, project: string): Promise<TestFile> {
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
