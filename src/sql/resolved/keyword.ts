import { type AnyNode, asMessage } from './node.ts';
import { unsupported } from './unsupported.ts';

const dateParts = [
  '',
  'YEAR',
  'MONTH',
  'DAY',
  'DAYOFWEEK',
  'DAYOFYEAR',
  'QUARTER',
  'HOUR',
  'MINUTE',
  'SECOND',
  'MILLISECOND',
  'MICROSECOND',
  'NANOSECOND',
  'DATE',
  'WEEK',
  'DATETIME',
  'TIME',
  'ISOYEAR',
  'ISOWEEK',
  'WEEK_MONDAY',
  'WEEK_TUESDAY',
  'WEEK_WEDNESDAY',
  'WEEK_THURSDAY',
  'WEEK_FRIDAY',
  'WEEK_SATURDAY',
];

/**
 * Keyword arguments, such as `DAY` in `TIMESTAMP_TRUNC(t, DAY)`, are numbers of an enumeration in the tree. Maps the
 * enumeration's name to its keywords, each at its number.
 */
const keywords: ReadonlyMap<string, readonly string[]> = new Map([
  ['zetasql.functions.DateTimestampPart', dateParts],
  ['zetasql.functions.NormalizeMode', ['NFC', 'NFKC', 'NFD', 'NFKD']],
  ['zetasql.functions.RoundingMode', ['', 'ROUND_HALF_AWAY_FROM_ZERO', 'ROUND_HALF_EVEN']],
]);

/** Whether a `TypeProto` is the type of a keyword argument. */
export function isKeywordType(type: AnyNode): boolean {
  return type.type_kind === 'TYPE_ENUM';
}

/** The keyword of a `ValueProto` of such a type. */
export function keywordFromProto(type: AnyNode, value: AnyNode): string {
  const name = String(asMessage(type.enum_type, 'enum_type').enum_name);
  const keyword = keywords.get(name)?.[Number(value.enum_value)];
  if (!keyword) throw unsupported(`a keyword argument of the kind ${name.split('.').at(-1)}`);
  return keyword;
}
