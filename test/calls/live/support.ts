import { never } from '../../../src/base/async/race-with-abort.ts';
import { GatewayError } from '../../../src/base/errors/errors.ts';
import type { AuthorisedCall, PlannedCall } from '../../../src/calls/call/authorised-call.ts';
import type { ExecutorResult, Run } from '../../../src/calls/executor/executor.ts';
import { ShownRows } from '../../../src/calls/executor/shown-rows.ts';
import { noLiveMeter } from '../../../src/calls/live/live-meter.ts';
import type { Watching } from '../../../src/calls/live/watchers.ts';
import type { Endpoint } from '../../../src/definitions/endpoints/endpoint.ts';
import { memoryBudgets } from '../../../src/definitions/settings/memory-budgets.ts';
import { RowChangeFeed } from '../../../src/engines/engine/row-changes.ts';
import type { Column } from '../../../src/sql/values/type.ts';
import type { Row } from '../../../src/sql/values/value.ts';
import { ManualClock, settled } from '../executor/support/manual-clock.ts';
import { resultOf } from '../executor/support/result.ts';

/** What live answers run on in tests: rows that the test gives, changes that it tells, and time that it moves. */
export class LiveBench {
  readonly clock = new ManualClock();
  readonly changes = new RowChangeFeed();
  readonly calls: PlannedCall[] = [];
  /** How each of the calls was run. */
  readonly runs: Run[] = [];
  isServed: (endpoint: Endpoint) => boolean = () => true;
  /** Answers the calls. */
  answer: (call: PlannedCall) => readonly Row[] | Promise<readonly Row[]> = () => [];
  columns: readonly Column[] = [{ name: 'n', type: { kind: 'INT64' } }];

  readonly budgets = memoryBudgets();
  readonly parts = {
    executor: { execute: (call: AuthorisedCall, run: Run) => this.#execute(call, run) },
    clock: this.clock,
    timeoutMs: 30_000,
    permit: async () => new DisposableStack(),
    maxQueries: 6,
    isServed: (endpoint: Endpoint) => this.isServed(endpoint),
    meter: noLiveMeter,
    answers: this.budgets.answers,
    memory: this.budgets.live,
  };

  async #execute(authorised: AuthorisedCall, run: Run): Promise<ExecutorResult> {
    run.signal.throwIfAborted();
    const call = authorised.known();
    if (call === undefined) throw new Error('live answers have their plans');
    this.calls.push(call);
    this.runs.push(run);
    const readAt = this.clock.now();
    const all = await (async () => this.answer(call))().catch((error) => {
      throw call.shown(error);
    });
    const most = call.query?.maxRows ?? call.endpoint.maxRows;
    const result = resultOf({
      ...{ columns: this.columns, rows: all.slice(0, most), truncated: all.length > most, engineMs: 0 },
    });
    return { ...result, readAt };
  }
}

/** Watches, and keeps what comes. */
export class TestWatcher<Event extends object> implements Watching {
  readonly intervalMs: number;
  readonly events: Event[] = [];
  readonly #rows = new Map<Event, Promise<readonly Row[]>>();
  readonly #controller = new AbortController();
  readonly signal = this.#controller.signal;
  ended: unknown;

  constructor({ seconds = 5 }: { readonly seconds?: number } = {}) {
    this.intervalMs = seconds * 1000;
  }

  /** The rows of an event. */
  async rowsOf(event: Event): Promise<readonly Row[]> {
    return (await this.#rows.get(event)) ?? [];
  }

  readonly fail = (error: unknown) => this.#controller.abort(error);

  leave(): Promise<void> {
    this.fail(new Error('left'));
    return settled();
  }

  /** @param pace called before the next event is taken */
  watch(events: Promise<AsyncIterable<Event>>, pace: () => Promise<void> = async () => {}): this {
    const reading = async () => {
      for await (const event of await events) {
        this.events.push(event);
        // They are forgotten when the next event is asked for.
        if ('rows' in event && event.rows instanceof ShownRows) this.#rows.set(event, event.rows.all(never));
        await pace();
      }
    };
    reading().catch((error) => {
      this.ended = error;
    });
    return this;
  }
}

export const overBudget = new GatewayError('COST_LIMIT_EXCEEDED', 'the budget is used up');
export const away = new GatewayError('BACKEND_UNAVAILABLE', 'the engine is away');
