import type { Spread } from './spread.ts';

/** A whole number with separators: `12,345`. */
export function countText(number: number): string {
  return Math.round(number).toLocaleString('en');
}

/** About two digits of a factor: `0.025 ×`, `0.83 ×`, `2.3 ×`, `17 ×`. */
export function factorText(factor: number): string {
  if (factor < 0.1) return `${Number(factor.toPrecision(2))} ×`;
  return `${factor < 10 ? factor.toFixed(factor < 1 ? 2 : 1) : countText(factor)} ×`;
}

/** Milliseconds with two digits, or all that are before the point: `0.42 ms`, `1.2 ms`, `12 ms`, `1,234 ms`. */
export function msText(milliseconds: number): string {
  if (milliseconds < 1) return `${Number(milliseconds.toPrecision(2))} ms`;
  // From 9.95 on, a further digit would be a third one: `10.0`.
  return `${milliseconds < 9.95 ? milliseconds.toFixed(1) : countText(milliseconds)} ms`;
}

/**
 * A median with its range, and its unit once: `12 ms (11–14)`.
 *
 * @param text the text of a number, with a space before its unit if it has one
 */
export function rangeText(
  { median, least, most }: Pick<Spread, 'median' | 'least' | 'most'>,
  text: (value: number) => string,
): string {
  const number = (value: number) => text(value).split(' ', 1).join('');
  return `${text(median)} (${number(least)}–${number(most)})`;
}

/** A part of a whole: `93 %`. Few per cent have a further digit. */
export function percentText(part: number): string {
  const percent = part * 100;
  return `${percent !== 0 && percent < 10 ? percent.toFixed(1) : Math.round(percent).toLocaleString('en')} %`;
}

/** Bytes in megabytes: `240 MB`. */
export function megabytesText(bytes: number): string {
  return `${countText(bytes / 1e6)} MB`;
}

/** Millions of rows or smaller numbers of them: `10 million`, `50,000`. */
export function rowsText(rows: number): string {
  return rows % 1_000_000 === 0 ? `${rows / 1_000_000} million` : countText(rows);
}

/** Texts as an enumeration: `a`, `a and b`, `a, b and c`. */
export function listText(texts: readonly string[]): string {
  const last = texts.at(-1) ?? '';
  return texts.length < 2 ? last : `${texts.slice(0, -1).join(', ')} and ${last}`;
}

/** Differences below this part are within what repeats of a measurement differ by. */
const sameWithin = 0.05;

/** How a number compares with another, for sentences such as "It answers 2.3 times as many requests as …". */
export function asManyText(factor: number): string {
  if (Math.abs(factor - 1) < sameWithin) return 'about as many';
  return factor > 1 ? `${trimmed(factor)} times as many` : `${percentText(factor)} as many`;
}

/** How a time compares with another: `1.4 times as long as`, `as long as`. */
export function asLongText(factor: number): string {
  if (Math.abs(factor - 1) < sameWithin) return 'about as long';
  return `${factor < 1 ? factor.toFixed(2) : trimmed(factor)} times as long`;
}

function trimmed(factor: number): string {
  return factor.toFixed(factor < 10 ? 1 : 0);
}
