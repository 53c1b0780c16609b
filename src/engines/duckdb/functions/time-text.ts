import { unsupported } from '../../../sql/resolved/unsupported.ts';
import { stringLiteral } from '../literal.ts';
import { inRange } from '../macros/time.ts';
import { type FunctionEntries, failing, guarded } from './entry.ts';
import type { FunctionCall } from './function-call.ts';
import { formatTime } from './time-format.ts';
import { instantIn } from './zone.ts';

function format(call: FunctionCall): string {
  const { sql, type } = call.arg(1);
  const moment = type.kind === 'TIME' ? `(DATE '1970-01-01' + ${sql})` : sql;
  const text = formatTime(call.constantText(0, 'format'), moment, call.optional(2));
  return `CASE WHEN ${call.sql(1)} IS NOT NULL THEN ${text} END`;
}

/**
 * The formats of DuckDB that read what a format of GoogleSQL does. A date has to be complete, for what is
 * missing is 1970 on one side and 1900 on the other.
 */
function readFormats(format: string): readonly string[] {
  const spelled = format
    .replaceAll('%F', '%Y-%m-%d')
    .replaceAll('%T', '%H:%M:%S')
    .replaceAll('%R', '%H:%M')
    .replaceAll('%Ez', '%z');
  const unknown = /%(?!Y|m|d|H|M|S|B|b|I|p|y|j|z|%|E[*\d]S)./s.exec(spelled);
  if (unknown !== null) throw unsupported(`the format element ${unknown[0]} for reading`);
  if (!/%[Yy]/.test(spelled)) throw unsupported('reading a date without a year');
  const fraction = /%E[*\d]S/g;
  if (!fraction.test(spelled)) return [spelled];
  return [spelled.replaceAll(fraction, '%S.%f'), spelled.replaceAll(fraction, '%S')];
}

const parse = guarded((call) => {
  const formats = readFormats(call.constantText(0, 'format'));
  const list = `[${formats.map(stringLiteral).join(', ')}]`;
  const zoned = formats.some((text) => text.includes('%z'));
  if (zoned && call.type.kind !== 'TIMESTAMP') throw call.refusal('an offset');
  const read = `CAST(${call.safe ? 'try_strptime' : 'strptime'}(${call.sql(1)}, ${list}) AS TIMESTAMP)`;
  const value = zoned ? read : instantIn(read, call.optional(2));
  if (call.optional(2) !== undefined && zoned) throw call.refusal('both an offset and a zone');
  return call.type.kind === 'DATE' ? `CAST(${value} AS DATE)` : inRange.call([value], call.safe);
});

export const timeTextFunctions: FunctionEntries = {
  format_timestamp: failing(format),
  format_datetime: failing(format),
  format_date: failing(format),
  format_time: failing(format),
  parse_timestamp: parse,
  parse_datetime: parse,
  parse_date: parse,
};
