import { relative, resolve } from 'node:path';
import type { Problem } from '../../../base/errors/problem.ts';
import { visibleText } from '../../../base/terminal/visible-text.ts';
import { plainFailure } from './failure-text.ts';
import type { TestRun } from './result.ts';

/**
 * Annotations of GitHub Actions for errors and failed cases, one in each line.
 *
 * @param workspace the folder of the repository. GitHub takes paths as relative to it, so those of a project in a folder
 *   below it are completed.
 *
 * Source: https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions
 */
export function githubReport(
  { files, problems }: Pick<TestRun, 'files' | 'problems'>,
  workspace?: string,
): string {
  const annotation = (problem: Problem, title: string) =>
    annotationOf({ ...problem, file: fileIn(workspace, problem.file) }, title);
  const lines = [
    ...[...problems, ...files.flatMap((file) => file.problems)].map((problem) =>
      annotation(problem, 'Error'),
    ),
    ...files.flatMap(({ file, endpoint, cases }) =>
      cases
        .filter(({ status }) => status === 'failed')
        .map((each) =>
          annotation({ file, ...each.place, text: plainFailure(each) }, `${endpoint}: ${each.name}`),
        ),
    ),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

/** The path of a file as seen from a folder; unchanged if the folder is not known. */
function fileIn(folder: string | undefined, file: string): string {
  return folder === undefined ? file : relative(folder, resolve(file)).replaceAll('\\', '/');
}

function annotationOf({ file, line, column, text }: Problem, title: string): string {
  const properties = { file, line, col: column, title };
  const written = Object.entries(properties).map(([name, value]) => `${name}=${propertyText(String(value))}`);
  return `::error ${written.join(',')}::${messageText(text)}`;
}

function messageText(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => visibleText(line).replaceAll('%', '%25'))
    .join('%0A');
}

function propertyText(text: string): string {
  return messageText(visibleText(text)).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
