import { GatewayError } from '../../base/errors/errors.ts';
import type { Clock } from '../../base/system/clock.ts';
import type { Log } from '../../base/terminal/log.ts';

/** A row of one of the gateway's own sources, by the names of its columns. Absent ones are NULL. */
export type RecordRow = Readonly<Record<string, unknown>> & { readonly id: string };

/** Counts rows that were stored, and those that were given up. */
export type CountRecords = (outcome: 'stored' | 'dropped', rows: number) => void;

interface RecordWriterOptions {
  /** Stores rows. Rows that are stored already, by their ids, make no difference. */
  readonly write: (rows: readonly RecordRow[]) => Promise<void>;
  readonly clock: Pick<Clock, 'after' | 'elapsed'>;
  readonly log: Pick<Log, 'warn'>;
  readonly count: CountRecords;
  /** Rows that wait at most. Beyond, the oldest are given up. */
  readonly maxWaiting?: number;
}

/** How long rows wait for others before they are written, in milliseconds. */
const gatherMs = 1_000;
/** Rows that are written at once. */
const maxAtOnce = 5_000;
/** Warnings about rows that can't be stored are this many milliseconds apart. */
const warningMs = 60_000;

/**
 * Writes rows in the background, in batches. Nobody waits for it, and it never fails: rows that can't be stored are tried again,
 * with a bounded number of rows that wait.
 */
export class RecordWriter {
  readonly #options: RecordWriterOptions;
  readonly #maxWaiting: number;
  #waiting: RecordRow[] = [];
  readonly #whenStored = new WeakMap<RecordRow, () => void>();
  #timer: { cancel(): void } | undefined;
  #writing: Promise<void> = Promise.resolve();
  #warnedAt = Number.NEGATIVE_INFINITY;
  #isClosed = false;
  /** Half as many after each failure: one row that can't be stored doesn't keep the others waiting. */
  #atOnce = maxAtOnce;

  constructor({ maxWaiting = 20_000, ...options }: RecordWriterOptions) {
    this.#options = options;
    this.#maxWaiting = maxWaiting;
  }

  /** @param whenStored called once the row is stored. It is not called for a row that is dropped */
  add(row: RecordRow, whenStored?: () => void): void {
    if (this.#isClosed) {
      this.#options.count('dropped', 1);
      return;
    }
    this.#waiting.push(row);
    if (whenStored !== undefined) this.#whenStored.set(row, whenStored);
    const excess = this.#waiting.length - this.#maxWaiting;
    // Many at once: the array is copied.
    if (excess > this.#maxWaiting / 10) this.#drop(excess);
    this.#schedule();
  }

  /** Writes what waits, once, and stops: rows that come later are dropped. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.cancel();
    await this.#writing;
    while (this.#waiting.length > 0 && (await this.#writeNext())) {}
    if (this.#waiting.length > 0) this.#drop(this.#waiting.length);
  }

  #schedule(): void {
    this.#timer ??= this.#options.clock.after(gatherMs, () => {
      this.#writing = this.#writeAll().then(() => {
        this.#timer = undefined;
        if (this.#waiting.length > 0 && !this.#isClosed) this.#schedule();
      });
    });
  }

  /** Writes what waits now, until that fails. */
  async #writeAll(): Promise<void> {
    let left = this.#waiting.length;
    while (left > 0) {
      left -= this.#atOnce;
      if (!(await this.#writeNext())) return;
    }
  }

  /** Whether the rows are stored. Those that aren't still wait. */
  async #writeNext(): Promise<boolean> {
    const { write, count } = this.#options;
    const rows = this.#waiting.slice(0, this.#atOnce);
    this.#waiting = this.#waiting.slice(this.#atOnce);
    try {
      await write(rows);
      count('stored', rows.length);
      this.#atOnce = maxAtOnce;
      for (const row of rows) this.#whenStored.get(row)?.();
      return true;
    } catch (error) {
      this.#warn(error);
      if (rows.length === 1 && !isTemporary(error)) {
        count('dropped', 1);
        return true;
      }
      this.#atOnce = Math.max(1, Math.floor(rows.length / 2));
      this.#waiting = [...rows, ...this.#waiting];
      this.#drop(this.#waiting.length - this.#maxWaiting);
      return false;
    }
  }

  #drop(rows: number): void {
    if (rows <= 0) return;
    this.#waiting.splice(0, rows);
    this.#options.count('dropped', rows);
  }

  #warn(error: unknown): void {
    const now = this.#options.clock.elapsed();
    if (now - this.#warnedAt < warningMs) return;
    this.#warnedAt = now;
    const reason = error instanceof Error ? error.message : String(error);
    this.#options.log.warn(`Records of calls can't be stored, and wait: ${reason}`);
  }
}

/** Whether the same rows may be stored later. */
function isTemporary(error: unknown): boolean {
  return !(error instanceof TypeError || error instanceof RangeError || isRefusal(error));
}

function isRefusal(error: unknown): boolean {
  return error instanceof GatewayError && error.details.retryAfterSeconds === undefined;
}
