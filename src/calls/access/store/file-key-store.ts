import { dirname } from 'node:path';
import { z } from 'zod';
import { formatProblem, positionAt } from '../../../base/errors/problem.ts';
import { isCode } from '../../../base/system/is-code.ts';
import { makeFolder } from '../../../base/system/make-folder.ts';
import { fileFailure, readWrittenFile, UnfitFile } from '../../../base/system/read-written-file.ts';
import { replaceFile } from '../../../base/system/replace-file.ts';
import { JsonMistake, LocatedJson } from '../../../base/text/located-json.ts';
import { parsedJson } from '../../../base/text/parsed-json.ts';
import { keyUsesJson, type LastUses, lastUsesSchema, laterUses, mergedUses } from '../key/last-uses.ts';
import { type StoredKey, storedKeyJson, storedKeySchema } from '../key/stored-key.ts';
import { underLock } from './file-lock.ts';
import { type KeyStore, KeyStoreError } from './key-store.ts';

/** Maximum age of a gateway's knowledge of the file, in milliseconds. */
export const fileLookMs = 50;

/** A larger file is not read. A key takes some hundred bytes. */
export const maxKeysFileBytes = 100_000_000;

/** Keys in a file that only its owner may read. Readers see the complete file, before or after a change. */
export class FileKeyStore implements KeyStore {
  readonly settleMs = fileLookMs + 10;
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  async read(): Promise<readonly StoredKey[]> {
    try {
      return parseKeysFile(this.#file, (await readWrittenFile(this.#file, maxKeysFileBytes)).toString());
    } catch (error) {
      if (isCode(error, 'ENOENT')) return [];
      throw explained(error, this.#file);
    }
  }

  async put(change: (keys: readonly StoredKey[]) => StoredKey): Promise<StoredKey> {
    await makeFolder(dirname(this.#file)).catch((error) => {
      throw explained(error, this.#file);
    });
    return underLock(`${this.#file}.lock`, async () => {
      const keys = await this.read();
      const key = change(keys);
      await replaceFile(this.#file, printKeysFile(withKey(keys, key)));
      return key;
    }).catch((error) => {
      throw explained(error, this.#file);
    });
  }

  async uses(): Promise<LastUses> {
    try {
      const text = (await readWrittenFile(this.#usesFile, maxKeysFileBytes)).toString();
      const { data } = usesDocument.safeParse(parsedJson(text));
      if (data !== undefined) return data.uses;
      throw new KeyStoreError(`${this.#usesFile}: not the last uses of keys; remove the file`);
    } catch (error) {
      if (isCode(error, 'ENOENT')) return new Map();
      throw explained(error, this.#usesFile);
    }
  }

  async addUses(uses: LastUses): Promise<void> {
    await underLock(`${this.#usesFile}.lock`, async () => {
      const stored = await this.uses();
      const later = laterUses(uses, stored);
      if (later.size === 0) return;
      const all = [...mergedUses(stored, later)].map(([id, times]) => [id, keyUsesJson(times)]);
      const text = JSON.stringify({ form, uses: Object.fromEntries(all) }, null, 2);
      await replaceFile(this.#usesFile, `${text}\n`);
    }).catch((error) => {
      throw explained(error, this.#usesFile);
    });
  }

  async close(): Promise<void> {}

  /** Beside the keys, which gateways only read. */
  get #usesFile(): string {
    return `${this.#file}.used`;
  }
}

/** A failure of the file system, as a sentence for the operator. */
function explained(error: unknown, file: string): unknown {
  const isOfFile = error instanceof UnfitFile || (error instanceof Error && 'syscall' in error);
  if (!isOfFile) return error;
  return new KeyStoreError(`KEYS_FILE: the keys in ${file} can't be read or written (${fileFailure(error)})`);
}

/** Adds a key, or replaces the one with its id. */
export function withKey(keys: readonly StoredKey[], key: StoredKey): readonly StoredKey[] {
  const isPresent = keys.some(({ id }) => id === key.id);
  return isPresent ? keys.map((other) => (other.id === key.id ? key : other)) : [...keys, key];
}

/** Changes with the format of the file. */
const form = 1;

const document = z.strictObject({ form: z.literal(form), keys: z.array(storedKeySchema) });
const usesDocument = z.strictObject({ form: z.literal(form), uses: lastUsesSchema });

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
    const seen = new Set<string>();
    for (const [index, key] of keys.entries()) {
      const digests = [key.digest, ...(key.former ?? []).map(({ digest }) => digest)];
      for (const [field, values] of [['id', [key.id]] as const, ['digest', digests] as const])
        for (const value of values) {
          if (seen.has(value))
            throw refuse(located.offsetOf(['keys', index, field]), `the ${field} occurs twice`);
          seen.add(value);
        }
    }
    return keys;
  } catch (error) {
    if (error instanceof JsonMistake) throw refuse(error.offset, `not JSON: ${error.message}`);
    throw error;
  }
}

/** The text of a file with these keys, as `parseKeysFile` reads it. */
function printKeysFile(keys: readonly StoredKey[]): string {
  return `${JSON.stringify({ form, keys: keys.map(storedKeyJson) }, null, 2)}\n`;
}
