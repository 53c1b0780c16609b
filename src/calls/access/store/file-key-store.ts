import { dirname } from 'node:path';
import { isCode } from '../../../base/system/is-code.ts';
import { makeFolder } from '../../../base/system/make-folder.ts';
import { fileFailure, readWrittenFile, UnfitFile } from '../../../base/system/read-written-file.ts';
import { replaceFile } from '../../../base/system/replace-file.ts';
import type { StoredKey } from '../key/stored-key.ts';
import { underLock } from './file-lock.ts';
import { type KeyStore, KeyStoreError } from './key-store.ts';
import { maxKeysFileBytes, parseKeysFile, printKeysFile } from './keys-file.ts';

/** Maximum age of a gateway's knowledge of the file, in milliseconds. */
export const fileLookMs = 50;

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

  async close(): Promise<void> {}
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
