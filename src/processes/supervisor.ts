import { raceWithAbort } from '../async/race-with-abort.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Supervised } from './supervised.ts';
import { type Watch, watch } from './watch.ts';

export interface SupervisorOptions<Session> {
  /** What messages call the process, as in `The SQL analyzer`. */
  readonly name: string;
  /** Starts the process and resolves when it is ready. The signal is aborted when it is no longer wanted. */
  readonly start: (signal: AbortSignal) => Promise<Session>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
  readonly watch?: Watch<Session>;
}

/** There is no process at the moment that could answer. */
export class ProcessUnavailableError extends Error {
  override readonly name = 'ProcessUnavailableError';
}

/** `starting`: for the first time, or again after an end. `down`: the last try to start it failed, or it was closed. */
type ProcessState = 'starting' | 'ready' | 'down';

/** Pauses before the first restarts of a process that keeps ending, in milliseconds; the last one repeats. */
const backoffMs = [0, 50, 200, 1000, 5000];

/** One that lived for longer ended by what it was asked, and not by how it is started: the next one is started at once. */
const livedMs = 1000;

/**
 * Keeps a process running: starts it, watches it, and starts it again when it ends. Where the first start fails, nothing is tried again:
 * who waits for it is told.
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

  /** How many processes that were ready have ended by themselves, or by the watch, and were replaced. */
  get restarts(): number {
    return this.#restarts;
  }

  /** Memory of the process when the watch looked last; 0 where there is no process or watch. */
  get memoryBytes(): number {
    return this.#memoryBytes;
  }

  /**
   * The process that is ready, or that is being started.
   *
   * @param signal ends the wait, with its reason
   * @throws ProcessUnavailableError when its start fails, which is tried again all the same unless it was the first one; or after `close`
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

  /** Ends the process, for good. */
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

  /** Waits until a process has ended. */
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
