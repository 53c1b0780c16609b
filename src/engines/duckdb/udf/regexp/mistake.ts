import { Failure } from '../failure.ts';
import { parsePattern } from './parse.ts';

/** What is wrong with a regular expression, as BigQuery words it. Undefined: it is one in RE2's syntax. */
export function regexpMistake(pattern: string): string | undefined {
  try {
    parsePattern(pattern);
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}
