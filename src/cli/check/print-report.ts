import { formatProblem } from '../../base/errors/problem.ts';
import type { Output } from '../../base/terminal/output.ts';
import { visibleText } from '../../base/terminal/visible-text.ts';
import { counted } from '../../base/text/counted.ts';
import { columnLine, parameterLine } from '../output/describe-types.ts';
import type { CheckedEndpoint, CheckReport } from './check-report.ts';

interface ReportForm {
  /** Whether to print the report as one JSON document. */
  readonly json: boolean;
  /** Whether to print only what is wrong. */
  readonly quiet: boolean;
  /** The file of the GraphQL schema to compare with. */
  readonly against: string | undefined;
}

/** Prints the endpoints to standard output, and what is wrong to standard error; or all of it as JSON. */
export function printReport(
  report: CheckReport,
  { json, quiet, against }: ReportForm,
  { out, err }: Output,
): void {
  if (json) {
    out(`${JSON.stringify(report, null, 2)}\n`);
    return;
  }
  const say = quiet ? () => undefined : out;
  const { endpoints, sources, problems } = report;
  for (const endpoint of endpoints) say(`${describe(endpoint)}\n`);
  const read = endpoints.filter(({ bytesProcessed }) => bytesProcessed !== undefined);
  for (const { name, bytesProcessed = 0 } of read)
    say(`${visibleText(name)} would read ${counted(bytesProcessed, 'byte')}\n`);
  if (read.length > 0) say('\n');
  for (const problem of problems) err(`${formatProblem(problem)}\n`);
  const count = `${counted(endpoints.length, 'endpoint')}, ${counted(sources.length, 'source')}`;
  if (problems.length === 0) say(`${count}: no errors\n`);
  else err(`${counted(problems.length, 'error')}\n`);
  if (against !== undefined) printChanges(report, against, { out: say, err });
}

/** Prints the changes that clients may notice, one per line. */
function printChanges({ changes }: CheckReport, against: string, { out, err }: Output): void {
  if (changes === undefined) {
    err(`against ${against}: not compared, because there are errors\n`);
    return;
  }
  for (const { severity, text } of changes)
    err(`${severity === 'breaking' ? 'breaking' : 'warning'}: ${visibleText(text)}\n`);
  const breaking = changes.filter(({ severity }) => severity === 'breaking').length;
  if (breaking === 0) out(`against ${against}: no breaking changes\n`);
  else err(`against ${against}: ${counted(breaking, 'breaking change')}\n`);
}

function describe({ name, id, file, parameters, columns }: CheckedEndpoint): string {
  const details = [...parameters.map(parameterLine), ...columns.map(columnLine)];
  return `${visibleText(`${name}  ${id}  ${file}`)}\n${details.map((line) => `  ${visibleText(line)}\n`).join('')}`;
}
