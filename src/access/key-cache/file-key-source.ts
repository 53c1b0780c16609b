import { readFileSync, statSync } from 'node:fs';
import type { Clock } from '../../clock.ts';
import type { Log } from '../../log.ts';
import type { StoredKey } from '../key/stored-key.ts';
import { fileLookMs } from '../store/file-key-store.ts';
import { isCode } from '../store/is-code.ts';
import { KeyStoreError } from '../store/key-store.ts';
import { parseKeysFile } from '../store/keys-file.ts';
import type { KeySource } from './key-source.ts';

/**
 * The keys of a file, looked at again when they are asked for and the last look was a moment ago. A file that isn't there
 * holds no keys. One that can't be read, or holds a mistake, changes nothing: the keys before it stay. One that can't be read, perhaps
 * because too many files are open at this moment, is tried again with each look, or else a key that is revoked now would stay good.
 */
export class FileKeySource implements KeySource {
  readonly #file: string;
  readonly #clock: Pick<Clock, 'elapsed'>;
  readonly #log: Log;
  #keys: readonly StoredKey[] = [];
  #mark: string | undefined;
  /** What the log was told of last, since the keys were read. */
  #told: string | undefined;
  readonly #readText: (file: string) => string;
  #lookedAt = Number.NEGATIVE_INFINITY;

  /** @throws KeyStoreError when the file can't be read or holds a mistake */
  constructor(
    file: string,
    clock: Pick<Clock, 'elapsed'>,
    log: Log,
    readText = (path: string) => readFileSync(path, 'utf8'),
  ) {
    this.#readText = readText;
    this.#file = file;
    this.#clock = clock;
    this.#log = log;
    this.#look();
  }

  current(): readonly StoredKey[] {
    if (this.#clock.elapsed() - this.#lookedAt < fileLookMs) return this.#keys;
    try {
      this.#look();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (reason === this.#told) return this.#keys;
      this.#told = reason;
      this.#log.error('the keys can not be read: those that were known stay', { reason });
    }
    return this.#keys;
  }

  close(): void {}

  #look(): void {
    this.#lookedAt = this.#clock.elapsed();
    // Before the text: a change between the two is seen with the next look.
    const mark = markOf(this.#file);
    if (mark === this.#mark) return;
    const text = this.#read();
    // Also of what holds a mistake: it stays one.
    this.#mark = mark;
    this.#keys = text === undefined ? [] : parseKeysFile(this.#file, text);
    this.#told = undefined;
  }

  /** The text of the file; undefined when there is none. */
  #read(): string | undefined {
    try {
      return this.#readText(this.#file);
    } catch (error) {
      if (isCode(error, 'ENOENT')) return undefined;
      throw new KeyStoreError(`KEYS_FILE: the keys in ${this.#file} can't be read (${errorCode(error)})`);
    }
  }
}

/** Changes whenever the file does: each change makes another file of it. */
function markOf(file: string): string {
  try {
    const { dev, ino, size, mtimeMs, ctimeMs } = statSync(file);
    return [dev, ino, size, mtimeMs, ctimeMs].join(' ');
  } catch (error) {
    return errorCode(error);
  }
}

function errorCode(error: unknown): string {
  return String(error instanceof Error && 'code' in error ? error.code : error);
}
