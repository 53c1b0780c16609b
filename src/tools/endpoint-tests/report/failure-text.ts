import { noPaint, type Paint } from '../../../base/terminal/paint.ts';
import { visibleText } from '../../../base/terminal/visible-text.ts';
import { withoutCommand } from '../../../base/terminal/without-command.ts';
import type { Failure } from '../compare/judge.ts';
import type { CaseResult } from './result.ts';
import { differenceTable, plainTable } from './row-table.ts';

/** Why a case failed: a sentence, and the rows that show it, in lines. */
export function failureText({ text, rows, actual = [] }: Failure, paint: Paint): string[] {
  const legend = `  ${paint.red('- expected')}  ${paint.green('+ actual')}`;
  return [
    ...shownLines(text),
    ...(rows === undefined ? [] : [legend, ...indented(differenceTable(rows, paint))]),
    ...(actual.length === 0 ? [] : indented(plainTable(actual, paint))),
  ].map(withoutCommand);
}

/** Why a case failed, without colours. */
export function plainFailure({ failures }: Pick<CaseResult, 'failures'>): string {
  return failures.flatMap((failure) => failureText(failure, noPaint)).join('\n');
}

/** What looks like a command of GitHub Actions stays on the line before. */
function shownLines(text: string): string[] {
  return text.split(/\n(?!\s*::)/).map(visibleText);
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}
