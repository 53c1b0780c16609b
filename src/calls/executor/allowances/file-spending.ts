import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../../base/system/clock.ts';
import { isCode } from '../../../base/system/is-code.ts';
import { makeFolder } from '../../../base/system/make-folder.ts';
import { replaceFile } from '../../../base/system/replace-file.ts';
import type { Log } from '../../../base/terminal/log.ts';
import type { OwnCount, SharedCount, SharedSpending } from './shared-spending.ts';

interface FileSpendingOptions {
  readonly file: string;
  readonly clock: Pick<Clock, 'now' | 'after'>;
  readonly log: Pick<Log, 'warn'>;
}

/** How long counts wait until they are written, in milliseconds. */
const writeMs = 5_000;
/** The most counts. Beyond that, the oldest ones begin again. */
const maxCounts = 100_000;

/** Changes with the form of the file. */
const form = 1;

const document = z.strictObject({
  form: z.literal(form),
  counts: z.array(
    z.strictObject({ name: z.string(), used: z.int().min(0), until: z.iso.datetime().transform(Date.parse) }),
  ),
});

interface Kept extends SharedCount {
  /** In milliseconds since the epoch. */
  readonly until: number;
}

/**
 * Keeps counts of use in a file, for the next run of a gateway that shares none with others. It has them as of a few
 * seconds before a crash.
 */
export class FileSpending implements SharedSpending {
  readonly #options: FileSpendingOptions;
  readonly #counts = new Map<string, Kept>();
  #timer: { cancel(): void } | undefined;
  #writing: Promise<void> = Promise.resolve();
  #hasFailed = false;

  private constructor(options: FileSpendingOptions) {
    this.#options = options;
  }

  /** Reads the file. With one that can't be read, counts begin at zero, and the log says so. */
  static async open(options: FileSpendingOptions): Promise<FileSpending> {
    const spending = new FileSpending(options);
    try {
      const { counts } = document.parse(JSON.parse(await readFile(options.file, 'utf8')));
      for (const { name, used, until } of counts)
        spending.#counts.set(name, { mine: 0, others: used, until });
    } catch (error) {
      if (!isCode(error, 'ENOENT'))
        options.log.warn('what keys have used can not be read: it is counted from now on', {
          file: options.file,
          cause: String(error),
        });
    }
    return spending;
  }

  async exchange(counts: readonly OwnCount[]): Promise<readonly SharedCount[]> {
    return counts.map(({ of, period, account, own }) => {
      const name = `${of} ${period.name} ${account}`;
      const known = this.#counts.get(name) ?? { mine: 0, others: 0 };
      if (own > 0 && own !== known.mine) this.#keep(name, { ...known, mine: own, until: period.end });
      return { mine: known.mine, others: known.others };
    });
  }

  /** Resolves when everything is written. */
  async close(): Promise<void> {
    if (this.#timer !== undefined) this.#write();
    await this.#writing;
  }

  #keep(name: string, kept: Kept): void {
    this.#counts.set(name, kept);
    if (this.#counts.size > maxCounts)
      for (const oldest of this.#counts.keys().take(1)) this.#counts.delete(oldest);
    this.#timer ??= this.#options.clock.after(writeMs, () => this.#write());
  }

  #write(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#replace());
  }

  async #replace(): Promise<void> {
    const { file, clock, log } = this.#options;
    const now = clock.now();
    for (const [name, { until }] of this.#counts) if (now >= until) this.#counts.delete(name);
    const counts = [...this.#counts].map(([name, { mine, others, until }]) => ({
      name,
      used: mine + others,
      until: new Date(until).toISOString(),
    }));
    try {
      await makeFolder(dirname(file));
      await replaceFile(file, JSON.stringify({ form, counts }));
      this.#hasFailed = false;
    } catch (error) {
      if (!this.#hasFailed)
        log.warn('what keys have used could not be written: a restart would forget it', {
          file,
          cause: String(error),
        });
      this.#hasFailed = true;
    }
  }
}
