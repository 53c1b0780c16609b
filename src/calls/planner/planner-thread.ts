import { never } from '../../base/async/race-with-abort.ts';
import { RepeatableCalls } from '../../base/processes/repeatable-calls.ts';
import { Spare } from '../../base/processes/spare.ts';
import { ProcessUnavailableError, Supervisor } from '../../base/processes/supervisor.ts';
import type { Clock } from '../../base/system/clock.ts';
import type { PlannedText, StoredText } from '../../definitions/endpoints/plan-text.ts';
import type { PreparedText } from '../../engines/bigquery/sql/prepare-text.ts';
import type { TableMapping } from '../../engines/bigquery/text/table-names.ts';
import type { CallableFunction } from '../../sql/analyzer/callable-functions.ts';
import { AnalyzerOverwhelmedError, AnalyzerUnavailableError } from '../../sql/analyzer/error.ts';
import type { Plan } from '../../sql/plan/plan.ts';
import type { PageToPlan } from '../pages/plan-page.ts';
import type { AdHocText, PlannedQuery } from '../sandbox/plan-ad-hoc-query.ts';
import type { Planner } from './planner.ts';
import { PlannerSession, type SessionParts } from './planner-session.ts';
import type { PlanningCalls } from './planning-calls.ts';

/**
 * Plans in a thread of its own, which starts the analyzer. Decoding, traversing and packing trees takes up to a second
 * for a caller's text, and must not block the event loop. A thread that ends, for example because it runs out of
 * memory, is restarted. Its calls in flight are repeated once, one at a time, in another thread. Calls also fail with
 * AnalyzerUnavailableError, if the thread or the analyzer can't be started, and with AnalyzerOverwhelmedError, if they
 * have ended two threads.
 */
export class PlannerThread implements Planner {
  readonly #supervisor: Supervisor<PlannerSession>;
  readonly #spare: Spare<PlannerSession>;
  readonly #calls: RepeatableCalls<PlannerSession>;

  /** Starts the thread, without waiting until it is ready. Calls wait for that. */
  constructor(parts: SessionParts & { readonly clock: Clock }) {
    this.#supervisor = new Supervisor({
      name: 'The planning thread',
      start: (signal) => PlannerSession.start(parts, signal),
      ...parts,
    });
    this.#spare = new Spare(() => PlannerSession.start(parts, never));
    this.#calls = new RepeatableCalls({
      current: (signal) => this.#current(signal),
      isolation: this.#spare,
      blamed: (cause) =>
        new AnalyzerOverwhelmedError('The planning thread stopped twice while it planned this query', {
          cause,
        }),
      busy: (cause) => new AnalyzerUnavailableError('The query cannot be planned at the moment', { cause }),
      clock: parts.clock,
    });
  }

  planText(text: StoredText, signal = never): Promise<PlannedText> {
    const key = `${text.catalog.id} ${text.sql}`;
    return this.#call(key, signal, (calls, either) => calls.planText(text, either));
  }

  planAdHocQuery(text: AdHocText, signal = never): Promise<PlannedQuery> {
    const key = `${text.offer.id} ${text.sql}`;
    return this.#call(key, signal, (calls, either) => calls.planAdHocQuery(text, either));
  }

  planPage(page: PageToPlan, signal = never): Promise<Plan> {
    const key = `page ${page.catalog.id} ${page.sql}`;
    return this.#call(key, signal, (calls, either) => calls.planPage(page, either));
  }

  prepareText(plan: Plan, mapping: TableMapping, signal = never): Promise<PreparedText> {
    return this.#call(plan.id, signal, (calls, either) => calls.prepareText(plan, mapping, either));
  }

  listFunctions(signal = never): Promise<readonly CallableFunction[]> {
    return this.#call('functions', signal, (calls, either) => calls.listFunctions(either));
  }

  functionSignatures(signal = never): Promise<ReadonlyMap<string, readonly string[]>> {
    return this.#call('signatures', signal, (calls, either) => calls.functionSignatures(either));
  }

  /** Ends the thread and the analyzer. Calls in flight are rejected. */
  async close(): Promise<void> {
    const stopped = new AnalyzerUnavailableError('The planning thread was stopped');
    await Promise.all([this.#spare.close(stopped), this.#supervisor.close()]);
  }

  async #call<Answer>(
    key: string,
    signal: AbortSignal,
    work: (calls: PlanningCalls, signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> {
    try {
      return await this.#calls.make(key, signal, ({ calls }, either) => work(calls, either));
    } finally {
      signal.throwIfAborted();
    }
  }

  async #current(signal: AbortSignal): Promise<PlannerSession> {
    try {
      return await this.#supervisor.current(signal);
    } catch (error) {
      if (!(error instanceof ProcessUnavailableError)) throw error;
      const { cause, message } = error;
      throw cause instanceof AnalyzerUnavailableError
        ? cause
        : new AnalyzerUnavailableError(message, { cause });
    }
  }
}
