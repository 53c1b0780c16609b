import { stringLiteral } from '../../dialect/literal.ts';
import { like } from '../../macros/text.ts';
import { guarded } from '../call/entry.ts';
import type { FunctionCall } from '../call/function-call.ts';
import { orBytes } from './bytes-as-text.ts';
import { maxPlainLength, type PlainSearch, plainSearch, searchSql } from './plain-search.ts';

/** A wildcard of a pattern, or a literal character with its preceding backslash. */
const part = /\\?./gsu;

/** A text with `%` only at its ends. */
const plain = /^(?<before>%*)(?<text>(?:[^%_\\]|\\.)*)(?<after>%*)$/su;

/** The plain search that is equivalent to a pattern. Undefined if it has a wildcard between literal text, or `_`. */
export function searchOf(pattern: string): PlainSearch | undefined {
  const { before = '', text, after = '' } = plain.exec(pattern)?.groups ?? {};
  if (text === undefined) return undefined;
  const isAnything = text === '' && before !== '';
  return plainSearch(text.replace(/\\(.)/gsu, '$1'), before === '', after === '' && !isAnything);
}

/**
 * Whether DuckDB's own LIKE takes linear time. If a pattern contains more than literal text between its `%`s, DuckDB
 * tries every position for each of them: `%a_%a_%a_%c` takes cubic time, without interruption.
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
  // Without a group, DuckDB's optimizer would turn it back into a LIKE.
  return `(?s)\\A(${expression})\\z`;
}

/** LIKE of texts. Most constant patterns are a search for one text. DuckDB's LIKE handles the others. */
export function likeSql(call: FunctionCall): string {
  const [text, { sql, constant: known }] = [call.sql(0), call.arg(1)];
  const constant = known?.value;
  const isLoose = typeof constant === 'string' && constant.replace(/\\./gs, '').endsWith('\\');
  if (typeof constant !== 'string' || isLoose || constant.length > maxPlainLength)
    return like.call([text, sql], call.safe);
  const search = searchOf(constant);
  if (search !== undefined) return searchSql(text, search);
  if (!isQuick(constant)) return `regexp_matches(${text}, ${stringLiteral(asRegexp(constant))})`;
  return constant.includes('\\') ? `(${text} LIKE ${sql} ESCAPE '\\')` : `(${text} LIKE ${sql})`;
}

/** `LIKE` with one pattern. */
export const likeEntry = orBytes(guarded(likeSql));
