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
 * holds no keys. One that can't be read, or holds a mistake, changes nothing: the keys before it stay.
 */
export class FileKeySource implements KeySource {
  readonly #file: string;
  readonly #clock: Pick<Clock, 'elapsed'>;
  readonly #log: Log;
  #keys: readonly StoredKey[] = [];
  #mark: string | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;

  /** @throws KeyStoreError when the file can't be read or holds a mistake */
  constructor(file: string, clock: Pick<Clock, 'elapsed'>, log: Log) {
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
    // Also of what can't be used: it is told of once.
    this.#mark = mark;
    this.#keys = read(this.#file);
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

function read(file: string): readonly StoredKey[] {
  try {
    return parseKeysFile(file, readFileSync(file, 'utf8'));
  } catch (error) {
    if (isCode(error, 'ENOENT')) return [];
    if (error instanceof KeyStoreError) throw error;
    throw new KeyStoreError(`${file}: the keys can't be read (${errorCode(error)})`);
  }
}

function errorCode(error: unknown): string {
  return String(error instanceof Error && 'code' in error ? error.code : error);
}
