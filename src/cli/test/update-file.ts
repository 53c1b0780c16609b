import { CommandError } from '../../base/errors/command-error.ts';
import { readWrittenFile } from '../../base/system/read-written-file.ts';
import { replaceText } from '../../base/system/replace-file.ts';
import type { CaseResult, FileResult } from '../../tools/endpoint-tests/report/result.ts';
import { updatedText } from '../../tools/endpoint-tests/updated-text.ts';
import type { EndpointTests } from './load-tests.ts';

/**
 * Writes the actual rows of failed cases into their file. Only cases that expect rows are updated: what an error or a
 * property says is a decision of its author.
 *
 * @returns the results, in which updated cases no longer are failed
 * @throws CommandError if the file was changed meanwhile; errors of the file system
 */
export async function updateFile(
  { path, file, cases }: EndpointTests,
  result: FileResult,
): Promise<FileResult> {
  const isUpdatable = ({ status, failures, rows }: CaseResult) =>
    status === 'failed' && rows !== undefined && failures.every((failure) => failure.isUpdatable === true);
  const updatable = result.cases.filter(isUpdatable);
  if (updatable.length === 0) return result;
  const updates = updatable.flatMap(({ index, rows = [] }) =>
    cases.filter(({ test }) => test.index === index).map(({ test }) => ({ test, rows })),
  );
  const text = updatedText(file.text, updates);
  if (text === undefined) return result;
  if ((await readWrittenFile(path)).toString() !== file.text)
    throw new CommandError(`${file.file} was changed while its cases ran. Run them again to update it.`);
  await replaceText(path, text);
  return {
    ...result,
    cases: result.cases.map((each) =>
      isUpdatable(each) ? { ...each, status: 'updated', failures: [] } : each,
    ),
  };
}
