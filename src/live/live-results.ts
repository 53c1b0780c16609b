import type { AuthorisedCall, PlannedCall } from '../calls/authorised-call.ts';
import type { Payer } from '../calls/payer.ts';
import type { Clock } from '../clock.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { RowChange, RowChanges } from '../engines/row-changes.ts';
import { keyedQueryOf } from '../executor/cache/query-key.ts';
import type { Executor, ExecutorResult } from '../executor/executor.ts';
import { changesOf, sourcesOf } from './changes-of.ts';
import { LiveLoop } from './live-loop.ts';
import type { LiveMeter } from './live-meter.ts';
import { type LiveQuestion, LiveQuestions } from './live-questions.ts';
import { failsOneOnly, runOnce } from './run-once.ts';
import { type Watcher, Watchers, type Watching } from './watchers.ts';

/** The result of a run, or its failure. Another run follows in any case. */
export type LiveOutcome = { readonly result: ExecutorResult } | { readonly error: unknown };

export interface LiveParts {
  readonly executor: Pick<Executor, 'execute'>;
  /** Absent for engines that don't tell of new rows: their questions are asked after each interval. */
  readonly changes?: RowChanges | undefined;
  readonly clock: Clock;
  /** The time limit of a run, in milliseconds. */
  readonly timeoutMs: number;
  /** Waits for the right to plan a query. It ends with the returned object. */
  readonly permit: (payer: Payer, signal: AbortSignal) => Promise<Disposable>;
  /** How many different questions may be watched. */
  readonly mostQuestions: number;
  /** Whether an endpoint, in this version, is served now. */
  readonly isServed: (endpoint: Endpoint) => boolean;
  readonly meter: LiveMeter;
}

/** Results that are kept up to date while anyone watches them. */
export class LiveResults {
  readonly #parts: LiveParts;
  readonly #questions: LiveQuestions<LiveResult>;

  constructor(parts: LiveParts) {
    this.#parts = parts;
    this.#questions = new LiveQuestions('result', parts);
  }

  /** How many different results are watched. */
  get size(): number {
    return this.#questions.size;
  }

  /**
   * The result of a call: first the present one, then each that a further run gives, which may have the same rows, until
   * the watcher's signal is aborted. A slow reader misses all but the latest.
   *
   * @throws GatewayError if the query is invalid, or the caller may not run it; the signal's reason
   */
  async watch(call: AuthorisedCall, watching: Watching): Promise<AsyncGenerator<LiveOutcome, never>> {
    const planned = call.known() ?? (await this.#plan(call, watching));
    const watcher = { ...watching, call: planned };
    const make = () => new LiveResult({ ...this.#parts, call: planned });
    return this.#questions.join(keyedQueryOf(planned).key, watcher, make).outcomes(watcher);
  }

  async #plan(call: AuthorisedCall, { signal }: Watching): Promise<PlannedCall> {
    using _permit = await this.#parts.permit(call.payer, signal);
    return await call.planned(signal);
  }

  /** Ends the streams of endpoints that are not served any more. */
  retain(): void {
    this.#questions.retain();
  }
}

interface LiveResultParts extends LiveParts {
  /** The call for which it began. */
  readonly call: PlannedCall;
}

/** One result, with those who watch it. */
class LiveResult implements LiveQuestion {
  readonly endpoint: Endpoint;
  latest: LiveOutcome | undefined;
  /** Changes with `latest`. */
  version = 0;
  readonly #parts: LiveResultParts;
  readonly #sources: ReadonlySet<string>;
  readonly #isPolling: boolean;
  readonly watchers = new Watchers();
  readonly loop: LiveLoop;
  /** When rows have changed last, in milliseconds since the epoch. */
  #changedAt = 0;

  constructor(parts: LiveResultParts) {
    this.#parts = parts;
    const { endpoint, query } = parts.call;
    this.endpoint = endpoint;
    const plan = query?.plan ?? endpoint.plan;
    this.#sources = sourcesOf(plan);
    this.#isPolling = parts.changes === undefined || plan.changesByItself;
    this.loop = new LiveLoop({
      clock: parts.clock,
      intervalMs: () => this.watchers.intervalMs,
      isPolling: this.#isPolling,
      turn: (signal) => this.#turn(signal),
    });
  }

  /** What one client gets. */
  async *outcomes(watcher: Watcher): AsyncGenerator<LiveOutcome, never> {
    const { clock } = this.#parts;
    let seen = 0;
    let due = clock.elapsed();
    for (;;) {
      while (this.latest === undefined || this.version === seen) await this.watchers.untilTold(watcher);
      const early = due - clock.elapsed();
      if (early > 0) await clock.sleep(early, watcher.signal);
      seen = this.version;
      due = clock.elapsed() + watcher.intervalMs;
      const { latest } = this;
      yield 'error' in latest ? { error: watcher.call.shown(latest.error) } : latest;
    }
  }

  changed(changes: readonly RowChange[]): void {
    if (changesOf(changes, this.#sources).length === 0) return;
    this.#changedAt = this.#parts.clock.now();
    this.loop.wake();
  }

  async #turn(signal: AbortSignal): Promise<boolean> {
    const { clock } = this.#parts;
    const watcher = this.watchers.next();
    if (watcher === undefined) return false;
    // What happened before the first run is unknown.
    const isKnown = this.version > 0 && !this.#isPolling;
    const notBefore = Math.max(this.#changedAt, isKnown ? 0 : clock.now() - watcher.intervalMs);
    try {
      const result = await runOnce(this.#parts, watcher.call, { notBefore, signal });
      this.#tell({ result });
      return result.readAt < notBefore;
    } catch (error) {
      if (signal.aborted) return false;
      if (failsOneOnly(error)) watcher.fail(error);
      else this.#tell({ error });
      return true;
    }
  }

  #tell(outcome: LiveOutcome): void {
    this.latest = outcome;
    this.version += 1;
    this.watchers.tell();
  }
}
