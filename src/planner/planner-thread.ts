import type { Clock } from '../clock.ts';
import { ProcessUnavailableError, Supervisor } from '../processes/supervisor.ts';
import { AnalyzerUnavailableError } from '../sql/analyzer/error.ts';
import type { Planner } from './planner.ts';
import { PlannerSession, type SessionParts } from './planner-session.ts';

/**
 * Plans in a thread of its own, which has the analyzer: decoding, walking and packing trees takes up to a second for a caller's text, and
 * the event loop goes on meanwhile. A thread that has ended, as by running out of memory, is started again. Calls also fail with
 * AnalyzerUnavailableError, where the thread or the analyzer can't be started, or ends meanwhile.
 */
export class PlannerThread implements Planner {
  readonly planText = this.#caller('planText');
  readonly planCallerQuery = this.#caller('planCallerQuery');
  readonly prepareText = this.#caller('prepareText');
  readonly #supervisor: Supervisor<PlannerSession>;

  /** Starts the thread, without waiting until it is ready: calls wait for that. */
  constructor(parts: SessionParts & { readonly clock: Clock }) {
    this.#supervisor = new Supervisor({
      name: 'The planning thread',
      start: (signal) => PlannerSession.start(parts, signal),
      ...parts,
    });
  }

  /** Ends the thread and the analyzer. Calls under way are rejected. */
  close(): Promise<void> {
    return this.#supervisor.close();
  }

  #caller<Method extends keyof Planner>(method: Method): Planner[Method] {
    const call = async (...args: readonly unknown[]) => (await this.#session()).call(method, args);
    return call as Planner[Method];
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
