import { microsPerDay } from '../../../sql/values/time-units.ts';
import { parseTimestamp } from '../../../sql/values/timestamp-text.ts';
import type { Value } from '../../../sql/values/value.ts';
import { datetimeTextOfMicros } from '../../../sql/values/value-text.ts';
import type { Constant } from './constant.ts';

/** What is known when a query runs. */
export interface KnownValues {
  /** By name in lower case. */
  readonly parameters: ReadonlyMap<string, Value>;
  /** Microseconds since the epoch. BigQuery's own clock can differ a little. */
  readonly now: bigint;
}

/**
 * The value of a constant. Undefined if the gateway can't tell, because only BigQuery has the function, or because the value
 * depends on a time zone. It is exact except for the clock.
 */
export function knownValue(constant: Constant, known: KnownValues): Value | undefined {
  switch (constant.kind) {
    case 'literal':
      return constant.value;
    case 'keyword':
      return constant.name;
    case 'parameter':
      return known.parameters.get(constant.name);
    case 'cast': {
      const value = knownValue(constant.value, known);
      return value === null || constant.from === constant.to ? value : converted(value, constant.to);
    }
    case 'call':
      return knownCall(constant.name, constant.arguments, known);
  }
}

/** A value of another type. */
function converted(value: Value | undefined, to: string): Value | undefined {
  if (typeof value !== 'string') return undefined;
  if (to !== 'TIMESTAMP') return undefined;
  return parseTimestamp(value.trim());
}

function knownCall(name: string, args: readonly Constant[], known: KnownValues): Value | undefined {
  const evaluate = (constant: Constant | undefined) => constant && knownValue(constant, known);
  switch (name) {
    case '$and':
      return connected(args, known, false);
    case '$or':
      return connected(args, known, true);
    case 'if':
    case '$case_no_value':
      return knownBranch(args, known);
    case '$case_with_value': {
      const [value, ...rest] = args;
      const isCondition = (index: number) => index % 2 === 0 && index < rest.length - 1;
      const searched = rest.map(
        (argument, index): Constant =>
          isCondition(index) && value !== undefined
            ? { kind: 'call', name: '$equal', arguments: [value, argument] }
            : argument,
      );
      return knownBranch(searched, known);
    }
    case 'coalesce':
    case 'ifnull': {
      for (const argument of args) {
        const value = evaluate(argument);
        if (value !== null) return value;
      }
      return null;
    }
    case '$is_null': {
      const value = evaluate(args[0]);
      return value === undefined ? undefined : value === null;
    }
    case '$is_true':
    case '$is_false': {
      const value = evaluate(args[0]);
      return value === undefined ? undefined : value === (name === '$is_true');
    }
    case '$in': {
      const [value, ...others] = args;
      const equal = others.map(
        (other): Constant => ({ kind: 'call', name: '$equal', arguments: [value as Constant, other] }),
      );
      return connected(equal, known, true);
    }
    case 'current_timestamp':
      return known.now;
    case 'current_date':
      return args.length > 0 ? undefined : dateOf(known.now);
  }
  const values = args.map(evaluate);
  if (values.includes(undefined)) return undefined;
  if (name === 'nullif') return values[0] === null ? null : isEqual(values) ? null : values[0];
  if (values.includes(null)) return null;
  switch (name) {
    case '$not':
      return values[0] !== true;
    case '$equal':
      return isEqual(values);
    case '$not_equal': {
      const equal = isEqual(values);
      return equal === undefined ? undefined : !equal;
    }
    case '$less':
      return compared(values, (left, right) => left < right);
    case '$less_or_equal':
      return compared(values, (left, right) => left <= right);
    case '$greater':
      return compared(values, (left, right) => left > right);
    case '$greater_or_equal':
      return compared(values, (left, right) => left >= right);
    case 'array_length':
      return Array.isArray(values[0]) ? BigInt(values[0].length) : undefined;
    case 'timestamp':
      return values.length === 1 ? converted(values[0], 'TIMESTAMP') : undefined;
    case 'timestamp_add':
      return movedTime(values, 1n);
    case 'timestamp_sub':
      return movedTime(values, -1n);
    case 'date_add':
      return movedDate(values, 1n);
    case 'date_sub':
      return movedDate(values, -1n);
    case 'timestamp_trunc':
      return truncated(values);
    default:
      return undefined;
  }
}

/** AND or OR. `decisive` is the value that decides alone. */
function connected(
  args: readonly Constant[],
  known: KnownValues,
  decisive: boolean,
): boolean | null | undefined {
  const values = args.map((argument) => knownValue(argument, known));
  if (values.includes(decisive)) return decisive;
  if (values.includes(undefined)) return undefined;
  return values.includes(null) ? null : !decisive;
}

/** IF and CASE: conditions and results alternate, possibly with another result at the end. */
function knownBranch(args: readonly Constant[], known: KnownValues): Value | undefined {
  for (let at = 0; at < args.length; at += 2) {
    const [condition, result] = [args[at], args[at + 1]];
    if (condition === undefined) return undefined;
    if (result === undefined) return knownValue(condition, known);
    const value = knownValue(condition, known);
    if (value === undefined) return undefined;
    if (value === true) return knownValue(result, known);
  }
  return null;
}

/** Undefined for types whose equality isn't that of their values here. */
function isEqual([left, right]: readonly (Value | undefined)[]): boolean | undefined {
  if (left === null || right === null) return undefined;
  const isPlain = ['string', 'bigint', 'boolean'].includes(typeof left) && typeof left === typeof right;
  return isPlain ? left === right : undefined;
}

/** Whole numbers and times only: the order of texts isn't that of their code units. */
function compared(
  [left, right]: readonly (Value | undefined)[],
  compare: (left: bigint, right: bigint) => boolean,
): boolean | undefined {
  return typeof left === 'bigint' && typeof right === 'bigint' ? compare(left, right) : undefined;
}

const partMicros: Readonly<Record<string, bigint>> = {
  MICROSECOND: 1n,
  MILLISECOND: 1_000n,
  SECOND: 1_000_000n,
  MINUTE: 60_000_000n,
  HOUR: 3_600_000_000n,
  DAY: microsPerDay,
};

function movedTime([time, amount, part]: readonly (Value | undefined)[], sign: bigint): bigint | undefined {
  const micros = partMicros[String(part)];
  if (typeof time !== 'bigint' || typeof amount !== 'bigint' || micros === undefined) return undefined;
  return time + sign * amount * micros;
}

function movedDate([date, amount, part]: readonly (Value | undefined)[], sign: bigint): string | undefined {
  const days = part === 'DAY' ? 1n : part === 'WEEK' ? 7n : undefined;
  if (typeof date !== 'string' || typeof amount !== 'bigint' || days === undefined) return undefined;
  const begin = parseTimestamp(date);
  return begin === undefined ? undefined : dateOf(begin + sign * amount * days * microsPerDay);
}

function truncated([time, part, zone]: readonly (Value | undefined)[]): bigint | undefined {
  const micros = partMicros[String(part)];
  if (typeof time !== 'bigint' || micros === undefined || zone !== undefined) return undefined;
  return floored(time, micros);
}

/** The greatest multiple of a width that isn't after a time. */
export function floored(time: bigint, width: bigint): bigint {
  return time - (((time % width) + width) % width);
}

function dateOf(micros: bigint): string {
  return datetimeTextOfMicros(micros).slice(0, 10);
}
