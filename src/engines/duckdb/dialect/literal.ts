import { formatType, type SqlType } from '../../../sql/values/type.ts';
import type { Value } from '../../../sql/values/value.ts';
import { datetimeTextOfMicros } from '../../../sql/values/value-text.ts';
import { bignumericScale, unitsOf } from './decimal-units.ts';
import { duckType } from './duck-type.ts';

/**
 * A value as a constant in DuckDB's SQL, of exactly the DuckDB type that `type` maps to. This is the only place where
 * values become SQL text: literals of a query and values of parameters alike.
 *
 * TIMESTAMP becomes a plain `TIMESTAMP '...'`, with which DuckDB prunes row groups. A value in another form than
 * `Value` requires for its type is a defect of the caller and throws a TypeError.
 */
export function literalSql(type: SqlType, value: Value): string {
  if (value === null) return `CAST(NULL AS ${duckType(type)})`;
  switch (type.kind) {
    case 'BOOL':
      if (typeof value === 'boolean') return String(value);
      break;
    case 'INT64':
      if (typeof value === 'bigint') return integer(value);
      break;
    case 'FLOAT64':
      if (typeof value === 'number') return `'${Object.is(value, -0) ? '-0' : value}'::DOUBLE`;
      break;
    case 'STRING':
    case 'JSON':
      if (typeof value === 'string') return stringLiteral(value);
      break;
    case 'TIMESTAMP':
      if (typeof value === 'bigint') return `TIMESTAMP '${instantText(value)}'`;
      break;
    case 'ARRAY':
      if (Array.isArray(value)) {
        const short = value.length >= longArray ? arrayAsText(type.element, value) : undefined;
        if (short !== undefined) return `CAST(${short} AS ${duckType(type)})`;
        const elements = value.map((element: Value) => literalSql(type.element, element));
        return `CAST([${elements.join(', ')}] AS ${duckType(type)})`;
      }
      break;
    case 'STRUCT':
      if (Array.isArray(value) && value.length === type.fields.length) {
        const fields = type.fields.map((field, i) => literalSql(field.type, value[i]));
        return `CAST(row(${fields.join(', ')}) AS ${duckType(type)})`;
      }
      break;
    default:
      if (typeof value === 'string') return textual(type, value);
  }
  throw mismatch(type);
}

/** The number of elements from which an array is written as one text: DuckDB then parses it 40 times faster (measured). */
const longArray = 50;
/** The unit separator: unlikely in texts. */
const separator = '\x1f';

/** An array as one text that DuckDB splits. Undefined for an array that has no such form. */
function arrayAsText({ kind }: SqlType, elements: readonly Value[]): string | undefined {
  if (kind === 'INT64' && elements.every((element) => typeof element === 'bigint')) {
    return `'[${elements.join(', ')}]'`;
  }
  const canSplit = (element: Value) => typeof element === 'string' && !element.includes(separator);
  if (kind !== 'STRING' || !elements.every(canSplit)) return undefined;
  return `string_split(${stringLiteral(elements.join(separator))}, '${separator}')`;
}

/** A string constant. SQL text can't contain NUL, so it is added by `chr(0)`. */
export function stringLiteral(text: string): string {
  const parts = text.split('\0').map((part) => `'${part.replaceAll("'", "''")}'`);
  return parts.length === 1 ? `${parts[0]}` : `(${parts.join(' || chr(0) || ')})`;
}

function integer(value: bigint): string {
  return value < 0n ? `'${value}'::BIGINT` : `${value}::BIGINT`;
}

/** The first and the last TIMESTAMP, in microseconds since the epoch. */
export const firstMicros = -62_135_596_800_000_000n;
export const lastMicros = 253_402_300_799_999_999n;

function instantText(micros: bigint): string {
  if (micros < firstMicros || micros > lastMicros)
    throw new RangeError('A TIMESTAMP is outside the years 1 to 9999');
  return datetimeTextOfMicros(micros).replace('T', ' ');
}

const date = String.raw`\d{4}-\d\d-\d\d`;
const time = String.raw`\d\d:\d\d:\d\d(\.\d{6})?`;

/** The types with values that are strings of a fixed form: that form, and the SQL of the constant. */
function textual(type: SqlType, value: string): string {
  switch (type.kind) {
    case 'DATE':
      if (matches(date, value)) return `DATE '${value}'`;
      break;
    case 'TIME':
      if (matches(time, value)) return `TIME '${value}'`;
      break;
    case 'DATETIME':
      if (matches(`${date}T${time}`, value)) return `TIMESTAMP '${value.replace('T', ' ')}'`;
      break;
    case 'NUMERIC':
      if (matches(String.raw`-?\d{1,29}(\.\d{1,9})?`, value)) return `'${value}'::${duckType(type)}`;
      break;
    case 'BIGNUMERIC':
      if (matches(String.raw`-?\d{1,39}(\.\d{1,38})?`, value))
        return `'${unitsOf(value, bignumericScale)}'::${duckType(type)}`;
      break;
    case 'BYTES':
      if (matches('[A-Za-z0-9+/]*={0,2}', value))
        return `unhex('${Buffer.from(value, 'base64').toString('hex')}')`;
      break;
    case 'INTERVAL':
      return interval(value);
    default:
      duckType(type); // Refuses the type by its name.
  }
  throw mismatch(type);
}

function interval(value: string): string {
  const parts = /^(-?)(\d+)-(\d+) (-?\d+) (-?)(\d+):(\d+):(\d+)(?:\.(\d{1,6}))?$/.exec(value);
  if (parts === null) throw mismatch({ kind: 'INTERVAL' });
  const [, monthSign, years, months, days, timeSign, hours, minutes, seconds, fraction = ''] = parts;
  const totalMonths = Number(years) * 12 + Number(months);
  const wholeSeconds = (BigInt(hours ?? 0) * 60n + BigInt(minutes ?? 0)) * 60n + BigInt(seconds ?? 0);
  const micros = wholeSeconds * 1_000_000n + BigInt(fraction.padEnd(6, '0'));
  return `INTERVAL '${monthSign}${totalMonths} months ${days} days ${timeSign}${micros} microseconds'`;
}

function matches(form: string, value: string): boolean {
  return new RegExp(`^(?:${form})$`).test(value);
}

function mismatch(type: SqlType): TypeError {
  return new TypeError(`A value has not the form of the type ${formatType(type)}`);
}
