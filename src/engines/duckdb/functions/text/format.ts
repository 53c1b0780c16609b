import { fixed } from '../../dialect/constant.ts';
import { constantExpression, type Expression } from '../../dialect/expression.ts';
import { type ArgumentKind, formatText } from '../../udf/format/format.ts';
import { parseFormat, type Specifier } from '../../udf/format/specifier.ts';
import { concatenated } from '../call/concatenated.ts';
import { type FunctionEntries, guarded } from '../call/entry.ts';
import type { FunctionCall } from '../call/function-call.ts';
import { numberText } from './number-text.ts';
import { orNull, valueText } from './value-text.ts';

/**
 * The SQL of common specifiers in a constant format. NULL arguments give NULL, except for %t and %T. The analyzer has
 * compared the types of the values with literal formats only.
 */
function write({ flags, width, precision, conversion }: Specifier, value: Expression): string | undefined {
  const isPlain = flags === '' && width === undefined && precision === undefined;
  const { kind } = value.type;
  switch (conversion) {
    case 't':
    case 'T':
      return isPlain ? orNull(valueText(value.type, value.sql, conversion)) : undefined;
    case 's':
      return isPlain && kind === 'STRING' ? value.sql : undefined;
    case 'd':
    case 'i':
      if (kind !== 'INT64') return undefined;
      if (isPlain) return `CAST(${value.sql} AS VARCHAR)`;
      if (!isPrintf(flags) || width === '*' || precision !== undefined) return undefined;
      return `printf('%${flags}${width ?? ''}d', ${value.sql})`;
    case 'e':
    case 'f':
    case 'g':
      if (kind !== 'FLOAT64' || !isPrintf(flags) || width === '*' || precision === '*') return undefined;
      // %g has at least one digit, which DuckDB's printf doesn't guarantee.
      if (conversion === 'g' && Number(precision) === 0) return undefined;
      return real(value.sql, `%${flags}${width ?? ''}.${precision ?? 6}${conversion}`);
    default:
      return undefined;
  }
}

/** Whether DuckDB's own printf supports the flags. */
const isPrintf = (flags: string) => /^[-+ 0]*$/.test(flags);

/** DuckDB prints larger numbers inexactly. Zero must have no sign. */
function real(value: string, form: string): string {
  const long = formatText.call([`'${form}'`, "'f'", `[CAST(${value} AS VARCHAR), '', '']`]);
  return `CASE WHEN abs(${value}) >= 1e15 THEN ${long} ELSE printf('${form}', ${value} + 0) END`;
}

/** The maximum length of a format's result besides its texts, unless the length of each value is checked first. */
const longestForm = 2_000;

/** The maximum length of a part of a format's result, for any value. */
function lengthOf(part: string | Specifier): number {
  if (typeof part === 'string') return part.length;
  return [part.width, part.precision].reduce<number>((sum, size) => sum + (Number(size) || 0), 0);
}

/** The SQL of a constant, short format with common specifiers only. */
function common(format: string, values: readonly Expression[]): string | undefined {
  const parts = parseFormat(format);
  if (parts.reduce((sum, part) => sum + lengthOf(part), 0) > longestForm) return undefined;
  let next = 0;
  const written: Expression[] = [];
  for (const part of parts) {
    if (typeof part === 'string') {
      written.push(constantExpression({ kind: 'STRING' }, fixed(part)));
      continue;
    }
    const value = values[next++];
    const sql = value && write(part, value);
    if (value === undefined || sql === undefined) return undefined;
    written.push({ ...value, sql });
  }
  if (next !== values.length) return undefined;
  return written.length === 0 ? "''" : concatenated(written);
}

const kinds: Readonly<Record<string, ArgumentKind>> = {
  INT64: 'i',
  FLOAT64: 'f',
  NUMERIC: 'n',
  BIGNUMERIC: 'n',
  STRING: 's',
  JSON: 'j',
};

function rawText({ type, sql }: Expression): string {
  const isText = kinds[type.kind] !== undefined;
  return numberText(type, sql) ?? (isText ? sql : `CASE WHEN ${sql} IS NOT NULL THEN '' END`);
}

/** Any other format. Each argument is passed in all the texts that may be needed. */
function general(call: FunctionCall, format: Expression, values: readonly Expression[]): string {
  const letters = values.map(({ type }) => kinds[type.kind] ?? 'o').join('');
  const known = format.constant?.value;
  const asked = typeof known === 'string' ? new Set(known) : undefined;
  const wanted = (style: 't' | 'T', { type, sql }: Expression) =>
    asked === undefined || asked.has(style) ? valueText(type, sql, style) : 'NULL';
  const texts = values.flatMap((value) => [rawText(value), wanted('t', value), wanted('T', value)]);
  return formatText.call([format.sql, `'${letters}'`, `CAST([${texts.join(', ')}] AS VARCHAR[])`], call.safe);
}

function format(call: FunctionCall): string {
  const [pattern, ...values] = call.all();
  if (pattern === undefined) throw call.refusal('no format');
  const constant = pattern.constant?.value;
  const sql = typeof constant === 'string' ? common(constant, values) : undefined;
  return sql ?? general(call, pattern, values);
}

export const formatFunctions: FunctionEntries = { format: guarded(format) };
