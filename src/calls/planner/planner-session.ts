import type { Worker } from 'node:worker_threads';
import { Caller } from '../../base/channel/caller.ts';
import { portTransport } from '../../base/channel/port-transport.ts';
import { startThread } from '../../base/processes/start-thread.ts';
import { ProcessEndedError, type Supervised } from '../../base/processes/supervised.ts';
import type { Clock } from '../../base/system/clock.ts';
import type { Log } from '../../base/terminal/log.ts';
import { unpackError } from '../../engines/wire/packed-error.ts';
import { AnalyzerUnavailableError } from '../../sql/analyzer/error.ts';
import type { AnalyzerSettings } from '../../sql/analyzer/settings.ts';
import type { PlanningCalls, PlanningWarning } from './planning-calls.ts';

export interface SessionParts {
  readonly settings: AnalyzerSettings;
  readonly clock: Pick<Clock, 'after'>;
  readonly log: Pick<Log, 'warn'>;
  /** The module that the thread runs, replaced in tests. */
  readonly program?: URL;
}

/**
 * Limits of the thread. Planning a query with the longest analyzer response that is read takes 80 MB (measured); deeply
 * nested ones take much of the stack.
 */
const resourceLimits = { maxOldGenerationSizeMb: 1024, stackSizeMb: 16 };

/** How long a thread may take to stop the analyzer, in milliseconds. Without its thread, the analyzer's process is killed. */
const endTimeoutMs = 1_000;

/** How long a thread may take to hear of a cancellation, in milliseconds. No step takes that long: it must be hanging. */
const cancelTimeoutMs = 10_000;

/** One planning thread. */
export class PlannerSession implements Supervised {
  readonly pid = process.pid;
  readonly exited: Promise<string>;
  readonly #worker: Worker;
  readonly #clock: Pick<Clock, 'after'>;
  readonly #caller: Caller<PlanningCalls, PlanningWarning>;
  #reason: string | undefined;

  private constructor({ settings, clock, log, program }: SessionParts) {
    this.#clock = clock;
    this.#worker = startThread(program ?? new URL('planner-main.js', import.meta.url), {
      workerData: settings,
      resourceLimits,
    });
    this.#caller = new Caller(portTransport(this.#worker), {
      unpackError,
      onCancel: () => this.#endUnlessHeard(),
      onEvent: ({ message, fields }) => log.warn(message, fields),
    });
    this.#worker.on('error', (error) => {
      this.#reason ??= error.message;
    });
    const { promise, resolve } = Promise.withResolvers<string>();
    this.exited = promise;
    this.#worker.once('exit', () => {
      const reason = this.#reason ?? 'it exited unexpectedly';
      this.#caller.end(new ProcessEndedError(reason));
      resolve(reason);
    });
  }

  /** @throws AnalyzerUnavailableError if the analyzer can't be started, or the thread ends */
  static async start(parts: SessionParts, signal: AbortSignal): Promise<PlannerSession> {
    const session = new PlannerSession(parts);
    const stop = () => void session.end('it was stopped');
    signal.addEventListener('abort', stop);
    try {
      await session.calls.start();
      return session;
    } catch (error) {
      await session.end('it was not ready');
      throw error instanceof ProcessEndedError ? new AnalyzerUnavailableError(error.message) : error;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  /** Calls reject with ProcessEndedError if the thread ends. */
  get calls(): PlanningCalls {
    return this.#caller.calls;
  }

  async end(reason: string): Promise<void> {
    this.#reason ??= reason;
    this.calls.end().catch(() => {});
    const timer = this.#clock.after(endTimeoutMs, () => void this.#worker.terminate());
    await this.exited;
    timer.cancel();
  }

  /** Ends a thread that doesn't hear of the cancellation of a call, which is sent before. */
  #endUnlessHeard(): { cancel(): void } {
    const timer = this.#clock.after(cancelTimeoutMs, () => void this.end('a cancelled call did not stop'));
    this.calls.ping().then(
      () => timer.cancel(),
      () => {},
    );
    return timer;
  }
}
