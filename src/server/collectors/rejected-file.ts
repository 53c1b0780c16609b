import { appendFile, mkdir, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import pLimit from 'p-limit';
import { sizeOfFile } from '../../base/system/exists.ts';
import type { Log } from '../../base/terminal/log.ts';
import type { Rejection } from '../../rows/ingest/events/parsed-events.ts';

/** The file is renamed to `<name>.1` when it is larger, in bytes. So both together have at most about twice as much. */
const maxFileBytes = 8_000_000;
/** Bytes that may wait to be written. A stream of bad events is faster than a disk: further ones are only counted. */
const maxWaitingBytes = 4_000_000;

/** A bounded file of rejected events, one JSON object a line: `{"time", "source", "reason", "event"}`. */
export class RejectedFile {
  readonly #path: string;
  readonly #now: () => number;
  readonly #log: Pick<Log, 'warn'>;
  readonly #writes = pLimit(1);
  #waiting = 0;
  #size: number | undefined;
  #hasFailed = false;

  /** @param now milliseconds since the epoch */
  constructor(path: string, now: () => number, log: Pick<Log, 'warn'>) {
    this.#path = path;
    this.#now = now;
    this.#log = log;
  }

  /** Writes events soon. Failures to write are logged once: they must not fail the requests. */
  add(events: readonly Rejection[]): void {
    const time = new Date(this.#now()).toISOString();
    let lines = '';
    for (const { source, reason, text } of events) {
      if (this.#waiting + lines.length > maxWaitingBytes) break;
      lines += `${JSON.stringify({ time, source, reason, event: text })}\n`;
    }
    if (lines === '') return;
    const bytes = Buffer.from(lines);
    this.#waiting += bytes.length;
    void this.#writes(() => this.#write(bytes)).finally(() => {
      this.#waiting -= bytes.length;
    });
  }

  /** Resolves when everything is written. */
  async close(): Promise<void> {
    await this.#writes(() => {});
  }

  async #write(bytes: Buffer): Promise<void> {
    try {
      this.#size ??= await sizeOfFile(this.#path);
      if (this.#size > 0 && this.#size + bytes.length > maxFileBytes) {
        await rename(this.#path, `${this.#path}.1`);
        this.#size = 0;
      }
      await mkdir(dirname(this.#path), { recursive: true });
      await appendFile(this.#path, bytes, { mode: 0o600 });
      this.#size += bytes.length;
      this.#hasFailed = false;
    } catch (error) {
      this.#size = undefined;
      if (!this.#hasFailed) this.#log.warn('rejected events could not be written', { cause: String(error) });
      this.#hasFailed = true;
    }
  }
}
