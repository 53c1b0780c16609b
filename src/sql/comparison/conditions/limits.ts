import type { Term } from '../terms/term.ts';

/**
 * Compares two values that are fixed for a call: below zero if the first is less, undefined if it isn't known. They are constants of
 * one type, equal expressions, or times at a distance from the same time.
 */
export function compareLimits(one: Term, other: Term): number | undefined {
  if (isNull(one) || isNull(other)) return undefined;
  if (one.key === other.key) return 0;
  return compareConstants(one, other) ?? compareTimes(one, other);
}

function isNull({ constant }: Term): boolean {
  return constant !== undefined && constant.value === null;
}

function compareConstants({ constant: one }: Term, { constant: other }: Term): number | undefined {
  if (one === undefined || other === undefined || one.type.kind !== other.type.kind) return undefined;
  const [a, b] = [one.value, other.value];
  switch (one.type.kind) {
    case 'INT64':
    case 'TIMESTAMP':
      return sign(BigInt(String(a)), BigInt(String(b)));
    case 'FLOAT64':
      return Number.isNaN(a) || Number.isNaN(b) ? undefined : sign(Number(a), Number(b));
    case 'NUMERIC':
    case 'BIGNUMERIC':
      return sign(scaled(String(a)), scaled(String(b)));
    case 'DATE':
    case 'DATETIME':
      // Texts of years with four digits are in the order of time. A fraction may follow.
      return sign(String(a), String(b));
    case 'STRING':
      return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
    case 'BOOL':
      return sign(Number(a), Number(b));
    default:
      return undefined;
  }
}

/** A decimal number in the smallest unit of BIGNUMERIC. */
function scaled(text: string): bigint {
  const [, minus = '', whole = '0', fraction = ''] = /^(-?)(\d*)\.?(\d*)$/.exec(text) ?? [];
  return BigInt(`${minus}${whole || '0'}${fraction.padEnd(38, '0')}`);
}

function sign<T extends bigint | number | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A time at a distance from another one. */
interface Distance {
  readonly from: Term;
  /** In microseconds and in months, later if positive. */
  readonly micros: bigint;
  readonly months: bigint;
}

function compareTimes(one: Term, other: Term): number | undefined {
  const [a, b] = [distanceOf(one), distanceOf(other)];
  if (a === undefined || b === undefined || a.from.key !== b.from.key) return undefined;
  // Months have no fixed length: they are compared with months only.
  if (a.micros === b.micros && a.micros === 0n) return sign(a.months, b.months);
  return a.months === 0n && b.months === 0n ? sign(a.micros, b.micros) : undefined;
}

const second = 1_000_000n;
const day = 86_400n * second;

const lengths: ReadonlyMap<string, bigint> = new Map([
  ['MICROSECOND', 1n],
  ['MILLISECOND', 1000n],
  ['SECOND', second],
  ['MINUTE', 60n * second],
  ['HOUR', 3600n * second],
  ['DAY', day],
  ['WEEK', 7n * day],
]);

const monthCounts: ReadonlyMap<string, bigint> = new Map([
  ['MONTH', 1n],
  ['QUARTER', 3n],
  ['YEAR', 12n],
]);

function distanceOf(term: Term): Distance | undefined {
  const call = /^(?:timestamp|date|datetime)_(add|sub)$/.exec(term.name);
  if (term.kind !== 'call' || call === null || term.isSafe === true)
    return { from: term, micros: 0n, months: 0n };
  const [from, count, part] = term.args;
  const value = count?.constant?.value;
  if (from === undefined || typeof value !== 'bigint' || part?.kind !== 'keyword') return undefined;
  const by = call[1] === 'sub' ? -value : value;
  const [length, months] = [lengths.get(part.name), monthCounts.get(part.name)];
  if (length !== undefined) return { from, micros: by * length, months: 0n };
  return months === undefined ? undefined : { from, micros: 0n, months: by * months };
}
