import { textForms } from '../../text/parse-text.ts';
import { literal } from '../../text/sql-text.ts';
import type { ScalarTypeName, SqlType } from '../../values/type.ts';
import { formatType } from '../../values/type.ts';
import { microsOfUnixTime } from '../parse/read-instant.ts';
import { shortened } from '../syntax/shortened.ts';
import type { Text } from '../syntax/syntax.ts';
import type { Refuse } from './resolve-path.ts';

/** Types that LQL can write values of, and whose order matches what users mean by `>`. */
export const orderedTypes: ReadonlySet<SqlType['kind']> = new Set<ScalarTypeName>([
  'INT64',
  'FLOAT64',
  'NUMERIC',
  'BIGNUMERIC',
  'STRING',
  'DATE',
  'DATETIME',
  'TIME',
  'TIMESTAMP',
]);

const isWritable = (kind: SqlType['kind']) => kind === 'BOOL' || orderedTypes.has(kind);

/**
 * The text as a GoogleSQL literal of the type, quoted or not; digits are a TIMESTAMP if they are a Unix time. Refused if it is
 * not a value of the type.
 */
export function textLiteral({ text, at }: Text, type: SqlType, refuse: Refuse): string {
  const kind = type.kind;
  const form = isWritable(kind) ? textForms[kind as ScalarTypeName] : undefined;
  if (form === undefined)
    return refuse(at, `values of type ${formatType(type)} can't be compared with a text`);
  const value = (kind === 'TIMESTAMP' ? microsOfUnixTime(text) : undefined) ?? form.parse(text);
  if (value === undefined) {
    refuse(at, `expected ${form.expected}, got ${JSON.stringify(shortened(text))}`);
  }
  return literal(kind as ScalarTypeName, value);
}
