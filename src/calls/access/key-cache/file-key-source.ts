import { statSync } from 'node:fs';
import type { Clock } from '../../../base/system/clock.ts';
import { isCode } from '../../../base/system/is-code.ts';
import { fileFailure, readWrittenFileSync } from '../../../base/system/read-written-file.ts';
import type { Log } from '../../../base/terminal/log.ts';
import type { StoredKey } from '../key/stored-key.ts';
import { fileLookMs, maxKeysFileBytes, parseKeysFile } from '../store/file-key-store.ts';
import { KeyStoreError } from '../store/key-store.ts';
import type { KeySource } from './key-cache.ts';

/**
 * The keys of a file. The file is checked again when keys are read and the last check is older than a moment. A missing
 * file contains no keys. If it can't be read or is invalid, the former keys remain. Reading is tried again with each check,
 * because the cause may be temporary, such as too many open files. Otherwise, a key that is revoked now would stay valid.
 */
export class FileKeySource implements KeySource {
  readonly #file: string;
  readonly #clock: Pick<Clock, 'elapsed'>;
  readonly #log: Log;
  #keys: readonly StoredKey[] = [];
  #fingerprint: string | undefined;
  /** The last reason logged since the keys were read. */
  #lastReason: string | undefined;
  readonly #readText: (file: string) => string;
  #checkedAt = Number.NEGATIVE_INFINITY;

  /** @throws KeyStoreError when the file can't be read or is invalid */
  constructor(
    file: string,
    clock: Pick<Clock, 'elapsed'>,
    log: Log,
    readText = (path: string) => readWrittenFileSync(path, maxKeysFileBytes).toString(),
  ) {
    this.#readText = readText;
    this.#file = file;
    this.#clock = clock;
    this.#log = log;
    this.#check();
  }

  current(): readonly StoredKey[] {
    if (this.#clock.elapsed() - this.#checkedAt < fileLookMs) return this.#keys;
    try {
      this.#check();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (reason === this.#lastReason) return this.#keys;
      this.#lastReason = reason;
      this.#log.error('cannot read the keys; previously loaded keys stay valid', { reason });
    }
    return this.#keys;
  }

  close(): void {}

  #check(): void {
    this.#checkedAt = this.#clock.elapsed();
    // Before the text: a change between the two is seen by the next check.
    const fingerprint = fingerprintOf(this.#file);
    if (fingerprint === this.#fingerprint) return;
    const text = this.#read();
    // Also for invalid content, which stays invalid.
    this.#fingerprint = fingerprint;
    this.#keys = text === undefined ? [] : parseKeysFile(this.#file, text);
    this.#lastReason = undefined;
  }

  /** The text of the file; undefined when it doesn't exist. */
  #read(): string | undefined {
    try {
      return this.#readText(this.#file);
    } catch (error) {
      if (isCode(error, 'ENOENT')) return undefined;
      throw new KeyStoreError(`KEYS_FILE: the keys in ${this.#file} can't be read (${fileFailure(error)})`);
    }
  }
}

/** Differs for each version of the file: every change replaces the file. */
function fingerprintOf(file: string): string {
  try {
    const { dev, ino, size, mtimeMs, ctimeMs } = statSync(file);
    return [dev, ino, size, mtimeMs, ctimeMs].join(' ');
  } catch (error) {
    return fileFailure(error);
  }
}
