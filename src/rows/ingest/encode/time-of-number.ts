/**
 * The units of counts since the epoch, by the digits of a count for a time from 2001 to 2286: seconds, milliseconds,
 * microseconds, nanoseconds. Each as a power of ten microseconds.
 */
const powersByDigits: Readonly<Record<number, number>> = { 10: 6, 13: 3, 16: 0, 19: -3 };

/** The same for a time from 1973 to 2001. */
const earlierPowersByDigits: Readonly<Record<number, number>> = { 9: 6, 12: 3, 15: 0, 18: -3 };

/** In rows: seconds until 5138, or microseconds of the first day of 1970. */
const ambiguousDigits = 11;

/** Of microseconds after the year 5138, such as the last time that a row can have. Only events are sure to mean nanoseconds. */
const lateDigits = 18;

/**
 * The time that a number means in a row, in microseconds since the epoch. It is that of `microsOfEventNumber`, and whole
 * numbers with other digits are microseconds, as in the gateway's own responses, of which 1970's have few digits.
 *
 * @param text as for `isDecimal`
 * @returns undefined for a number that could be in several units, and for other texts
 */
export function microsOfRowNumber(text: string): bigint | undefined {
  const [, sign = '', whole = '', fraction] = decimal.exec(text) ?? [];
  const micros = sign === '' && whole.length !== lateDigits ? microsOfEventNumber(text) : undefined;
  if (micros !== undefined) return micros;
  if (whole === '' || fraction !== undefined || (sign === '' && whole.length === ambiguousDigits))
    return undefined;
  return BigInt(sign + whole);
}

const decimal = /^(-?)(\d{1,20})(?:\.(\d+))?$/;

/** Whether a text is a number that can count the time since the epoch, with or without a fraction. */
export function isDecimal(text: string): boolean {
  return decimal.test(text);
}

/**
 * The time of an event that a number means, in microseconds since the epoch. Unlike rows, events don't come from the
 * gateway's own responses, so that a number of microseconds has no other digits than one of a time from 1973 to 2286.
 * Parts of a microsecond are dropped.
 *
 * @param text as for `isDecimal`
 * @returns undefined for a number with other digits, and for other texts
 */
export function microsOfEventNumber(text: string): bigint | undefined {
  const [, sign = '', whole = '', fraction = ''] = decimal.exec(text) ?? [];
  const power = powersByDigits[whole.length] ?? earlierPowersByDigits[whole.length];
  if (power === undefined) return undefined;
  const digits = power < 0 ? whole.slice(0, power) : whole + fraction.slice(0, power).padEnd(power, '0');
  return BigInt(sign + digits);
}
