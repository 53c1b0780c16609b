import type { Output } from '../../base/terminal/output.ts';
import { visibleText } from '../../base/terminal/visible-text.ts';
import { counted } from '../../base/text/counted.ts';
import { columnLine, parameterLine } from '../output/describe-types.ts';
import type { CallDescription, EngineWork } from './describe-call.ts';

/** Prints what is known of a call, as comments of SQL. */
export function printDescription(
  { endpoint, parameters, columns, tables }: CallDescription,
  { out }: Output,
): void {
  const { name, id, file, description } = endpoint;
  const lines = [
    `${name}  ${id}  ${file}`,
    ...(description === '' ? [] : description.split(/\r?\n/)),
    ...parameters.map(parameterLine),
    ...columns.map(columnLine),
    `reads ${tables.join(', ') || 'no table'}`,
  ];
  // A line break in a name would leave the comment.
  out(lines.map((line) => `-- ${visibleText(line)}\n`).join(''));
}

export function printStatements(sql: readonly string[], { out }: Output): void {
  out(`${sql.join(';\n')}\n`);
}

/** Prints DuckDB's plans, and the bytes that BigQuery would read. */
export function printFurtherWork({ plan = [], bytesProcessed }: EngineWork, { out }: Output): void {
  for (const each of plan) out(`\n${each.split('\n').map(visibleText).join('\n')}\n`);
  if (bytesProcessed !== undefined) out(`-- would read ${counted(bytesProcessed, 'byte')}\n`);
}
