import { once } from 'node:events';
import type { WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { UnfitFile } from '../../base/system/read-written-file.ts';
import { openOutputFile } from '../../base/system/write-output-file.ts';
import type { BadRow } from './parse/bad-rows.ts';

/** A file of skipped rows, one JSON object a line: `{"file", "line", "reason", "row"}`. Its first row creates it. */
export class RejectFile {
  readonly path: string;
  #stream: WriteStream | undefined;

  constructor(path: string) {
    this.path = path;
  }

  /** Rejects with an UnfitFile, or as `fs` does, when the file can't be written. */
  async add(file: string, { line, reason, text }: BadRow): Promise<void> {
    this.#stream ??= await this.#open();
    const taken = this.#stream.write(`${JSON.stringify({ file, line, reason, row: text })}\n`);
    if (!taken) await once(this.#stream, 'drain');
  }

  async close(): Promise<void> {
    if (this.#stream === undefined) return;
    this.#stream.end();
    await finished(this.#stream);
  }

  async #open(): Promise<WriteStream> {
    try {
      return (await openOutputFile(this.path)).createWriteStream();
    } catch (error) {
      if (!(error instanceof UnfitFile)) throw error;
      throw new UnfitFile(`${this.path}: rejected rows can't be written there, because ${error.message}`);
    }
  }
}
