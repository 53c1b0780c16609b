import { RowChangeFeed } from '../../src/engines/row-changes.ts';
import { GatewayError } from '../../src/errors.ts';
import type { ExecutorCall, ExecutorResult } from '../../src/executor/executor.ts';
import { noLiveMeter } from '../../src/live/live-meter.ts';
import type { Watcher } from '../../src/live/watchers.ts';
import { memoryBudgets } from '../../src/memory/memory-budgets.ts';
import type { Column } from '../../src/sql/type.ts';
import type { Row } from '../../src/sql/value.ts';
import { callerNamed } from '../executor/support/caller.ts';
import { ManualClock, settled } from '../executor/support/manual-clock.ts';
import { resultOf } from '../executor/support/result.ts';

/** What live answers run on in tests: rows that the test gives, changes that it tells, and time that it moves. */
export class LiveBench {
  readonly clock = new ManualClock();
  readonly changes = new RowChangeFeed();
  readonly calls: ExecutorCall[] = [];
  /** Answers the calls. */
  answer: (call: ExecutorCall) => readonly Row[] | Promise<readonly Row[]> = () => [];
  columns: readonly Column[] = [{ name: 'n', type: { kind: 'INT64' } }];

  readonly budgets = memoryBudgets();
  readonly parts = {
    executor: { execute: (call: ExecutorCall) => this.#execute(call) },
    clock: this.clock,
    timeoutMs: 30_000,
    mostQuestions: 6,
    meter: noLiveMeter,
    answers: this.budgets.answers,
    memory: this.budgets.live,
  };

  async #execute(call: ExecutorCall): Promise<ExecutorResult> {
    call.signal.throwIfAborted();
    this.calls.push(call);
    const readAt = this.clock.now();
    const all = await this.answer(call);
    const most = call.query?.maxRows ?? call.endpoint.maxRows;
    const result = resultOf({
      ...{ columns: this.columns, rows: all.slice(0, most), truncated: all.length > most, engineMs: 0 },
    });
    return { ...result, readAt };
  }
}

/** Watches, and keeps what comes. */
export class TestWatcher<Event extends object> implements Watcher {
  readonly caller: Watcher['caller'];
  readonly intervalMs: number;
  readonly events: Event[] = [];
  readonly #controller = new AbortController();
  ended: unknown;

  constructor({ key = 'a', seconds = 5 }: { readonly key?: string; readonly seconds?: number } = {}) {
    this.caller = callerNamed(key);
    this.intervalMs = seconds * 1000;
  }

  readonly fail = (error: unknown) => this.#controller.abort(error);

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  leave(): Promise<void> {
    this.fail(new Error('left'));
    return settled();
  }

  /** @param pace called before the next event is taken */
  watch(events: Promise<AsyncIterable<Event>>, pace: () => Promise<void> = async () => {}): this {
    const reading = async () => {
      for await (const event of await events) {
        // An event is emptied when the next one is asked for.
        this.events.push({ ...event });
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
