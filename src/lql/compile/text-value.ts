import { textForms } from '../../endpoints/parameters/parse-text.ts';
import type { ScalarTypeName, SqlType } from '../../sql/type.ts';
import { formatType } from '../../sql/type.ts';
import { shortened } from '../shortened.ts';
import type { Text } from '../syntax.ts';
import type { Refuse } from './resolve-path.ts';
import { literal } from './sql-text.ts';

/** The types whose values LQL can write. */
const writable: ReadonlySet<SqlType['kind']> = new Set<ScalarTypeName>([
  'BOOL',
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

/** The text as a GoogleSQL literal of the type, quoted or not; refused where it writes no value of it. */
export function textLiteral({ text, at }: Text, type: SqlType, refuse: Refuse): string {
  const kind = type.kind;
  const form = writable.has(kind) ? textForms[kind as ScalarTypeName] : undefined;
  if (form === undefined)
    return refuse(at, `values of type ${formatType(type)} can't be compared with a text`);
  const value = form.parse(text);
  if (value === undefined) {
    refuse(at, `expected ${form.expected}, got ${JSON.stringify(shortened(text))}`);
  }
  return literal(kind as ScalarTypeName, value);
}
