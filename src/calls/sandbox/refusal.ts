import { type ErrorCode, GatewayError, type TextLocation } from '../../base/errors/errors.ts';
import { bySimilarity } from '../../base/text/suggest.ts';
import type { AnalyzerError } from '../../sql/analyzer/error.ts';
import { type PlacedText, placeOf } from '../../sql/text/place.ts';

/** Messages quote the caller's text, which may be long. */
const maxSentence = 500;

/** Analyzer errors that mean that a query refers to something it isn't offered. All others are mistakes in the query. */
const violations =
  /^(?:Table(?:-valued function)? not (?:found|supported)|Statement not supported|System variable|Function not found: (?:session_user|external_query)\b|(?:`?\w*`?\.)*information_schema|.*\b(?:table-valued functions?|TVFs?) (?:is|are) not supported)/i;

function refused(code: ErrorCode, text: string, place: TextLocation | undefined, hint = ''): GatewayError {
  const short = text.length > maxSentence ? `${text.slice(0, maxSentence).toWellFormed()}...` : text;
  if (place === undefined) return new GatewayError(code, `${short}${hint}`);
  return new GatewayError(code, `${short} [at ${place.line}:${place.column}]${hint}`, { location: place });
}

/**
 * Returns the error for a query that is invalid or too large.
 *
 * @param place in the caller's own text, counted from 1
 */
export function badInput(text: string, place?: TextLocation): GatewayError {
  return refused('BAD_USER_INPUT', text, place);
}

/** Returns the error for a query that refers to something it isn't offered. */
export function violation(text: string, place?: TextLocation): GatewayError {
  return refused('SANDBOX_VIOLATION', text, place);
}

/**
 * Returns the analyzer's error about an ad-hoc query. For an unknown table, it lists the existing ones.
 *
 * @param text the text that the error's position refers to
 * @param tables the names that the text may read
 */
export function refusal(error: AnalyzerError, text: PlacedText, tables: readonly string[]): GatewayError {
  const place = error.position && placeOf(text, error.position);
  if (!violations.test(error.message)) return badInput(error.message, place);
  const [, missing] = /^Table not found: (.*?)(?:; .*)?$/s.exec(error.message) ?? [];
  if (missing === undefined) return violation(error.message, place);
  const hint = `. Tables: ${bySimilarity(missing, tables).join(', ')}`;
  return refused('SANDBOX_VIOLATION', `Table not found: ${missing}`, place, hint);
}
