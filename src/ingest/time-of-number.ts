/** A count of seconds, milliseconds, microseconds or nanoseconds since the epoch, by its digits: 2001 to 2286. */
const unitByDigits: ReadonlyMap<number, (count: bigint) => bigint> = new Map([
  [10, (seconds) => seconds * 1_000_000n],
  [13, (milliseconds) => milliseconds * 1000n],
  [16, (microseconds) => microseconds],
  [19, (nanoseconds) => nanoseconds / 1000n],
]);

/** Seconds or milliseconds from 1973 to 2001, or microseconds of 1970. */
const ambiguousDigits: ReadonlySet<number> = new Set([9, 11, 12]);

/**
 * The time that a whole number means, in microseconds since the epoch. Numbers with other digits, and negative ones, are
 * microseconds, as in the gateway's own responses. Nanoseconds are truncated.
 *
 * @returns undefined for a number that could be in several units
 */
export function microsOfNumber(count: bigint): bigint | undefined {
  const digits = String(count).length;
  if (count < 0n) return count;
  const inMicros = unitByDigits.get(digits);
  if (inMicros !== undefined) return inMicros(count);
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
