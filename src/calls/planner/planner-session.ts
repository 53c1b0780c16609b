import type { Worker } from 'node:worker_threads';
import { startThread } from '../../base/processes/start-thread.ts';
import type { Supervised } from '../../base/processes/supervised.ts';
import type { Clock } from '../../base/system/clock.ts';
import type { Log } from '../../base/terminal/log.ts';
import { unpackError } from '../../engines/wire/packed-error.ts';
import { AnalyzerUnavailableError } from '../../sql/analyzer/error.ts';
import type { AnalyzerSettings } from '../../sql/analyzer/settings.ts';
import type { Order, Report } from './messages.ts';
import type { Planner } from './planner.ts';

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

interface Waiting extends Pick<PromiseWithResolvers<unknown>, 'resolve' | 'reject'> {
  /** Ends the session of a thread that doesn't hear of the call's cancellation. */
  timeout?: { cancel(): void };
}

/** Thrown for calls in flight when the thread ends. */
export class ThreadEndedError extends Error {
  override readonly name = 'ThreadEndedError';
}

/** One planning thread. */
export class PlannerSession implements Supervised {
  readonly pid = process.pid;
  readonly exited: Promise<string>;
  readonly #worker: Worker;
  readonly #clock: Pick<Clock, 'after'>;
  readonly #ready = Promise.withResolvers<void>();
  readonly #calls = new Map<number, Waiting>();
  #lastId = 0;
  #reason: string | undefined;
  #ended: ThreadEndedError | undefined;

  private constructor({ settings, clock, log, program }: SessionParts) {
    this.#clock = clock;
    this.#worker = startThread(program ?? new URL('planner-main.js', import.meta.url), {
      workerData: settings,
      resourceLimits,
    });
    this.#worker.on('message', (report: Report) => this.#take(report, log));
    this.#worker.on('error', (error) => {
      this.#reason ??= error.message;
    });
    const { promise, resolve } = Promise.withResolvers<string>();
    this.exited = promise;
    this.#worker.once('exit', () => {
      const reason = this.#reason ?? 'it exited unexpectedly';
      this.#ended = new ThreadEndedError(reason);
      this.#ready.reject(new AnalyzerUnavailableError(reason));
      for (const { reject } of this.#calls.values()) reject(this.#ended);
      this.#calls.clear();
      resolve(reason);
    });
  }

  /** @throws AnalyzerUnavailableError if the analyzer can't be started, or the thread ends */
  static async start(parts: SessionParts, signal: AbortSignal): Promise<PlannerSession> {
    const session = new PlannerSession(parts);
    const stop = () => void session.end('it was stopped');
    signal.addEventListener('abort', stop);
    try {
      await session.#ready.promise;
      return session;
    } catch (error) {
      await session.end('it was not ready');
      throw error;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  /**
   * @param signal aborting it cancels the call, which fails once its work has ended
   * @throws the planner's errors; ThreadEndedError if the thread ends
   */
  async call<Answer>(method: keyof Planner, args: readonly unknown[], signal: AbortSignal): Promise<Answer> {
    signal.throwIfAborted();
    if (this.#ended !== undefined) throw this.#ended;
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const waiting: Waiting = { resolve: resolve as Waiting['resolve'], reject };
    this.#calls.set(id, waiting);
    const cancel = () => {
      this.#post({ kind: 'cancel', id });
      const end = () => void this.end('a cancelled call did not stop');
      waiting.timeout = this.#clock.after(cancelTimeoutMs, end);
    };
    signal.addEventListener('abort', cancel);
    this.#post({ kind: 'call', id, method, args });
    return promise.finally(() => {
      signal.removeEventListener('abort', cancel);
      waiting.timeout?.cancel();
    });
  }

  async end(reason: string): Promise<void> {
    this.#reason ??= reason;
    this.#post({ kind: 'end' });
    const timer = this.#clock.after(endTimeoutMs, () => void this.#worker.terminate());
    await this.exited;
    timer.cancel();
  }

  #post(order: Order): void {
    this.#worker.postMessage(order);
  }

  #take(report: Report, log: SessionParts['log']): void {
    if (report.kind === 'ready') this.#ready.resolve();
    else if (report.kind === 'failed') this.#ready.reject(unpackError(report.error));
    else if (report.kind === 'warning') log.warn(report.message, report.fields);
    else if (report.kind === 'cancelling') this.#calls.get(report.id)?.timeout?.cancel();
    else {
      const call = this.#calls.get(report.id);
      this.#calls.delete(report.id);
      if (report.kind === 'answer') call?.resolve(report.answer);
      else call?.reject(unpackError(report.error));
    }
  }
}
