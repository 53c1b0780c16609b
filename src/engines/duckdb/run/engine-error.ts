import { GatewayError } from '../../../base/errors/errors.ts';
import { failureKind } from '../../engine/failure-kind.ts';
import { decimalText } from '../dialect/decimal-units.ts';
import { raisedPrefix, raisedSuffix, transientPrefix } from '../dialect/raised-error.ts';
import { memoryExceeded } from '../guard/memory-guard.ts';
import { ResourcesExceeded } from '../guard/resources-exceeded.ts';
import { fatalError, isFatal } from '../store/fatal.ts';

/** A DuckDB error as callers see it. */
export interface EngineError {
  /** A message for callers, in BigQuery's words if it has any. */
  readonly message: string;
  /**
   * `query`: the query fails on its data. `regexp`: a regular expression is invalid. `moment`: a transient lack of
   * memory or time. `engine`: everything else; the message then omits the cause.
   */
  readonly kind: 'query' | 'regexp' | 'transient' | 'engine';
}

interface Pattern {
  readonly pattern: RegExp;
  readonly kind: EngineError['kind'];
  readonly message: (groups: readonly string[]) => string;
}

const operators: Readonly<Record<string, string>> = {
  addition: '+',
  subtraction: '-',
  subtract: '-',
  multiplication: '*',
};

/** Converts a number of billionths, which is how DuckDB shows a NUMERIC in errors. */
const billionths = (units: string) => decimalText(BigInt(units), 9);

/** A raised message stands at the beginning: elsewhere, the prefix is part of a value that the error quotes. */
const raised = (prefix: string) =>
  new RegExp(`^[\\w ]+ Error: (?:Could not convert string ')?${prefix}(.*?)(?:${raisedSuffix}|$)`, 's');

/** A pattern with `.*` is anchored: it would take quadratic time for a quoted value that repeats its beginning. */
const patterns: readonly Pattern[] = [
  {
    pattern: raised(transientPrefix),
    kind: 'transient',
    message: ([text = '']) => text,
  },
  {
    pattern: raised(raisedPrefix),
    kind: 'query',
    message: ([text = '']) => text,
  },
  {
    pattern: /Overflow in (addition|subtraction|multiplication) of INT64 \((-?\d+) . (-?\d+)\)/,
    kind: 'query',
    message: ([operation = '', a, b]) => `int64 overflow: ${a} ${operators[operation]} ${b}`,
  },
  {
    pattern:
      /Overflow in (addition|subtraction|subtract|multiplication) of DECIMAL\(38\) \((-?\d+) . (-?\d+)\)/,
    kind: 'query',
    message: ([operation = '', a = '', b = '']) =>
      `numeric overflow: ${billionths(a)} ${operators[operation]} ${billionths(b)}`,
  },
  {
    pattern: /Overflow in negation of numeric value/,
    kind: 'query',
    message: () => 'int64 overflow: --9223372036854775808',
  },
  {
    pattern: /^Conversion Error: Type INT128 with value (-?\d+) can't be cast .* type INT64/,
    kind: 'query',
    message: ([value]) => `int64 out of range: ${value}`,
  },
  {
    pattern: /Failed to cast decimal value (\S+) to type INT64/,
    kind: 'query',
    message: ([value]) => `int64 out of range: ${value}`,
  },
  {
    pattern: /^Conversion Error: Could not convert string '(.*?)' to INT64/s,
    kind: 'query',
    message: ([text]) => `Bad int64 value: ${text}`,
  },
  {
    pattern: /Failure in decode/,
    kind: 'query',
    message: () => 'Invalid cast of bytes to UTF8 string',
  },
  {
    pattern:
      /((?:invalid (?:perl operator|character class|escape sequence|named capture|UTF-8|group|repeat)|missing (?:argument|closing|\)|\])|bad repetition|no argument for repetition|unexpected \)|trailing \\|expression nests|pattern too large|invalid repetition)[^\n]*)/i,
    kind: 'regexp',
    // RE2's reason quotes the pattern, which may be very long.
    message: ([reason = '']) => `Cannot parse regular expression: ${reason.slice(0, 200)}`,
  },
  {
    pattern: /^[\w ]+ Error: Unknown TimeZone '(.*?)'/,
    kind: 'query',
    message: ([zone]) => `Invalid time zone: ${zone}`,
  },
  {
    pattern: /More than one row returned by a subquery/i,
    kind: 'query',
    message: () => 'Scalar subquery produced more than one element',
  },
  {
    pattern: /^[\w ]+ Error: Could not parse string "(.*?)" according to format specifier/s,
    kind: 'query',
    message: ([text]) => `Failed to parse input string "${text}"`,
  },
  {
    // The form is valid, but the day or hour doesn't exist.
    pattern: /^Conversion Error: (timestamp|date|time) field value out of range: "([^"\n]{0,100})/,
    kind: 'query',
    message: ([type, text]) => `Invalid ${type}: '${text}'`,
  },
  {
    pattern: /^Conversion Error/,
    kind: 'query',
    message: () => 'A value could not be converted to the type that is needed',
  },
  { pattern: /^Out of Range Error/, kind: 'query', message: () => 'A value is out of the range of its type' },
  {
    pattern: /^Invalid Input Error/,
    kind: 'query',
    message: () => 'A function was given a value that it does not take',
  },
  {
    pattern: /^Out of Memory Error/,
    kind: 'transient',
    message: () => memoryExceeded,
  },
];

/** Interprets a DuckDB error for emitted SQL. Its own text, which may quote the SQL, is not passed on. */
export function readEngineError(error: unknown): EngineError {
  const text = error instanceof Error ? error.message : String(error);
  for (const { pattern, kind, message } of patterns) {
    const match = pattern.exec(text);
    if (match !== null) return { message: message(match.slice(1)), kind };
  }
  return { message: 'The engine could not run the query', kind: 'engine' };
}

/** The error of a query that DuckDB has failed to run. */
export function queryError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  if (isFatal(error)) return fatalError(error);
  const { kind, message } = readEngineError(error);
  if (kind === 'transient') return new ResourcesExceeded(message, error);
  const isOfData = kind === 'query' || kind === 'regexp';
  return new GatewayError('QUERY_FAILED', message, {
    cause: error,
    ...(isOfData && { kind: failureKind(message) }),
  });
}
