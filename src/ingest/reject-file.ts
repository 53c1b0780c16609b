import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import type { BadRow } from './bad-rows.ts';

/** A file of skipped rows, one JSON object a line: `{"file", "line", "reason", "row"}`. Its first row creates it. */
export class RejectFile {
  readonly path: string;
  #stream: WriteStream | undefined;

  constructor(path: string) {
    this.path = path;
  }

  /** Rejects as `fs` does when the file can't be written. */
  async add(file: string, { line, reason, text }: BadRow): Promise<void> {
    this.#stream ??= createWriteStream(this.path);
    const taken = this.#stream.write(`${JSON.stringify({ file, line, reason, row: text })}\n`);
    if (!taken) await once(this.#stream, 'drain');
  }

  async close(): Promise<void> {
    if (this.#stream === undefined) return;
    this.#stream.end();
    await finished(this.#stream);
  }
}
