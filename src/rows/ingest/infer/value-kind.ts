import { JsonNumber } from '../../../base/text/json-number.ts';
import { microsOfText } from '../encode/time-of-text.ts';

/** What a scalar value can be. Each `time` is a text. */
export type ValueKind = 'bool' | 'integer' | 'number' | 'time' | 'text';

const [minInt64, maxInt64] = [-(2n ** 63n), 2n ** 63n - 1n];

/** RFC 3339, with an offset: other texts that GoogleSQL could cast, such as dates, stay texts. */
const rfc3339 = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;

/** The kind of a scalar other than null. Numbers come with their digits. */
export function kindOfValue(value: unknown): ValueKind {
  if (typeof value === 'boolean') return 'bool';
  if (value instanceof JsonNumber) {
    if (!/^-?\d+$/.test(value.text)) return 'number';
    const whole = BigInt(value.text);
    return whole >= minInt64 && whole <= maxInt64 ? 'integer' : 'number';
  }
  const text = String(value);
  return rfc3339.test(text) && microsOfText(text) !== undefined ? 'time' : 'text';
}
