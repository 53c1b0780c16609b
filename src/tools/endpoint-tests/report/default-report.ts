import { formatProblem } from '../../../base/errors/problem.ts';
import type { Paint } from '../../../base/terminal/paint.ts';
import { visibleText, withoutCommand } from '../../../base/terminal/visible-text.ts';
import { counted } from '../../../base/text/counted.ts';
import { failureText } from './failure-text.ts';
import { type CaseResult, type FileResult, type TestRun, totalsOf } from './result.ts';

interface ReportOptions {
  readonly paint: Paint;
  /** Whether only errors and failed cases are reported. */
  readonly quiet: boolean;
}

/** A file's cases, one in each line, and its errors. Empty if there is nothing to report. */
export function fileLines({ file, problems, cases }: FileResult, { paint, quiet }: ReportOptions): string[] {
  const lines = [
    ...problems.map((problem) => `  ${paint.red('✗')} ${formatProblem(problem)}`),
    ...cases.flatMap((each) => (quiet && each.status !== 'failed' ? [] : [caseLine(each, paint)])),
  ];
  return lines.length === 0 ? [] : [paint.bold(visibleText(file)), ...lines, ''].map(withoutCommand);
}

/** Slower cases are worth looking at, in milliseconds. */
const slowMs = 300;

function caseLine({ status, milliseconds, ...shown }: CaseResult, paint: Paint): string {
  const name = visibleText(shown.name);
  const reason = visibleText(shown.reason ?? '');
  if (status === 'skipped') return `  ${paint.yellow('-')} ${name} ${paint.dim(`(skipped: ${reason})`)}`;
  if (status === 'updated') return `  ${paint.green('✓')} ${name} ${paint.yellow('(updated)')}`;
  const sign = status === 'passed' ? paint.green('✓') : paint.red('✗');
  const time = `(${Math.round(milliseconds)} ms)`;
  return `  ${sign} ${name} ${milliseconds > slowMs ? paint.yellow(time) : paint.dim(time)}`;
}

/** The differences of all failed cases. */
function failureLines(files: readonly FileResult[], paint: Paint): string[] {
  return files.flatMap(({ file, cases, endpoint }) =>
    cases
      .filter(({ status }) => status === 'failed')
      .flatMap(({ name, place, failures }) => [
        `${paint.red('✗')} ${paint.bold(visibleText(`${endpoint}: ${name}`))} ${paint.dim(visibleText(`${file}:${place.line}`))}`,
        ...failures.flatMap((failure) => failureText(failure, paint).map((line) => `  ${line}`)),
        '',
      ]),
  );
}

/** Such as `2 failed, 10 passed (12 cases in 2 files, 1.24 s)`. */
function summaryLine(run: TestRun, paint: Paint): string {
  const { passed, failed, skipped, updated, errors } = totalsOf(run);
  const parts = [
    ...(errors > 0 ? [paint.red(counted(errors, 'error'))] : []),
    ...(failed > 0 ? [paint.red(`${failed} failed`)] : []),
    ...(passed > 0 || failed + errors + skipped + updated === 0 ? [paint.green(`${passed} passed`)] : []),
    ...(updated > 0 ? [paint.yellow(`${updated} updated`)] : []),
    ...(skipped > 0 ? [paint.yellow(`${skipped} skipped`)] : []),
  ];
  const total = counted(passed + failed + skipped + updated, 'case');
  const files = counted(run.files.length, 'file');
  const time = `${(run.milliseconds / 1000).toFixed(2)} s`;
  return `${parts.join(', ')} ${paint.dim(`(${total} in ${files}, ${time})`)}`;
}

/** Everything that comes after the lines of the files. */
export function endLines(run: TestRun, { paint, quiet }: ReportOptions): string[] {
  return [
    ...run.problems.map((problem) => formatProblem(problem)),
    ...(run.problems.length > 0 ? [''] : []),
    ...failureLines(run.files, paint),
    ...(quiet ? [] : [summaryLine(run, paint)]),
  ].map(withoutCommand);
}
