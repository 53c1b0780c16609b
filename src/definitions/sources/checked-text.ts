import type { z } from 'zod';
import { type Problem, positionAt } from '../../base/errors/problem.ts';
import { knownKeys } from '../../base/text/known-keys.ts';
import { JsonMistake, LocatedJson } from '../../base/text/located-json.ts';
import { plainIssue } from '../../base/text/plain-issue.ts';
import { suggestion } from '../../base/text/suggest.ts';
import type { SchemaPath } from './schema-check.ts';

/** The content of a JSON file that has the expected form. */
interface CheckedText<T> {
  readonly content: T;
  /** Whether the JSON is an object. */
  readonly isObject: boolean;
  /** A problem at the value with this path, or at the innermost existing value on it. */
  problem(path: SchemaPath, text: string): Problem;
}

/** Parses the text of a JSON file. Returns all problems instead if it doesn't have the form. */
export function checkedText<T>(
  file: string,
  text: string,
  formOf: (isObject: boolean) => z.ZodType<T>,
): CheckedText<T> | readonly Problem[] {
  const problemAt = (offset: number, message: string) => ({
    file,
    ...positionAt(text, offset),
    text: message,
  });
  let located: LocatedJson;
  try {
    located = new LocatedJson(text);
  } catch (error) {
    if (!(error instanceof JsonMistake)) throw error;
    return [problemAt(error.offset, `not JSON: ${error.message}`)];
  }
  const { value } = located;
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const form = formOf(isObject);
  const parsed = form.safeParse(value, { reportInput: true, error: plainIssue });
  if (!parsed.success) {
    return parsed.error.issues.flatMap((issue) => {
      const { path, message } = issue;
      if (issue.code === 'unrecognized_keys') {
        return issue.keys.map((key) =>
          problemAt(
            located.offsetOf([...path, key]),
            `Unknown key "${key}"${suggestion(key, knownKeys(form, path))}`,
          ),
        );
      }
      const at = path.at(-1);
      const subject = typeof at === 'string' ? `${at}: ` : '';
      return [problemAt(located.offsetOf(path), subject + message)];
    });
  }
  return {
    content: parsed.data,
    isObject,
    problem: (path, message) => problemAt(located.offsetOf(path), message),
  };
}
