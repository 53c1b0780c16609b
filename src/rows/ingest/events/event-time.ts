import { DigitsNeeded, JsonNumber } from '../../../base/text/json-number.ts';
import { maxTimestampMicros, minTimestampMicros } from '../../../sql/values/timestamp-text.ts';
import { datetimeTextOfMicros } from '../../../sql/values/value-text.ts';
import { describeValue, RowValidationError } from '../encode/row-validation-error.ts';
import { isDecimal, microsOfEventNumber } from '../encode/time-of-number.ts';
import { microsOfText } from '../encode/time-of-text.ts';

/** When an event happened. */
export interface EventTime {
  /** Microseconds since 1970. */
  readonly micros: bigint;
  /** As a value of a row. */
  readonly text: string;
}

/**
 * The time that an event states: a text as of RFC 3339 or in one of the forms of GoogleSQL, or a number (or its digits as a
 * text) whose digits tell its unit: 9 or 10 before the point are seconds since 1970, 12 or 13 milliseconds, 15 or 16
 * microseconds, 18 or 19 nanoseconds. Those are the times from 1973 to 2286. Parts of a microsecond are dropped.
 *
 * @throws RowValidationError for other values
 * @throws DigitsNeeded if only a number's digits are precise enough
 */
export function eventTime(value: unknown): EventTime {
  const micros = microsOf(value);
  if (micros === undefined || micros < minTimestampMicros || micros > maxTimestampMicros) {
    throw new RowValidationError(`expected TIMESTAMP, got ${describeValue(value)}`);
  }
  return typeof value === 'string' && plain.test(value) ? { micros, text: value } : timeOfMicros(micros);
}

export function timeOfMicros(micros: bigint): EventTime {
  return { micros, text: datetimeTextOfMicros(micros) };
}

/** The usual form, on one of the first 28 days of a month after 1970, needs no other check. */
const plain =
  /^((?:19[7-9]|20\d|21\d)\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d{1,6}))?Z$/;

function microsOf(value: unknown): bigint | undefined {
  if (typeof value === 'string') return microsOfEventText(value);
  if (value instanceof JsonNumber) return microsOfEventNumber(value.text);
  if (typeof value !== 'number') return undefined;
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) throw new DigitsNeeded();
  return microsOfEventNumber(String(value));
}

function microsOfEventText(text: string): bigint | undefined {
  const usual = plain.exec(text);
  if (usual !== null) {
    const [, seconds = '', fraction = ''] = usual;
    return BigInt(Date.parse(`${seconds}Z`) * 1000 + Number(fraction.padEnd(6, '0')));
  }
  if (isDecimal(text)) return microsOfEventNumber(text);
  return microsOfText(text);
}
