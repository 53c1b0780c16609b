import { unsupported } from '../../../../sql/resolved/unsupported.ts';
import type { Expression } from '../../expression.ts';
import { fromBase64, fromHex } from '../../macros/encodings.ts';
import { fromBase32, toBase32 } from '../../udf/base32.ts';
import { textOfBytes } from '../../udf/latin.ts';

type Coding = (value: string, safe: boolean) => string;

/** By name of the format: converts BYTES to a STRING. */
const writers: Readonly<Record<string, Coding>> = {
  HEX: (value) => `lower(hex(${value}))`,
  BASE16: (value) => `lower(hex(${value}))`,
  BASE32: (value) => toBase32.call([value]),
  BASE64: (value) => `to_base64(${value})`,
  'UTF-8': (value, safe) => textOfBytes.call([value], safe),
};

/** By name of the format: converts a STRING to BYTES. */
const readers: Readonly<Record<string, Coding>> = {
  HEX: (value, safe) => fromHex.call([value], safe),
  BASE16: (value, safe) => fromHex.call([value], safe),
  BASE32: (value, safe) => fromBase32.call([value], safe),
  BASE64: (value, safe) => fromBase64.call([value], safe),
  'UTF-8': (value) => `encode(${value})`,
};

/** `CAST(value AS type FORMAT format)` between STRING and BYTES, with a constant format. */
export function castBytes(value: Expression, format: Expression, safe: boolean): string {
  const codings = value.type.kind === 'BYTES' ? writers : readers;
  const name = typeof format.constant === 'string' ? format.constant.toUpperCase() : '';
  const coding = Object.hasOwn(codings, name) ? codings[name] : undefined;
  if (coding === undefined) throw unsupported(`the format ${name} in a CAST between STRING and BYTES`);
  return coding(value.sql, safe);
}
