import { stringLiteral } from '../../literal.ts';
import { like } from '../../macros/text.ts';
import { guarded } from '../entry.ts';
import type { FunctionCall } from '../function-call.ts';
import { orBytes } from './bytes-as-text.ts';
import { maxPlainLength, type PlainSearch, plainSearch, searchSql } from './plain-search.ts';

/** A wildcard of a pattern, or a character that stands for itself, with the backslash before it. */
const part = /\\?./gsu;

/** A text with `%` at its ends only. */
const plain = /^(?<before>%*)(?<text>(?:[^%_\\]|\\.)*)(?<after>%*)$/su;

/** The search that a pattern means. Undefined: it has a wildcard between literal text, or `_`. */
function searchOf(pattern: string): PlainSearch | undefined {
  const { before = '', text, after = '' } = plain.exec(pattern)?.groups ?? {};
  if (text === undefined) return undefined;
  const isAnything = text === '' && before !== '';
  return plainSearch(text.replace(/\\(.)/gsu, '$1'), before === '', after === '' && !isAnything);
}

/**
 * Whether DuckDB's own LIKE takes time in proportion to the text. Where a pattern has more between its `%`s than literal
 * text, it tries every place for each of them: `%a_%a_%a_%c` takes the cube of the length, and nothing interrupts it.
 */
function isQuick(pattern: string): boolean {
  const [, ...behindPercents] = pattern.split(/%+/);
  const searched = behindPercents.filter((text) => text !== '').length;
  return !/[_\\]/.test(pattern) || searched <= 1;
}

/** The pattern as a regular expression. */
function asRegexp(pattern: string): string {
  const expression = pattern.replace(part, (text) => {
    if (text === '%') return '.*';
    if (text === '_') return '.';
    return `\\x{${text.codePointAt(text.length > 1 && text.startsWith('\\') ? 1 : 0)?.toString(16)}}`;
  });
  // Without a group, DuckDB's optimizer makes a LIKE of it again.
  return `(?s)\\A(${expression})\\z`;
}

/** A pattern that is known is mostly a search for one text. What else it means is left to DuckDB. */
function matches(call: FunctionCall): string {
  const [text, { sql, constant }] = [call.sql(0), call.arg(1)];
  const isLoose = typeof constant === 'string' && constant.replace(/\\./gs, '').endsWith('\\');
  if (typeof constant !== 'string' || isLoose || constant.length > maxPlainLength)
    return like.call([text, sql], call.safe);
  const search = searchOf(constant);
  if (search !== undefined) return searchSql(text, search);
  if (!isQuick(constant)) return `regexp_matches(${text}, ${stringLiteral(asRegexp(constant))})`;
  return constant.includes('\\') ? `(${text} LIKE ${sql} ESCAPE '\\')` : `(${text} LIKE ${sql})`;
}

/** `LIKE` with one pattern. The analyzer makes several of those with more. */
export const likeEntry = orBytes(guarded(matches));
