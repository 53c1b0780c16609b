import { AnalyzerUnavailableError } from './error.ts';
import type { AnalyzerLimits } from './process.ts';
import { AnalyzerSession } from './session.ts';

/** Milliseconds for one call. What isn't to blame for the end of a process takes a hundredth of it. */
const callTimeoutMs = 3000;

interface Suspect {
  /** Milliseconds that it had taken when the process ended. */
  readonly spentMs: number;
  run(session: AnalyzerSession): Promise<void>;
  fail(error: unknown): void;
}

/**
 * Makes calls again that were under way when a process ended. One of them may have ended it, so they run in a process
 * of their own, one at a time: whichever ends that one, too, is to blame, and harms no other. Those that had taken
 * least go first, for the one to blame had mostly worked for long.
 */
export class Quarantine {
  readonly #limits: AnalyzerLimits;
  readonly #waiting: Suspect[] = [];
  #busy = false;
  #closed = false;
  #session: AnalyzerSession | undefined;

  constructor(limits: AnalyzerLimits) {
    this.#limits = limits;
  }

  /** @throws what the call throws, gRPC's errors among it */
  run<T>(spentMs: number, call: (session: AnalyzerSession) => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#waiting.push({ spentMs, run: (session) => call(session).then(resolve, reject), fail: reject });
    void this.#work();
    return promise;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#session?.stop();
  }

  async #work(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    for (;;) {
      this.#waiting.sort((a, b) => b.spentMs - a.spentMs);
      const suspect = this.#waiting.pop();
      if (suspect === undefined) break;
      try {
        await suspect.run(await this.#open());
      } catch (error) {
        suspect.fail(error);
      }
    }
    this.#busy = false;
    const session = this.#session;
    this.#session = undefined;
    await session?.stop();
  }

  async #open(): Promise<AnalyzerSession> {
    if (this.#closed) throw new AnalyzerUnavailableError('The SQL analyzer was stopped');
    if (this.#session === undefined) {
      const session = await AnalyzerSession.start(this.#limits, callTimeoutMs);
      this.#session = session;
      void session.exited.then(() => {
        if (this.#session === session) this.#session = undefined;
      });
      if (this.#closed) await session.stop();
    }
    return this.#session ?? this.#open();
  }
}
