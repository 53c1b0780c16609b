import { parseDate, parseDatetime, parseTime } from '../../../sql/values/civil-text.ts';
import { parseDecimal } from '../../../sql/values/decimal-text.ts';
import { maxTimestampMicros, minTimestampMicros } from '../../../sql/values/timestamp-text.ts';
import type { ScalarTypeName } from '../../../sql/values/type.ts';
import type { Value } from '../../../sql/values/value.ts';
import { formatInterval } from '../../../sql/values/value-text.ts';

const pattern = /^([+-]?)(\d+)-(\d+) ([+-]?\d+) ([+-]?)(\d+):(\d+):(\d+)(?:\.(\d{1,6})0*)?$/;

/** Normalises an INTERVAL's text, `Y-M D H:M:S[.F]`, to the form of `Value`. Undefined for other texts. */
function parseInterval(text: string): string | undefined {
  const parts = pattern.exec(text);
  if (parts === null) return undefined;
  const [, monthSign, years, months, days, timeSign, hours, minutes, seconds, fraction = ''] = parts;
  const allMonths = Number(years) * 12 + Number(months);
  const allSeconds = (BigInt(hours ?? 0) * 60n + BigInt(minutes ?? 0)) * 60n + BigInt(seconds ?? 0);
  const micros = allSeconds * 1_000_000n + BigInt(fraction.padEnd(6, '0'));
  return formatInterval(
    monthSign === '-' ? -allMonths : allMonths,
    Number(days),
    timeSign === '-' ? -micros : micros,
  );
}

/** Parses a cell that isn't NULL. Undefined if it is not a value of the type. */
type ScalarReader = (cell: unknown) => Value | undefined;

/**
 * Parsers for BigQuery's REST API, where a cell is a text. JSON numbers and booleans are accepted too, if they are
 * exact.
 */
export const scalarReaders: Readonly<Record<ScalarTypeName, ScalarReader>> = {
  BOOL: (cell) => {
    if (cell === 'true' || cell === true) return true;
    return cell === 'false' || cell === false ? false : undefined;
  },
  INT64: (cell) => (Number.isSafeInteger(cell) ? BigInt(cell as number) : ofText(cell, readInteger)),
  FLOAT64: (cell) => (Number.isFinite(cell) ? (cell as number) : ofText(cell, readFloat)),
  NUMERIC: (cell) => ofText(cell, (text) => parseDecimal(text, 'NUMERIC')),
  BIGNUMERIC: (cell) => ofText(cell, (text) => parseDecimal(text, 'BIGNUMERIC')),
  STRING: asText,
  BYTES: (cell) => ofText(cell, readBase64),
  DATE: (cell) => ofText(cell, parseDate),
  DATETIME: (cell) => ofText(cell, parseDatetime),
  TIME: (cell) => ofText(cell, parseTime),
  TIMESTAMP: (cell) => ofText(cell, readMicros),
  INTERVAL: (cell) => ofText(cell, parseInterval),
  JSON: asText,
  GEOGRAPHY: asText,
};

function asText(cell: unknown): string | undefined {
  return typeof cell === 'string' ? cell : undefined;
}

function ofText<T extends Value>(cell: unknown, read: (text: string) => T | undefined): T | undefined {
  return typeof cell === 'string' ? read(cell) : undefined;
}

const integer = /^-?\d{1,19}$/;

function readInteger(text: string): bigint | undefined {
  if (!integer.test(text)) return undefined;
  const value = BigInt(text);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

/** Microseconds, as requested by `useInt64Timestamp`. The other form, seconds with a fraction, has lost digits. */
function readMicros(text: string): bigint | undefined {
  const micros = readInteger(text);
  const isInRange = micros !== undefined && micros >= minTimestampMicros && micros <= maxTimestampMicros;
  return isInRange ? micros : undefined;
}

const float = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
const notFinite: ReadonlyMap<string, number> = new Map([
  ['nan', Number.NaN],
  ['inf', Number.POSITIVE_INFINITY],
  ['infinity', Number.POSITIVE_INFINITY],
  ['-inf', Number.NEGATIVE_INFINITY],
  ['-infinity', Number.NEGATIVE_INFINITY],
]);

function readFloat(text: string): number | undefined {
  if (!float.test(text)) return notFinite.get(text.toLowerCase().replace(/^\+/, ''));
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

function readBase64(text: string): string | undefined {
  return Buffer.from(text, 'base64').toString('base64') === text ? text : undefined;
}
