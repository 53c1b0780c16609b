import type { Clock } from '../../../clock.ts';
import { GatewayError } from '../../../errors.ts';
import { type IngestBatch, type IngestCounts, lengthOfBatches } from './ingest-batch.ts';

/** Milliseconds between the beginnings of two commits: each takes 10 to 20 ms of a processor, however few its rows. */
const interval = 100;
/** A commit takes waiting requests up to these sizes, and at least one. */
const groupRows = 20_000;
const groupLength = 16 * 1024 * 1024;
/** Characters of rows that may wait or be in a commit. Beyond them, requests are refused. */
const mostWaiting = 64 * 1024 * 1024;

interface GroupCommitOptions {
  readonly clock: Clock;
  /** Commits all of the batches or none; called once at a time. */
  readonly commit: (batches: readonly IngestBatch[]) => Promise<readonly IngestCounts[]>;
  /** Whether a failed group is tried again, request by request: false if no request could succeed. */
  readonly mayRetry: (error: unknown) => boolean;
  readonly mostWaiting?: number | undefined;
}

interface Waiting {
  readonly batches: readonly IngestBatch[];
  readonly rows: number;
  readonly length: number;
  readonly resolve: (counts: readonly IngestCounts[]) => void;
  readonly reject: (error: unknown) => void;
}

/** Small requests that share a commit: those that arrive while one runs wait for the next. */
export class GroupCommit {
  readonly #options: GroupCommitOptions;
  readonly #mostWaiting: number;
  #waiting: Waiting[] = [];
  #length = 0;
  #next = 0;
  #timer: { cancel(): void } | undefined;
  #running: Promise<void> | undefined;
  #closed: GatewayError | undefined;

  constructor(options: GroupCommitOptions) {
    this.#options = options;
    this.#mostWaiting = options.mostWaiting ?? mostWaiting;
  }

  /** How many characters of rows wait or are being committed. */
  get waitingLength(): number {
    return this.#length;
  }

  /**
   * Adds the rows of a request, all of them or none. Resolves once they are committed and synced.
   *
   * Rejects with a `GatewayError` OVERLOADED at once while too many wait, and as the commit does.
   */
  add(batches: readonly IngestBatch[]): Promise<readonly IngestCounts[]> {
    if (this.#closed !== undefined) return Promise.reject(this.#closed);
    const length = lengthOfBatches(batches);
    if (this.#length > 0 && this.#length + length > this.#mostWaiting) return Promise.reject(overloaded());
    const rows = batches.flatMap((batch) => batch.rows).reduce((sum, part) => sum + part.rows, 0);
    this.#length += length;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ batches, rows, length, resolve, reject });
      this.#schedule();
    });
  }

  /** Refuses the waiting requests and further ones with the error. Resolves when the running commit has ended. */
  async close(error: GatewayError): Promise<void> {
    this.#closed = error;
    this.#timer?.cancel();
    for (const request of this.#waiting.splice(0)) request.reject(error);
    await this.#running;
  }

  #schedule(): void {
    if (this.#running !== undefined || this.#timer !== undefined || this.#waiting.length === 0) return;
    const { clock } = this.#options;
    this.#timer = clock.after(Math.max(0, this.#next - clock.elapsed()), () => {
      this.#timer = undefined;
      if (this.#closed !== undefined) return;
      this.#next = clock.elapsed() + interval;
      this.#running = this.#commit(this.#takeGroup()).finally(() => {
        this.#running = undefined;
        this.#schedule();
      });
    });
  }

  #takeGroup(): Waiting[] {
    let rows = 0;
    let length = 0;
    let count = 0;
    for (const request of this.#waiting) {
      rows += request.rows;
      length += request.length;
      if (count > 0 && (rows > groupRows || length > groupLength)) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  async #commit(group: readonly Waiting[]): Promise<void> {
    try {
      const counts = await this.#options.commit(group.flatMap(({ batches }) => batches));
      let taken = 0;
      for (const request of group) {
        request.resolve(counts.slice(taken, taken + request.batches.length));
        taken += request.batches.length;
      }
    } catch (error) {
      if (group.length === 1 || this.#closed !== undefined || !this.#options.mayRetry(error)) {
        for (const request of group) request.reject(error);
      } else {
        // One request can't be stored: the others must not fail with it. Those that are done have no length any more.
        for (const request of group) await this.#commit([request]);
        return;
      }
    }
    for (const { length } of group) this.#length -= length;
  }
}

function overloaded(): GatewayError {
  return new GatewayError('OVERLOADED', 'More rows are waiting to be stored than the store can take.', {
    retryAfterSeconds: 1,
  });
}
