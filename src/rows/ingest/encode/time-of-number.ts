/**
 * The units of counts since the epoch, by the digits of a count for a time from 2001 to 2286: seconds, milliseconds,
 * microseconds, nanoseconds. Each as a power of ten microseconds.
 */
const powersByDigits: Readonly<Record<number, number>> = { 10: 6, 13: 3, 16: 0, 19: -3 };

/** The same for a time from 1973 to 2001. */
const earlierPowersByDigits: Readonly<Record<number, number>> = { 9: 6, 12: 3, 15: 0, 18: -3 };

/** In rows: seconds or milliseconds from 1973 to 2001, or microseconds of 1970. */
const ambiguousDigits: ReadonlySet<number> = new Set([9, 11, 12]);

/**
 * The time that a whole number means in a row, in microseconds since the epoch. Numbers with other digits, and negative
 * ones, are microseconds, as in the gateway's own responses. Nanoseconds are truncated.
 *
 * @returns undefined for a number that could be in several units
 */
export function microsOfNumber(count: bigint): bigint | undefined {
  const digits = String(count).length;
  if (count < 0n) return count;
  const power = powersByDigits[digits];
  if (power !== undefined) return power < 0 ? count / 10n ** BigInt(-power) : count * 10n ** BigInt(power);
  return ambiguousDigits.has(digits) ? undefined : count;
}

const secondsWithFraction = /^(\d{10})\.(\d{1,6})\d*$/;

/** The same for the text of a number of seconds with a fraction. Undefined for any other text. */
export function microsOfSeconds(text: string): bigint | undefined {
  const [, seconds, fraction] = secondsWithFraction.exec(text) ?? [];
  return seconds === undefined || fraction === undefined
    ? undefined
    : BigInt(seconds + fraction.padEnd(6, '0'));
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
