import { fileFailure, readWrittenFile } from '../../base/system/read-written-file.ts';
import { realPathIn } from '../../base/system/real-path-in.ts';
import { shownFile } from '../../base/system/shown-file.ts';
import type { TestFile } from '../../tools/endpoint-tests/cases/test-case.ts';
import { readTestFile } from '../../tools/endpoint-tests/read-test-file.ts';

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
