import path from 'node:path';
import { LRUCache } from 'lru-cache';
import type { CheckedFile, CheckedFiles } from '../../definitions/endpoints/plan-query-file.ts';
import type { QueryFile } from '../../definitions/endpoints/query-file.ts';

/** Files of which it is known what they are, at most. Those of a project that a text reads are few. */
const maxFiles = 200;

/** Keeps what is known of files that are read at every check of a text. */
export class CheckedCache implements CheckedFiles {
  readonly #checked = new LRUCache<string, CheckedFile>({ max: maxFiles });
  readonly #read = new LRUCache<string, QueryFile>({ max: 10 * maxFiles });

  get(location: string): CheckedFile | undefined {
    return this.#checked.get(path.resolve(location));
  }

  set(location: string, checked: CheckedFile): void {
    this.#checked.set(path.resolve(location), checked);
  }

  /** A file as it was the last time. */
  readBefore(location: string): QueryFile | undefined {
    return this.#read.get(path.resolve(location));
  }

  setRead(file: QueryFile): void {
    this.#read.set(path.resolve(file.location), file);
  }
}
