import { unsupported } from '../../../../sql/resolved/unsupported.ts';
import { formatType, type SqlType } from '../../../../sql/values/type.ts';
import type { Constant } from '../../dialect/constant.ts';
import type { Expression } from '../../dialect/expression.ts';
import { fromBase64, fromHex, mimeBase64, toBase64, toHex } from '../../macros/encodings.ts';
import { raise } from '../../macros/macro.ts';
import { fromBase32, toBase32 } from '../../udf/bytes/base32.ts';
import { fromBase2, fromBase8, toBase2, toBase8 } from '../../udf/bytes/bit-digits.ts';
import { castNumberToText } from '../../udf/format/number-model-writer.ts';
import { textOfBytes } from '../../udf/text/latin.ts';
import type { TimeKind } from '../../udf/time/allowed-elements.ts';
import { castFromText, castToText } from '../../udf/time/time-functions.ts';
import { numberText } from './number-text.ts';

type Coding = (value: string, safe: boolean) => string;
type Codings = Readonly<Record<string, Coding>>;

const notAscii = "'Failed to decode invalid ASCII string'";

const ascii =
  (convert: string, type: string): Coding =>
  (value, safe) => {
    const failed = safe ? `CAST(NULL AS ${type})` : raise(notAscii, type);
    return `CASE WHEN regexp_matches(hex(${value}), '^([0-7].)*$') THEN ${convert}(${value})
      WHEN ${value} IS NOT NULL THEN ${failed} END`;
  };

const writeHex: Coding = (value) => toHex.call([value]);
const writeText: Coding = (value, safe) => textOfBytes.call([value], safe);

/** By name of the format: converts BYTES to a STRING. */
const writers: Codings = {
  HEX: writeHex,
  BASE2: (value) => toBase2.call([value]),
  BASE8: (value) => toBase8.call([value]),
  BASE16: writeHex,
  BASE32: (value) => toBase32.call([value]),
  BASE64: (value) => toBase64.call([value]),
  BASE64M: (value) => mimeBase64.call([value]),
  ASCII: ascii('decode', 'VARCHAR'),
  'UTF-8': writeText,
  UTF8: writeText,
};

const readHex: Coding = (value, safe) => fromHex.call([value], safe);
const readBase64: Coding = (value, safe) => fromBase64.call([value], safe);
const readText: Coding = (value) => `encode(${value})`;

/** By name of the format: converts a STRING to BYTES. */
const readers: Codings = {
  HEX: readHex,
  BASE2: (value, safe) => fromBase2.call([value], safe),
  BASE8: (value, safe) => fromBase8.call([value], safe),
  BASE16: readHex,
  BASE32: (value, safe) => fromBase32.call([value], safe),
  BASE64: readBase64,
  BASE64M: readBase64,
  ASCII: ascii('encode', 'BLOB'),
  'UTF-8': readText,
  UTF8: readText,
};

/** `CAST(value AS type FORMAT format)` between STRING and BYTES. */
function castBytes(value: Expression, format: Expression, safe: boolean): string {
  const [codings, type] = value.type.kind === 'BYTES' ? [writers, 'VARCHAR'] : [readers, 'BLOB'];
  const constant = format.constant?.value;
  if (constant === null) return `CAST(NULL AS ${type})`;
  if (typeof constant !== 'string') return castByRow(value.sql, format.sql, codings, type, safe);
  const coding = codings[constant.toUpperCase()];
  if (coding === undefined) throw unsupported(`the format ${constant} in a CAST between STRING and BYTES`);
  return coding(value.sql, safe);
}

/** The same with a format that depends on the row. */
function castByRow(value: string, format: string, codings: Codings, type: string, safe: boolean): string {
  const cases = Object.entries(codings).map(
    ([name, coding]) => `WHEN upper(${format}) = '${name}' THEN ${coding(value, safe)}`,
  );
  const failed = safe ? `CAST(NULL AS ${type})` : raise(`'Invalid format ' || ${format}`, type);
  return `CASE WHEN ${value} IS NULL OR ${format} IS NULL THEN NULL ${cases.join(' ')} ELSE ${failed} END`;
}

/** A cast with a format. */
interface FormatCast {
  readonly value: Expression;
  readonly type: SqlType;
  readonly format: Expression;
  readonly zone: Expression | undefined;
  readonly safe: boolean;
  /** The current time in microseconds since the epoch, from which the parts missing in a format are taken. */
  readonly now: Constant;
}

const timeKinds = new Set(['TIMESTAMP', 'DATETIME', 'DATE', 'TIME']);

/** `CAST(value AS STRING FORMAT format)` of a number. */
function castNumber({ type }: Expression, number: string, format: Expression, safe: boolean): string {
  const constant = format.constant?.value;
  if (typeof constant === 'string' && /^TM[9E]?$/i.test(constant))
    throw unsupported(`the format ${constant} in a CAST of a number`);
  return castNumberToText.call([number, `'${type.kind}'`, format.sql], safe);
}

/**
 * `CAST(value AS type FORMAT format AT TIME ZONE zone)`: of dates, times, numbers and BYTES to texts, and of texts to dates,
 * times and BYTES. The analyzer accepts no others.
 */
export function castWithFormat({ value, type, format, zone, safe, now }: FormatCast): string {
  const where = zone?.sql ?? "'UTC'";
  if (timeKinds.has(value.type.kind) && type.kind === 'STRING') {
    const kind = value.type.kind as TimeKind;
    return castToText.call([microsOf(value.sql, kind), `'${kind}'`, format.sql, where], safe);
  }
  if (value.type.kind === 'STRING' && timeKinds.has(type.kind)) {
    const kind = type.kind as TimeKind;
    const present = now.sqlAs({ kind: 'INT64' });
    const micros = castFromText.call([value.sql, `'${kind}'`, format.sql, where, present], safe);
    return timeOf(`make_timestamp(${micros})`, kind);
  }
  const number = type.kind === 'STRING' ? numberText(value.type, value.sql) : undefined;
  if (number !== undefined) return castNumber(value, number, format, safe);
  const kinds = [value.type.kind, type.kind];
  if (kinds.includes('BYTES') && kinds.includes('STRING')) return castBytes(value, format, safe);
  throw unsupported(`FORMAT in a CAST from ${formatType(value.type)} to ${formatType(type)}`);
}

function microsOf(value: string, kind: TimeKind): string {
  if (kind === 'TIME') return `epoch_us(DATE '1970-01-01' + ${value})`;
  return kind === 'DATE' ? `epoch_us(CAST(${value} AS TIMESTAMP))` : `epoch_us(${value})`;
}

function timeOf(civil: string, kind: TimeKind): string {
  return kind === 'DATE' || kind === 'TIME' ? `CAST(${civil} AS ${kind})` : civil;
}
