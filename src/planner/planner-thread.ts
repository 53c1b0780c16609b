import type { Clock } from '../clock.ts';
import type { PlannedText, StoredText } from '../endpoints/plan-text.ts';
import type { PreparedText } from '../engines/bigquery/sql/prepare-text.ts';
import type { TableMapping } from '../engines/bigquery/sql/table-names.ts';
import { ProcessUnavailableError, Supervisor } from '../processes/supervisor.ts';
import type { CallerQuery } from '../sandbox/caller-query.ts';
import type { CallerText } from '../sandbox/plan-caller-query.ts';
import { AnalyzerUnavailableError } from '../sql/analyzer/error.ts';
import type { Plan } from '../sql/plan.ts';
import type { Planner } from './planner.ts';
import { PlannerSession, type SessionParts } from './planner-session.ts';

/**
 * Plans in a thread of its own, which has the analyzer: decoding, walking and packing trees takes up to a second for a caller's text, and
 * the event loop goes on meanwhile. A thread that has ended, as by running out of memory, is started again.
 */
export class PlannerThread implements Planner {
  readonly #supervisor: Supervisor<PlannerSession>;

  /** Starts the thread, without waiting until it is ready: calls wait for that. */
  constructor(parts: SessionParts & { readonly clock: Clock }) {
    this.#supervisor = new Supervisor({
      name: 'The planning thread',
      start: (signal) => PlannerSession.start(parts, signal),
      ...parts,
    });
  }

  planText(text: StoredText): Promise<PlannedText> {
    return this.#call('planText', text);
  }

  planCallerQuery(text: CallerText): Promise<CallerQuery> {
    return this.#call('planCallerQuery', text);
  }

  prepareText(plan: Plan, mapping: TableMapping): Promise<PreparedText> {
    return this.#call('prepareText', plan, mapping);
  }

  /** Ends the thread and the analyzer. Calls under way are rejected. */
  close(): Promise<void> {
    return this.#supervisor.close();
  }

  /** @throws AnalyzerUnavailableError where the thread or the analyzer can't be started, or ends meanwhile */
  async #call<Answer>(method: keyof Planner, ...args: readonly unknown[]): Promise<Answer> {
    const session = await this.#session();
    return (await session.call(method, args)) as Answer;
  }

  async #session(): Promise<PlannerSession> {
    try {
      return await this.#supervisor.current();
    } catch (error) {
      if (!(error instanceof ProcessUnavailableError)) throw error;
      const { cause, message } = error;
      throw cause instanceof AnalyzerUnavailableError
        ? cause
        : new AnalyzerUnavailableError(message, { cause });
    }
  }
}
