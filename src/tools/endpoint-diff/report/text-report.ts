import { formatProblem } from '../../../base/errors/problem.ts';
import { padded, textWidth } from '../../../base/terminal/text-width.ts';
import { visibleText } from '../../../base/terminal/visible-text.ts';
import { counted } from '../../../base/text/counted.ts';
import type { CallComparison } from '../rows/call-comparison.ts';
import { bytesLine, callLine } from './call-lines.ts';
import { changeText, type DiffReport, type ReportedEndpoint, verdictOf } from './diff-report.ts';
import { rowTable } from './row-table.ts';

/**
 * The report for a terminal.
 *
 * @param maxRows how many rows of a call are shown
 */
export function textReport(report: DiffReport, maxRows: number): string {
  const { endpoints, contract = [], notes, from } = report;
  const shown = endpoints.filter(({ state, changes }) => state !== 'same' || changes.length > 0);
  const lines = shown.flatMap((endpoint) => [...endpointLines(endpoint, maxRows), '']);
  if (contract.length > 0)
    lines.push(
      'clients of GraphQL',
      ...contract.map(
        ({ severity, text }) => `  ${severity === 'breaking' ? 'breaking' : 'warning'}: ${visibleText(text)}`,
      ),
      '',
    );
  for (const note of notes) lines.push(visibleText(`note: ${note}`));
  const same = endpoints.filter(({ state }) => state === 'same').length;
  lines.push(
    visibleText(
      `${counted(endpoints.length, 'endpoint')} compared with ${from}: ${counted(endpoints.length - same, 'difference')}, ${same} with the same answers`,
    ),
  );
  return `${lines.join('\n')}\n`;
}

/** The errors in the files, for standard error. */
export function problemLines({ problems }: DiffReport): string {
  return [...problems.before, ...problems.after].map((problem) => `${formatProblem(problem)}\n`).join('');
}

function endpointLines(endpoint: ReportedEndpoint, maxRows: number): string[] {
  const { name, file, changes, compared, formerName } = endpoint;
  const was = formerName === undefined ? '' : `, formerly ${formerName}`;
  return [
    visibleText(`${name}  ${file}${was}`),
    visibleText(`  ${verdictOf(endpoint)}`),
    ...changes.map((change) => visibleText(`  - ${changeText(change)}`)),
    ...(compared?.notes ?? []).map((note) => visibleText(`  note: ${note}`)),
    ...(compared?.bytes === undefined
      ? []
      : [visibleText(`  BigQuery would read ${bytesLine(compared.bytes)}`)]),
    ...(compared?.calls ?? []).flatMap((call) => callLines(call, maxRows)),
  ];
}

function callLines(call: CallComparison, maxRows: number): string[] {
  const { origin, over, parameters, rows, isSame } = call;
  const head = visibleText(`  ${origin} over ${over} ${parameters}: ${callLine(call)}`);
  if (rows === undefined || isSame) return [head];
  const table = rowTable(rows, maxRows);
  if (table.rows.length === 0) return [head];
  const all = [table.header, ...table.rows];
  const widths = table.header.map((_, index) => Math.max(...all.map((line) => textWidth(line[index] ?? ''))));
  const grid = all.map((line) =>
    `    ${line.map((text, index) => padded(text, widths[index] ?? 0, false)).join('  ')}`.trimEnd(),
  );
  return [head, ...grid, ...(table.more > 0 ? [`    and ${counted(table.more, 'further row')}`] : [])];
}
