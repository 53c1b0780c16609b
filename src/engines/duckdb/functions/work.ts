import { parsePattern } from '../../../sql/regexp/parse.ts';
import { compile } from '../../../sql/regexp/program.ts';
import { Failure } from '../../../sql/values/function-errors.ts';
import type { SqlType } from '../../../sql/values/type.ts';
import type { Expression } from '../dialect/expression.ts';
import { timeSteps } from '../macros/arrays.ts';
import type { FunctionCall } from './call/function-call.ts';
import { structField } from './call/struct-field.ts';
import { captureOf } from './text/capture-group.ts';
import { searchOf } from './text/like.ts';
import { plainSearches } from './text/plain-regexp.ts';
import { leastLength } from './time/date-parts.ts';

/**
 * How long a call may take for a row, in nanoseconds, as SQL of type BIGINT: an estimate for the worst arguments of
 * their sizes. Undefined if a vector of any arguments takes no longer than copying them.
 */
type Work = (call: FunctionCall) => string | undefined;

/** The size of an argument in bytes as SQL. Undefined for types of constant size. */
function sizeOf(sql: string, type: SqlType): string | undefined {
  switch (type.kind) {
    case 'STRING':
    case 'JSON':
      return `strlen(${sql})`;
    case 'BYTES':
      return `octet_length(${sql})`;
    case 'ARRAY':
      return `len(${sql}) * ${elementBytes(type.element)}`;
    case 'STRUCT': {
      const sizes = type.fields.flatMap((field, i) => {
        const size = sizeOf(structField(sql, i, field.type), field.type);
        return size === undefined ? [] : [`coalesce(${size}, 0)`];
      });
      return sizes.length === 0 ? undefined : `(${sizes.join(' + ')})`;
    }
    default:
      return undefined;
  }
}

/** Whether all values of a type have about the same size, and their texts as well. */
export function isSizeConstant(type: SqlType): boolean {
  return !['STRING', 'BYTES', 'JSON', 'ARRAY', 'STRUCT', 'GEOGRAPHY'].includes(type.kind);
}

/** The assumed size of elements, without measuring each. */
function elementBytes(type: SqlType): number {
  if (type.kind === 'STRUCT')
    return type.fields.reduce((bytes, field) => bytes + elementBytes(field.type), 0);
  return type.kind === 'STRING' || type.kind === 'BYTES' || type.kind === 'JSON' ? 50 : 8;
}

/** The size of all arguments together, without constants. NULL adds nothing. */
function totalSize(call: FunctionCall): string | undefined {
  const sizes = call.types.flatMap((type, i) => {
    const argument = call.arg(i);
    const isKnown = argument.constant !== undefined || argument.isShort === true;
    const size = isKnown ? undefined : sizeOf(argument.sql, type);
    return size === undefined ? [] : [size];
  });
  if (sizes.length <= 1) return sizes[0];
  return `(${sizes.map((size) => `coalesce(${size}, 0)`).join(' + ')})`;
}

/** So many nanoseconds for each byte of the arguments. */
function perByte(nanoseconds: number): Work {
  return (call) => {
    const size = totalSize(call);
    return size === undefined ? undefined : `${size} * ${nanoseconds}`;
  };
}

const asFastAsCopying: Work = () => undefined;

/** The maximum size of short values. */
const shortBytes = 400;

/** The length of an argument in bytes as SQL, or its known length. */
function length(call: FunctionCall, index: number): string {
  const { sql, type, constant, isShort } = call.arg(index);
  if (isShort) return String(shortBytes);
  const known = constant?.value;
  return typeof known === 'string' ? String(Buffer.byteLength(known)) : (sizeOf(sql, type) ?? '0');
}

const digests = new Set([
  'md5',
  'sha1',
  'sha256',
  'sha512',
  'farm_fingerprint',
  'soundex',
  'chr',
  'generate_uuid',
]);
/** The argument with the number of characters. */
const lengthArguments: Readonly<Record<string, number>> = { substr: 2, left: 1, right: 1 };

/** Whether the result of a call is short: see `isShort` of {@link Expression}. */
export function isShortResult(name: string, call: FunctionCall): boolean {
  const index = lengthArguments[name];
  const count = index === undefined ? undefined : call.optional(index)?.constant?.value;
  if (typeof count === 'bigint') return count <= 100n;
  return digests.has(name);
}

/** The product of two lengths, which is the number of comparisons. */
const product =
  (nanoseconds: number): Work =>
  (call) =>
    `${length(call, 0)} * ${length(call, 1)} * ${nanoseconds}`;

/** A search for a text, whose time is at worst half the product of the lengths. */
const search: Work = (call) => `${length(call, 0)} * (10 + ${length(call, 1)} // 2)`;

