import { z } from 'zod';
import { formatProblem, positionAt } from '../../../base/errors/problem.ts';
import { JsonMistake, LocatedJson } from '../../../base/text/located-json.ts';
import { type StoredKey, storedKeyJson, storedKeySchema } from '../key/stored-key.ts';
import { KeyStoreError } from './key-store.ts';

/** A larger file is not read. A key takes some hundred bytes. */
export const maxKeysFileBytes = 100_000_000;

/** Changes with the format of the file. */
const form = 1;

const document = z.strictObject({ form: z.literal(form), keys: z.array(storedKeySchema) });

/**
 * Parses the keys of a file's text. One mistake invalidates the whole file: it could concern a restriction.
 *
 * @param file the path, for messages
 * @throws KeyStoreError with the position of the first mistake
 */
export function parseKeysFile(file: string, text: string): readonly StoredKey[] {
  const refuse = (offset: number, reason: string) =>
    new KeyStoreError(formatProblem({ file, ...positionAt(text, offset), text: reason }));
  try {
    const located = new LocatedJson(text);
    const outcome = document.safeParse(located.value);
    if (!outcome.success) {
      const [issue] = outcome.error.issues;
      const path = issue?.path ?? [];
      throw refuse(located.offsetOf(path), [path.join('.'), issue?.message].filter(Boolean).join(': '));
    }
    const { keys } = outcome.data;
    for (const field of ['id', 'digest'] as const) {
      const seen = new Set<string>();
      for (const [index, key] of keys.entries()) {
        if (seen.has(key[field]))
          throw refuse(located.offsetOf(['keys', index, field]), `the ${field} occurs twice`);
        seen.add(key[field]);
      }
    }
    return keys;
  } catch (error) {
    if (error instanceof JsonMistake) throw refuse(error.offset, `not JSON: ${error.message}`);
    throw error;
  }
}

/** The text of a file with these keys, as `parseKeysFile` reads it. */
export function printKeysFile(keys: readonly StoredKey[]): string {
  return `${JSON.stringify({ form, keys: keys.map(storedKeyJson) }, null, 2)}\n`;
}
