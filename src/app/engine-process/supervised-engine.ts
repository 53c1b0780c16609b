import { never, raceWithAbort } from '../../base/async/race-with-abort.ts';
import { GatewayError } from '../../base/errors/errors.ts';
import { RepeatableCalls, refusedForSeconds } from '../../base/processes/repeatable-calls.ts';
import { ProcessEndedError } from '../../base/processes/supervised.ts';
import { ProcessUnavailableError, Supervisor } from '../../base/processes/supervisor.ts';
import { watchDuring } from '../../base/processes/watch-during.ts';
import type { Clock } from '../../base/system/clock.ts';
import type { Log } from '../../base/terminal/log.ts';
import type { Source } from '../../definitions/sources/source.ts';
import type { SourcePlan } from '../../engines/duckdb/store/source-plan.ts';
import { RowChangeFeed } from '../../engines/engine/row-changes.ts';
import { EngineSession } from './engine-session.ts';
import { ExclusiveProcess } from './exclusive-process.ts';
import { engineName, type LaunchedEngine, launchEngine } from './launched-engine.ts';
import type { DuckDbSettings } from './open-duckdb.ts';
import { type EngineEvent, protocolVersion } from './protocol.ts';

export interface EngineOptions {
  readonly settings: DuckDbSettings;
  readonly clock: Clock;
  readonly log: Log;
  /** The first process, if it was started already. */
  readonly launched?: Promise<LaunchedEngine> | undefined;
  /** Memory limit of the process, in bytes. A process that exceeds it is ended. */
  readonly memoryLimit: number;
  /** Called each second with the longest delay of the process's event loop, in seconds. */
  readonly onLoopDelay?: ((seconds: number) => void) | undefined;
  /** Called when a process has opened the store, before it answers any call. */
  readonly onOpen?: ((pid: number) => Promise<void>) | undefined;
}

/** How long calls wait for a process that is being started, in milliseconds. */
const restartTimeoutMs = 5_000;

/** How long a process that is to be closed may take to answer a ping, in milliseconds. */
const closingPingTimeoutMs = 2_000;

/** How long it may take to close the store, in milliseconds. */
const closingTimeoutMs = 10_000;

/** The process must answer one ping in this many heartbeats. */
const heartbeat = {
  heartbeatMs: 250,
  maxMissed: 40,
  sendPing: ({ calls }: EngineSession) => calls.ping(),
};

/** The engine process, which is replaced when it ends, hangs or exceeds its memory. */
export class SupervisedEngine {
  /** Tells of commits. A process that replaces another one may have committed rows that nobody was told of. */
  readonly changes = new RowChangeFeed();
  readonly #options: EngineOptions;
  readonly #supervisor: Supervisor<EngineSession>;
  readonly #exclusive: ExclusiveProcess<EngineSession>;
  readonly #calls: RepeatableCalls<EngineSession>;
  #launched: Promise<LaunchedEngine> | undefined;
  /** The sources that the store has. */
  #sources: readonly Source[];

