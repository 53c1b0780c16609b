import { unsupported } from '../../../../sql/resolved/unsupported.ts';
import type { Expression } from '../../dialect/expression.ts';
import { fromBase64, fromHex, mimeBase64, toBase64, toHex } from '../../macros/encodings.ts';
import { raise } from '../../macros/macro.ts';
import { fromBase32, toBase32 } from '../../udf/bytes/base32.ts';
import { fromBase2, fromBase8, toBase2, toBase8 } from '../../udf/bytes/bit-digits.ts';
import { textOfBytes } from '../../udf/text/latin.ts';

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
export function castBytes(value: Expression, format: Expression, safe: boolean): string {
  const [codings, type] = value.type.kind === 'BYTES' ? [writers, 'VARCHAR'] : [readers, 'BLOB'];
  const { constant } = format;
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
