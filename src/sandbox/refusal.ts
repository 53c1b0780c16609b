import { GatewayError } from '../errors.ts';
import type { AnalyzerError } from '../sql/analyzer/error.ts';
import { type PlacedText, placeOf } from '../sql/place.ts';
import { bySimilarity } from '../text/suggest.ts';

/** Sentences quote what the caller wrote, at whatever length. */
const maxSentence = 500;

/** Mistakes by which a query reaches for more than it is offered; every other one is a mistake in the query. */
const violations =
  /^(?:Table(?:-valued function)? not (?:found|supported)|Statement not supported|System variable|Function not found: (?:session_user|external_query)\b|(?:`?\w*`?\.)*information_schema|.*\b(?:table-valued functions?|TVFs?) (?:is|are) not supported)/i;

interface Place {
  readonly line: number;
  readonly column: number;
}

function sentence(text: string, place: Place | undefined): string {
  const short = text.length > maxSentence ? `${text.slice(0, maxSentence).toWellFormed()}...` : text;
  return place === undefined ? short : `${short} [at ${place.line}:${place.column}]`;
}

/** The error for a query that is wrong or too large. `place`, from 1, is in the caller's own text. */
export function badInput(text: string, place?: Place): GatewayError {
  return new GatewayError('BAD_USER_INPUT', sentence(text, place));
}

/** The error for a query that reaches for what it isn't offered. */
export function violation(text: string, place?: Place): GatewayError {
  return new GatewayError('SANDBOX_VIOLATION', sentence(text, place));
}

/**
 * What the analyzer has against a caller's text, in its own words. Of a table that isn't there, it goes on to say
 * which ones are.
 *
 * @param text the one whose places the error gives
 * @param tables the names that the text may read
 */
export function refusal(error: AnalyzerError, text: PlacedText, tables: readonly string[]): GatewayError {
  const place = error.position && placeOf(text, error.position);
  if (!violations.test(error.message)) return badInput(error.message, place);
  const [, missing] = /^Table not found: (.*?)(?:; .*)?$/s.exec(error.message) ?? [];
  if (missing === undefined) return violation(error.message, place);
  const { code, message } = violation(`Table not found: ${missing}`, place);
  return new GatewayError(code, `${message}. Tables: ${bySimilarity(missing, tables).join(', ')}`);
}