  private constructor(options: EngineOptions) {
    const { settings, clock, log, memoryLimit, launched } = options;
    this.#options = options;
    this.#launched = launched;
    this.#sources = settings.sources;
    this.#supervisor = new Supervisor({
      name: engineName,
      start: (signal) => this.#start(signal),
      clock,
      log,
      watch: { ...heartbeat, memoryLimit },
    });
    this.#exclusive = new ExclusiveProcess(() =>
      withRestartTimeout(never, (either) => this.#supervisor.current(either)),
    );
    this.#calls = new RepeatableCalls({
      current: (signal) => this.#session(signal),
      isolation: this.#exclusive,
      blamed,
      busy,
      clock,
    });
  }

  /**
   * Starts the process and opens the store in it.
   *
   * @throws StoreError if the store can't be opened; the error of a failed start
   */
  static async start(options: EngineOptions): Promise<SupervisedEngine> {
    const engine = new SupervisedEngine(options);
    try {
      await engine.#supervisor.current();
      return engine;
    } catch (error) {
      await engine.#supervisor.close();
      if (!(error instanceof ProcessUnavailableError)) throw error;
      const { cause, message } = error;
      // A GatewayError is shown to the operator without a stack, which would not help.
      if (cause instanceof ProcessEndedError)
        throw new GatewayError('BACKEND_UNAVAILABLE', message, { cause });
      throw cause ?? error;
    }
  }

  /** Whether a process is ready. */
  get isReady(): boolean {
    return this.#supervisor.state === 'ready';
  }

  /** The process's state, for health and metrics. */
  get state() {
    const { state, restarts, memoryBytes } = this.#supervisor;
    return { state, restarts, memoryBytes };
  }

  /** The process id, for tests and operators. */
  async pid(): Promise<number> {
    return (await this.#supervisor.current()).pid;
  }

  /** Makes calls that the next process repeats if this one ends: see `RepeatableCalls.make`. */
  repeatably<T>(
    key: string | undefined,
    signal: AbortSignal,
    work: (session: EngineSession, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    return this.#calls.make(key, signal, work);
  }

  /**
   * Makes calls that are not repeated: the process may have done some of the work.
   *
   * @throws GatewayError BACKEND_UNAVAILABLE if the process ends; the signal's reason, while no process is ready
   */
  async once<T>(signal: AbortSignal, work: (session: EngineSession) => Promise<T>): Promise<T> {
    const session = await this.#session(signal);
    return work(session).catch((error) => {
      throw error instanceof ProcessEndedError ? unavailable(error) : error;
    });
  }

  /**
   * Gives the store other sources: see `Store.useSources`. For one call at a time. A process that replaces this one before
   * opens the store with the present ones, which is possible even if the others were there already.
   */
  async useSources(sources: readonly Source[], drop: readonly string[] = []): Promise<void> {
    await this.repeatably(undefined, never, ({ calls }) => calls.useSources(sources, drop));
    this.#sources = sources;
  }

  /** What that would do. */
  planSources(sources: readonly Source[], drop: readonly string[] = []): Promise<readonly SourcePlan[]> {
    return this.repeatably(undefined, never, ({ calls }) => calls.planSources(sources, drop));
  }

  async close(): Promise<void> {
    if (this.isReady) await this.#closeStore().catch(() => {});
    await this.#supervisor.close();
  }

  async #start(signal: AbortSignal): Promise<EngineSession> {
    const { clock, onOpen } = this.#options;
    const launched = this.#launched ?? launchEngine(clock);
    this.#launched = undefined;
    const session = await EngineSession.start(await launched, clock, (event) => this.#tell(event), signal);
    try {
      await this.#open(session, signal);
      await onOpen?.(session.pid);
      this.changes.tell(this.#sources.map(({ name: source }) => ({ source })));
      return session;
    } catch (error) {
      await session.end('it could not open the store');
      throw error;
    }
  }

  async #open(session: EngineSession, signal: AbortSignal): Promise<void> {
    const { settings, clock } = this.#options;
    const opening = session.calls.open(protocolVersion, { ...settings, sources: this.#sources });
    await watchDuring(session, opening, heartbeat, clock, signal);
  }

  #tell(event: EngineEvent): void {
    const { log } = this.#options;
    if ('changed' in event) this.changes.tell(event.changed);
    else if ('loopDelay' in event) this.#options.onLoopDelay?.(event.loopDelay);
    else log[event.level](event.message, { ...event.fields });
  }

  async #closeStore(): Promise<void> {
    const { calls } = await this.#supervisor.current();
    // Don't wait for a process that hangs or is stopped: committed rows are safe.
    await raceWithAbort(() => calls.ping(), AbortSignal.timeout(closingPingTimeoutMs));
    await calls.close(AbortSignal.timeout(closingTimeoutMs));
  }

  #session(signal: AbortSignal): Promise<EngineSession> {
    // Nearly always. A timeout for each call would take longer than all else here.
    if (this.isReady && this.#exclusive.isFree) return this.#supervisor.current();
    return withRestartTimeout(signal, async (either) => {
      await this.#exclusive.untilReleased(either);
      return this.#supervisor.current(either);
    });
  }
}

/** @throws GatewayError BACKEND_UNAVAILABLE if no process is available within `restartTimeoutMs`; the signal's reason */
async function withRestartTimeout(
  signal: AbortSignal,
  wait: (either: AbortSignal) => Promise<EngineSession>,
): Promise<EngineSession> {
  try {
    return await wait(AbortSignal.any([signal, AbortSignal.timeout(restartTimeoutMs)]));
  } catch (error) {
    signal.throwIfAborted();
    throw unavailable(error);
  }
}

function blamed(cause: unknown): GatewayError {
  const message = 'The engine stopped twice while it ran this query';
  return new GatewayError('QUERY_FAILED', message, { cause, retryAfterSeconds: refusedForSeconds });
}

/** The error of calls that can't be made again. */
export function unavailable(cause: unknown): GatewayError {
  const message = 'The engine is restarting. Try again in a moment.';
  return new GatewayError('BACKEND_UNAVAILABLE', message, { cause, retryAfterSeconds: 1 });
}

function busy(cause: unknown): GatewayError {
  const message = 'The engine stopped while it ran this query, and cannot repeat it at the moment.';
  return new GatewayError('OVERLOADED', message, { cause, retryAfterSeconds: 1 });
}
