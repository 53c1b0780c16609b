import { Failure } from '../values/function-errors.ts';
import { parsePattern } from './parse.ts';

/** The error in a regular expression, in BigQuery's words. Undefined if it is valid RE2 syntax. */
export function regexpMistake(pattern: string): string | undefined {
  try {
    parsePattern(pattern);
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}
