import { stringLiteral } from '../../text/sql-text.ts';
import type { Text } from '../syntax/syntax.ts';
import type { QueryScope } from './query-scope.ts';

/** A regular expression as a GoogleSQL literal. An invalid one is refused before any row is read. */
export function patternLiteral(
  { text, at }: Text,
  { regexpMistake, refuse }: Pick<QueryScope, 'regexpMistake' | 'refuse'>,
): string {
  const mistake = regexpMistake(text);
  if (mistake !== undefined) refuse(at, mistake);
  return stringLiteral(text);
}