/** A search whose time doesn't depend on a short text that is known: DuckDB's search. */
const position: Work = (call) => {
  const constant = call.arg(1).constant?.value;
  return call.count === 2 && typeof constant === 'string' && constant.length <= 100
    ? undefined
    : search(call);
};

/** Regular expressions of this size are read for each row, in nanoseconds for each byte of the pattern. */
const readingPattern = 1000;
/** A repetition with a number in a computed pattern may have a thousand times its length. */
const readingRepetition = 50_000_000;

/**
 * A match takes time for each character, at worst for each instruction of the pattern: RE2 follows all ways at once where its
 * automaton would take too much memory, or where groups are wanted.
 *
 * @param perMatch nanoseconds for each byte besides: what each match costs, if there are many
 */
const regexp =
  (perMatch: number): Work =>
  (call) => {
    const { constant: known, sql } = call.arg(1);
    const constant = known?.value;
    if (typeof constant === 'string')
      return `${length(call, 0)} * ${perMatch + 2 * Math.max(4, instructions(constant))}`;
    if (constant !== undefined) return undefined;
    const pattern = length(call, 1);
    const reading = `${pattern} * CASE WHEN contains(${textOf(call, sql)}, '{') THEN ${readingRepetition} ELSE ${readingPattern} END`;
    return `(${reading} + ${length(call, 0)} * (${perMatch} + 5 * ${pattern}))`;
  };

function textOf(call: FunctionCall, sql: string): string {
  return call.arg(1).type.kind === 'BYTES' ? `CAST(${sql} AS VARCHAR)` : sql;
}

/** The number of a pattern's instructions. */
function instructions(pattern: string): number {
  try {
    return compile(parsePattern(pattern)).instructions.length;
  } catch (error) {
    if (error instanceof Failure) return 1;
    throw error;
  }
}

/** Nanoseconds for an instruction and a character in JavaScript. */
const stepInJs = 150;
/** The matcher in JavaScript gives up after this time. */
const maxMatching = 400_000_000;

/** What DuckDB's functions don't tell is found in JavaScript: see `text/regexp.ts`. */
const extraction =
  (perMatch: number): Work =>
  (call) => {
    const constant = call.arg(1).constant?.value;
    const capture = typeof constant === 'string' ? captureOf(constant) : undefined;
    const isDuckDbs =
      call.count === 2 &&
      capture !== undefined &&
      capture.groups <= 1 &&
      !capture.isOptional &&
      !capture.canMatchNothing;
    if (isDuckDbs) return regexp(perMatch)(call);
    const size = typeof constant === 'string' ? String(instructions(constant)) : length(call, 1);
    return `least(${length(call, 0)} * (100 + ${stepInJs} * ${size}), ${maxMatching})`;
  };

const contains: Work = (call) => {
  const constant = call.arg(1).constant?.value;
  const isPlain = typeof constant === 'string' && plainSearches(constant) !== undefined;
  return isPlain ? undefined : regexp(0)(call);
};

/** LIKE of one pattern. */
const like: Work = (call) => {
  const constant = call.arg(1).constant?.value;
  if (typeof constant === 'string' && searchOf(constant) !== undefined) return undefined;
  return product(10)(call);
};

/** LIKE of several patterns. */
const quantifiedLike: Work = (call) => {
  const patterns = call.types.slice(1).map((_, i) => call.arg(i + 1));
  const known = patterns.flatMap(({ constant }) => {
    const value = constant?.value;
    return Array.isArray(value) ? value : [value];
  });
  if (known.every((pattern) => typeof pattern === 'string' && searchOf(pattern) !== undefined))
    return undefined;
  const size = known.reduce(
    (sum: number, pattern) => sum + (typeof pattern === 'string' ? pattern.length : 1000),
    0,
  );
  return `${length(call, 0)} * ${10 * size}`;
};

/** Texts that aren't ASCII become lists of characters or are read by regular expressions. */
const letters = (ofAscii: number, ofOthers: number): Work => {
  return (call) => {
    const { sql, type, constant, isShort } = call.arg(0);
    if (constant !== undefined || isShort) return undefined;
    if (type.kind === 'BYTES') return `octet_length(${sql}) * 100`;
    return `strlen(${sql}) * CASE WHEN strlen(${sql}) = length(${sql}) THEN ${ofAscii} ELSE ${ofOthers} END`;
  };
};

/** No function makes longer texts. */
const maxOutput = 1_048_576;

const padded: Work = (call) => `greatest(least(${call.sql(1)}, ${maxOutput}), 0) * 10`;

/** Without characters to remove, TRIM is fast. */
const trim: Work = (call) => (call.count === 1 ? undefined : search(call));

