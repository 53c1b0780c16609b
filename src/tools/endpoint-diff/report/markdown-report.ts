import { formatProblem } from '../../../base/errors/problem.ts';
import { visibleText } from '../../../base/terminal/visible-text.ts';
import { counted } from '../../../base/text/counted.ts';
import type { CallComparison } from '../rows/call-comparison.ts';
import { bytesLine, callLine } from './call-lines.ts';
import { changeText, type DiffReport, type ReportedEndpoint, verdictOf } from './diff-report.ts';
import { rowTable } from './row-table.ts';

/**
 * The report for a comment of a pull request. Names and values are code, so that nothing in them is markup.
 *
 * @param maxRows how many rows of a call are shown
 */
export function markdownReport(report: DiffReport, maxRows: number): string {
  const { endpoints, problems, contract = [], notes, from } = report;
  const different = endpoints.filter(({ state }) => state !== 'same');
  const same = endpoints.filter(({ state }) => state === 'same');
  const silent = same.filter(({ changes }) => changes.length > 0);
  const parts = [
    '## Answers of endpoints',
    '',
    different.length === 0
      ? `Compared with ${code(from)}: no answer can differ.`
      : `Compared with ${code(from)}: ${counted(different.length, 'endpoint')} can answer differently, ${same.length} can't.`,
    ...different.flatMap((endpoint) => ['', ...endpointParts(endpoint, maxRows)]),
    ...list(
      'Changes without an effect on answers',
      silent.flatMap(({ name, changes }) =>
        changes.map((change) => `${code(name)}: ${inline(changeText(change))}`),
      ),
    ),
    ...list(
      'Clients of GraphQL',
      contract.map(
        ({ severity, text }) => `${severity === 'breaking' ? '**breaking**' : 'warning'}: ${code(text)}`,
      ),
    ),
    ...list(
      'Errors before',
      problems.before.map((problem) => code(formatProblem(problem))),
    ),
    ...list(
      'Errors now',
      problems.after.map((problem) => code(formatProblem(problem))),
    ),
    ...list('Notes', notes.map(inline)),
  ];
  return `${parts.join('\n')}\n`;
}

function list(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : ['', `### ${title}`, '', ...items.map((item) => `- ${item}`)];
}

function endpointParts(endpoint: ReportedEndpoint, maxRows: number): string[] {
  const { name, formerName, changes, compared } = endpoint;
  const was = formerName === undefined ? '' : `, formerly ${code(formerName)}`;
  const facts = [
    ...changes.map((change) => `- ${inline(changeText(change))}`),
    ...(compared?.bytes === undefined ? [] : [`- BigQuery would read ${inline(bytesLine(compared.bytes))}`]),
    ...(compared?.notes ?? []).map((note) => `- ${inline(note)}`),
  ];
  return [
    `### ${code(name)}${was}: ${verdictOf(endpoint)}`,
    ...(facts.length === 0 ? [] : ['', ...facts]),
    ...(compared?.calls ?? []).flatMap((call) => ['', ...callParts(call, maxRows)]),
  ];
}

function callParts(call: CallComparison, maxRows: number): string[] {
  const { origin, over, parameters, rows, isSame } = call;
  const head = `${inline(origin)} over ${inline(over)} ${code(parameters)}: ${inline(callLine(call))}`;
  if (rows === undefined || isSame) return [head];
  const table = rowTable(rows, maxRows);
  if (table.rows.length === 0) return [head];
  const line = (cells: readonly string[]) =>
    `| ${cells.map((text) => (text === '' ? ' ' : code(text))).join(' | ')} |`;
  const grid = [line(table.header), `|${table.header.map(() => '---|').join('')}`, ...table.rows.map(line)];
  return [head, '', ...grid, ...(table.more > 0 ? ['', `and ${counted(table.more, 'further row')}`] : [])];
}

/** A text as code. Bars would end a cell of a table, even in code. */
function code(text: string): string {
  const shown = visibleText(text).replaceAll('|', '\\|');
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const space = shown.startsWith('`') || shown.endsWith('`') ? ' ' : '';
  return `${fence}${space}${shown}${space}${fence}`;
}

/** A sentence with code in backticks. What is outside of them is no markup. */
function inline(text: string): string {
  return visibleText(text)
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/[\\<>&|*_[\]#@]/g, (mark) => `\\${mark}`)))
    .join('');
}
