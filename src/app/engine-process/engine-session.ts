import type { Socket } from 'node:net';
import { Caller } from '../../base/channel/caller.ts';
import { FrameTransport } from '../../base/channel/frame-transport.ts';
import type { Child } from '../../base/processes/child.ts';
import { processorMs } from '../../base/processes/processor-time.ts';
import { ProcessEndedError, type Supervised } from '../../base/processes/supervised.ts';
import type { Clock } from '../../base/system/clock.ts';
import { unpackError } from '../../engines/wire/packed-error.ts';
import { engineName, type LaunchedEngine } from './launched-engine.ts';
import type { EngineCalls, EngineEvent } from './protocol.ts';

/** How long the process may take to connect, in milliseconds. */
const startTimeoutMs = 60_000;

/**
 * How long a cancelled call may continue, in milliseconds, also of processor time: on a busy machine, it gets to its next
 * checkpoint later. Then the process is ended, since nothing else stops its work.
 */
const cancelTimeoutMs = 5_000;

/**
 * How long it may continue while other calls share the processors with it: its next checkpoint comes late then, and ending the
 * process would end the others, too.
 */
const busyCancelTimeoutMs = 30_000;

/** How long to wait for the reason of a process's end after its connection has closed, in milliseconds. */
const endNoticeMs = 200;

/** One engine process with its connection; both end together. */
export class EngineSession implements Supervised {
  /** The ids of the plans that the process was given. */
  readonly plans = new Set<string>();
  readonly #process: Child;
  readonly #clock: Clock;
  readonly #caller: Caller<EngineCalls, EngineEvent>;

  private constructor(
    process: Child,
    connection: Socket,
    clock: Clock,
    onEvent: (event: EngineEvent) => void,
  ) {
    this.#process = process;
    this.#clock = clock;
    const onCancel = () => this.#endUnlessStopped();
    this.#caller = new Caller(new FrameTransport(connection), { unpackError, onCancel, onEvent });
    // `close` follows, and ends the process.
    connection.on('error', () => {});
    // Usually it closes because the process ends, which gives a better reason.
    connection.on(
      'close',
      () => void clock.after(endNoticeMs, () => void process.end('its connection closed')),
    );
    void process.exited.then((reason) => {
      connection.destroy();
      this.#caller.end(new ProcessEndedError(reason));
    });
  }

  /** @throws ProcessEndedError if the process ends or doesn't connect within `startTimeoutMs` */
  static async start(
    { child, socket }: LaunchedEngine,
    clock: Clock,
    onEvent: (event: EngineEvent) => void,
    signal: AbortSignal,
  ): Promise<EngineSession> {
    const stop = () => void child.end('it was stopped');
    signal.addEventListener('abort', stop);
    const timer = clock.after(startTimeoutMs, () => void child.end('it did not connect'));
    try {
      const connection = await socket.connection;
      child.hideErrors();
      return new EngineSession(child, connection, clock, onEvent);
    } catch {
      throw new ProcessEndedError(`${engineName} ended while starting: ${await child.exited}`);
    } finally {
      timer.cancel();
      signal.removeEventListener('abort', stop);
    }
  }

  get pid(): number {
    return this.#process.pid;
  }

  get exited(): Promise<string> {
    return this.#process.exited;
  }

  end(reason: string): Promise<void> {
    return this.#process.end(reason);
  }

  /** Calls reject with ProcessEndedError if the process ends. */
  get calls(): EngineCalls {
    return this.#caller.calls;
  }

  /** Makes a call by its name. */
  call(name: keyof EngineCalls, args: readonly unknown[]): Promise<unknown> {
    return this.#caller.call(name, args);
  }

  /** Ends the process if a cancelled call doesn't stop. `cancel` of the result stops watching: the call has ended. */
  #endUnlessStopped(): { cancel(): void } {
    const usedBefore = processorMs(this.pid) ?? 0;
    let timeout: { cancel(): void };
    const look = (waitedMs: number) => {
      timeout = this.#clock.after(cancelTimeoutMs, () => {
        const waited = waitedMs + cancelTimeoutMs;
        const usedMs = (processorMs(this.pid) ?? Number.POSITIVE_INFINITY) - usedBefore;
        const isStuck = this.#caller.inFlight === 1 && usedMs >= cancelTimeoutMs;
        if (isStuck || waited >= busyCancelTimeoutMs) void this.end('a cancelled query did not stop');
        else look(waited);
      });
    };
    look(0);
    return { cancel: () => timeout.cancel() };
  }
}
