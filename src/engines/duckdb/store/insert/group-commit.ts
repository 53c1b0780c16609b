import { GatewayError } from '../../../../base/errors/errors.ts';
import type { Account } from '../../../../base/fairness/account.ts';
import { FairQueue } from '../../../../base/fairness/fair-queue.ts';
import { Shares } from '../../../../base/fairness/shares.ts';
import type { Clock } from '../../../../base/system/clock.ts';
import { type IngestBatch, type IngestCounts, lengthOfBatches } from './ingest-batch.ts';

/** Milliseconds between the beginnings of two commits: each takes 10 to 20 ms of a processor, however few its rows. */
const interval = 100;
/** A commit takes waiting requests up to these sizes, and at least one. */
const groupRows = 20_000;
const groupLength = 16 * 1024 * 1024;
/**
 * While queries run, and so many milliseconds after the last one, commits are small, and the next one waits for so many times the
 * duration of the last one: queries can't begin while rows become visible, and share the processors with the rest of a commit.
 * This slows floods of events down, whose senders wait for their acknowledgements.
 */
const besideQueries = { forMs: 2_000, groupRows: 2_000, timesRest: 2 };
/** Characters of rows that may wait or be in a commit. Beyond them, requests are refused. */
const maxWaiting = 64 * 1024 * 1024;

interface GroupCommitOptions {
  readonly clock: Clock;
  /** Commits all of the batches or none; called once at a time. */
  readonly commit: (batches: readonly IngestBatch[]) => Promise<readonly IngestCounts[]>;
  /** Whether a failed group is tried again, request by request: false if no request could succeed. */
  readonly mayRetry: (error: unknown) => boolean;
  /** When the last query ran, by the clock; undefined if none has. */
  readonly lastQuery: () => number | undefined;
  readonly maxWaiting?: number | undefined;
}

interface Waiting {
  readonly account: Account;
  readonly batches: readonly IngestBatch[];
  readonly rows: number;
  readonly length: number;
  readonly resolve: (counts: readonly IngestCounts[]) => void;
  readonly reject: (error: unknown) => void;
}

/** Characters that a key has committed in one turn. */
const turnLength = 64 * 1024;

/** Small requests that share a commit: those that arrive while one runs wait for the next. Accounts take turns. */
export class GroupCommit {
  readonly #options: GroupCommitOptions;
  readonly #maxWaiting: number;
  readonly #waiting = new FairQueue<Waiting>({ quantum: turnLength });
  /** The characters of requests that wait or are being committed. */
  readonly #shares = new Shares<Waiting>();
  #next = 0;
  #timer: { cancel(): void } | undefined;
  #running: Promise<void> | undefined;
  #closed: GatewayError | undefined;

  constructor(options: GroupCommitOptions) {
    this.#options = options;
    this.#maxWaiting = options.maxWaiting ?? maxWaiting;
  }

  /** How many characters of rows wait or are being committed. */
  get waitingLength(): number {
    return this.#shares.size;
  }

  /**
   * Adds the rows of a request, all of them or none. Resolves once they are committed and synced.
   *
   * Rejects with a `GatewayError` OVERLOADED at once while too many wait, unless another key has more of them: then the
   * newest of that one is rejected so. Rejects as the commit does.
   */
  add(batches: readonly IngestBatch[], account: Account): Promise<readonly IngestCounts[]> {
    if (this.#closed !== undefined) return Promise.reject(this.#closed);
    const length = lengthOfBatches(batches);
    while (this.#shares.size > 0 && this.#shares.size + length > this.#maxWaiting) {
      const yielding = this.#shares.toYield(account, length, (request) => this.#waiting.has(request));
      if (yielding === undefined) return Promise.reject(overloaded());
      this.#waiting.delete(yielding.item);
      this.#settled(yielding.item);
      yielding.item.reject(overloaded());
    }
    const rows = batches.flatMap((batch) => batch.parts).reduce((sum, part) => sum + part.rows, 0);
    return new Promise((resolve, reject) => {
      const request = { account, batches, rows, length, resolve, reject };
      this.#waiting.add(account, request, length);
      this.#shares.add(account, request, length);
      this.#schedule();
    });
  }

  #settled(request: Waiting): void {
    this.#shares.delete(request.account, request);
  }

  /** Refuses the waiting requests and further ones with the error. Resolves when the running commit has ended. */
  async close(error: GatewayError): Promise<void> {
    this.#closed = error;
    this.#timer?.cancel();
    for (let next = this.#waiting.next(); next !== undefined; next = this.#waiting.next()) {
      this.#settled(next.item);
      next.item.reject(error);
    }
    await this.#running;
  }

  #schedule(): void {
    if (this.#running !== undefined || this.#timer !== undefined || this.#waiting.size === 0) return;
    const { clock } = this.#options;
    this.#timer = clock.after(Math.max(0, this.#next - clock.elapsed()), () => {
      this.#timer = undefined;
      if (this.#closed !== undefined) return;
      const began = clock.elapsed();
      const group = this.#takeGroup(this.#isBesideQueries ? besideQueries.groupRows : groupRows);
      this.#running = this.#commit(group).finally(() => {
        const ended = clock.elapsed();
        const rest = this.#isBesideQueries ? besideQueries.timesRest * (ended - began) : 0;
        this.#next = Math.max(began + interval, ended + rest);
        this.#running = undefined;
        this.#schedule();
      });
    });
  }

  get #isBesideQueries(): boolean {
    const { clock, lastQuery } = this.#options;
    const last = lastQuery();
    return last !== undefined && clock.elapsed() - last < besideQueries.forMs;
  }

  #takeGroup(maxRows: number): Waiting[] {
    let rows = 0;
    let length = 0;
    const group: Waiting[] = [];
    const fits = (request: Waiting) =>
      group.length === 0 || (rows + request.rows <= maxRows && length + request.length <= groupLength);
    for (;;) {
      const next = this.#waiting.next(undefined, fits);
      if (next === undefined) return group;
      group.push(next.item);
      rows += next.item.rows;
      length += next.item.length;
    }
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
        // One request can't be stored: the others must not fail with it.
        for (const request of group) await this.#commit([request]);
        return;
      }
    }
    for (const request of group) this.#settled(request);
  }
}

function overloaded(): GatewayError {
  return new GatewayError('OVERLOADED', 'More rows are waiting to be stored than the store can take.', {
    retryAfterSeconds: 1,
  });
}