/** The elements from a time to another. */
const series: Work = (call) => {
  const [count, part] = [call.optional(2)?.sql ?? '1', call.optional(3)];
  const step = leastLength(count, part === undefined ? 'DAY' : call.constantText(3, 'date part'));
  const steps = timeSteps(call.sql(0), call.sql(1), `nullif(${step}, 0)`);
  return `CAST(least(greatest(${steps}, 0), ${maxOutput}) AS BIGINT) * 300`;
};

const json = perByte(300);

/** The functions whose time isn't that of `usual`, by the analyzer's name. */
const works: Readonly<Record<string, Work>> = {
  length: asFastAsCopying,
  char_length: asFastAsCopying,
  byte_length: asFastAsCopying,
  substr: asFastAsCopying,
  left: asFastAsCopying,
  right: asFastAsCopying,
  concat: asFastAsCopying,
  collate: asFastAsCopying,
  starts_with: asFastAsCopying,
  ends_with: asFastAsCopying,
  array_length: asFastAsCopying,
  array_concat: asFastAsCopying,
  array_reverse: asFastAsCopying,
  greatest: asFastAsCopying,
  least: asFastAsCopying,
  error: asFastAsCopying,
  generate_timestamp_array: series,
  generate_date_array: series,
  lower: letters(10, 300),
  upper: letters(10, 300),
  initcap: letters(100, 400),
  reverse: letters(10, 300),
  repeat: (call) => `${length(call, 0)} * greatest(least(${call.sql(1)}, ${maxOutput}), 0) * 5`,
  lpad: padded,
  rpad: padded,
  trim: trim,
  ltrim: trim,
  rtrim: trim,
  strpos: position,
  instr: position,
  replace: search,
  split: (call) => (call.optional(1)?.constant?.value === '' ? perByte(300)(call) : perByte(30)(call)),
  translate: product(1),
  edit_distance: product(10),
  regexp_contains: contains,
  regexp_extract: extraction(0),
  regexp_extract_all: extraction(300),
  regexp_instr: extraction(0),
  regexp_replace: regexp(300),
  $like: like,
  $like_any: quantifiedLike,
  $like_all: quantifiedLike,
  $not_like_any: quantifiedLike,
  $not_like_all: quantifiedLike,
  $like_any_array: quantifiedLike,
  $like_all_array: quantifiedLike,
  $not_like_any_array: quantifiedLike,
  $not_like_all_array: quantifiedLike,
  $like_any_rows: quantifiedLike,
  $like_all_rows: quantifiedLike,
  $not_like_any_rows: quantifiedLike,
  $not_like_all_rows: quantifiedLike,
  $subscript: json,
  $bitwise_and: perByte(60),
  $bitwise_or: perByte(60),
  $bitwise_xor: perByte(60),
  $bitwise_not: perByte(60),
  $bitwise_left_shift: perByte(60),
  $bitwise_right_shift: perByte(60),
  md5: perByte(10),
  sha1: perByte(10),
  sha256: perByte(10),
  normalize_and_casefold: perByte(600),
};

/** JavaScript takes some tens of nanoseconds for a byte (measured). */
const usual = perByte(60);

function workFor(name: string): Work {
  const known = Object.hasOwn(works, name) ? works[name] : undefined;
  if (known !== undefined) return known;
  // Operators compare texts and take elements.
  if (name.startsWith('$')) return asFastAsCopying;
  return /json|^lax_|^bool$|^int64$|^float64$|^string$/.test(name) ? json : usual;
}

/** Functions as fast as copying. Many of them together take long for long texts. */
const readers = new Set([
  'length',
  'char_length',
  'byte_length',
  'substr',
  'left',
  'right',
  'starts_with',
  'ends_with',
  'strpos',
  'instr',
]);

/** The size of the text that a call without an estimate reads, if it is a column. */
export function readSize(name: string, call: FunctionCall): string | undefined {
  const text = readers.has(name) ? call.arg(0) : undefined;
  return text === undefined || text.weight > 1 || text.constant !== undefined
    ? undefined
    : sizeOf(text.sql, text.type);
}

/** The same for a conversion. Those of BYTES take JavaScript; other values are short, or fail at once. */
export function workOfCast({ sql, type }: Pick<Expression, 'sql' | 'type'>, to: SqlType): string | undefined {
  const isLong = type.kind === 'BYTES' && to.kind !== 'BYTES';
  return isLong ? `octet_length(${sql}) * 60` : undefined;
}

/**
 * How long a call may take for a row: see {@link Work}.
 *
 * @param name the analyzer's name of the function
 * @param isCollated whether texts are compared by a collation, which takes JavaScript
 */
export function workOf(name: string, isCollated: boolean, call: FunctionCall): string | undefined {
  return isCollated ? usual(call) : workFor(name)(call);
}
