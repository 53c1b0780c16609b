import { raceWithAbort } from '../async/race-with-abort.ts';
import type { Clock } from '../system/clock.ts';
import type { Log } from '../terminal/log.ts';
import type { Supervised } from './supervised.ts';
import { type Watch, watch } from './watch.ts';

export interface SupervisorOptions<Session> {
  /** Its name in messages, as in `The SQL analyzer`. */
  readonly name: string;
  /** Starts the process and resolves when it is ready. The signal is aborted when it is no longer wanted. */
  readonly start: (signal: AbortSignal) => Promise<Session>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
  readonly watch?: Watch<Session>;
}

/** Thrown while no process is available. */
export class ProcessUnavailableError extends Error {
  override readonly name = 'ProcessUnavailableError';
}

/** `starting`: the first start, or a restart. `down`: the last start failed, or the supervisor was closed. */
type ProcessState = 'starting' | 'ready' | 'down';

/** Backoff before each restart of a process that keeps ending, in milliseconds. The last value repeats. */
const backoffMs = [0, 50, 200, 1000, 5000];

/** A process that lived longer was not ended by its start, so that the backoff begins again. */
const livedMs = 1000;

/**
 * Keeps a process running: starts it, watches it, and restarts it when it ends. If the first start fails, there is no
 * retry, and callers get its error.
 */
export class Supervisor<Session extends Supervised> {
  readonly #options: SupervisorOptions<Session>;
  readonly #closing = new AbortController();
  #session: Promise<Session>;
  #state: ProcessState = 'starting';
  #restarts = 0;
  #memoryBytes = 0;

  constructor(options: SupervisorOptions<Session>) {
    this.#options = options;
    this.#session = options.start(this.#closing.signal);
    void this.#keepRunning();
  }

  get state(): ProcessState {
    return this.#state;
  }

  /** Number of ready processes that ended, or were ended by the watch, and were replaced. */
  get restarts(): number {
    return this.#restarts;
  }

  /** Memory of the process at the last heartbeat; 0 without a process or a watch. */
  get memoryBytes(): number {
    return this.#memoryBytes;
  }

  /**
   * Returns the process once it is ready.
   *
   * @param signal aborting it ends the wait, with its reason
   * @throws ProcessUnavailableError if its start fails, or after `close`. A failed start is retried, unless it was the
   *   first.
   */
  async current(signal?: AbortSignal): Promise<Session> {
    this.#closing.signal.throwIfAborted();
    const session = this.#session.catch((cause) => {
      this.#closing.signal.throwIfAborted();
      throw new ProcessUnavailableError(`${this.#options.name} can't be started: ${reasonOf(cause)}`, {
        cause,
      });
    });
    return signal === undefined ? session : raceWithAbort(() => session, signal);
  }

  /** Ends the process permanently. */
  async close(): Promise<void> {
    this.#closing.abort(new ProcessUnavailableError(`${this.#options.name} was stopped`));
    this.#state = 'down';
    const session = await this.#session.catch(() => undefined);
    await session?.end('it was stopped');
  }

  async #keepRunning(): Promise<void> {
    const { name, start, clock, log } = this.#options;
    const { signal } = this.#closing;
    let wasReady = false;
    for (let failures = 0; ; failures++) {
      try {
        const session = await this.#session;
        // A warning, like the line that said it stopped: operators who log only warnings see both.
        if (wasReady && !signal.aborted) log.warn(`${name} is ready again`);
        wasReady = true;
        if (await this.#livedLong(session)) failures = 0;
      } catch (cause) {
        if (!signal.aborted) {
          this.#state = 'down';
          if (!wasReady) return;
          log.warn(`${name} cannot be started; retrying`, { reason: reasonOf(cause) });
        }
      }
      if (signal.aborted) return;
      const pause = backoffMs[Math.min(failures, backoffMs.length - 1)] ?? 0;
      this.#session = clock.sleep(pause, signal).then(() => start(signal));
    }
  }

  /** Waits until a process has ended, and returns whether it had lived long enough to reset the backoff. */
  async #livedLong(session: Session): Promise<boolean> {
    const { name, clock, log } = this.#options;
    const readyAt = clock.elapsed();
    if (this.#closing.signal.aborted) return true;
    this.#state = 'ready';
    if (this.#options.watch !== undefined)
      void watch(session, this.#options.watch, clock, (bytes) => {
        this.#memoryBytes = bytes;
      });
    const reason = await session.exited;
    this.#memoryBytes = 0;
    if (!this.#closing.signal.aborted) {
      this.#state = 'starting';
      this.#restarts++;
      log.warn(`${name} stopped; restarting`, { reason });
    }
    return clock.elapsed() - readyAt > livedMs;
  }
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
