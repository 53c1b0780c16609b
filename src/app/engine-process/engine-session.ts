import type { Socket } from 'node:net';
import type { Child } from '../../base/processes/child.ts';
import { readFrames } from '../../base/processes/frame-reader.ts';
import { FrameWriter } from '../../base/processes/frame-writer.ts';
import type { Frame } from '../../base/processes/frames.ts';
import { MemoryPool } from '../../base/processes/memory-pool.ts';
import { processorMs } from '../../base/processes/processor-time.ts';
import type { Supervised } from '../../base/processes/supervised.ts';
import type { Clock } from '../../base/system/clock.ts';
import type { OnRowChanges } from '../../engines/engine/row-changes.ts';
import { unpackError } from '../../engines/wire/packed-error.ts';
import { engineName, type LaunchedEngine } from './launched-engine.ts';
import { calls, type LogLine, maxPayloadBytes, pack, replies, unpack } from './protocol.ts';

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

/** Thrown for calls in flight when the engine process ends. */
export class EngineEndedError extends Error {
  override readonly name = 'EngineEndedError';
}

interface Call {
  readonly resolve: (answer: Uint8Array) => void;
  readonly reject: (error: unknown) => void;
  readonly onFrame: ((frame: Frame) => void) | undefined;
}

export interface CallOptions {
  /** Called with each frame before the answer. */
  readonly onFrame?: (frame: Frame) => void;
  /** Aborting it cancels the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface SessionParts {
  readonly clock: Clock;
  readonly onLog: (line: LogLine) => void;
  readonly onChange: OnRowChanges;
}

/** One engine process with its connection; both end together. */
export class EngineSession implements Supervised {
  /** The ids of the plans that the process was given. */
  readonly plans = new Set<string>();
  /** Holds large payloads of `columns`, which must be released when they are no longer used. */
  readonly pool = new MemoryPool();
  readonly #process: Child;
  readonly #clock: Clock;
  readonly #writer: FrameWriter;
  readonly #calls = new Map<number, Call>();
  #lastId = 0;

  private constructor(process: Child, connection: Socket, parts: SessionParts) {
    const { clock } = parts;
    this.#process = process;
    this.#clock = clock;
    this.#writer = new FrameWriter(connection);
    // `close` follows, and ends the process.
    connection.on('error', () => {});
    // Usually it closes because the process ends, which gives a better reason.
    connection.on(
      'close',
      () => void clock.after(endNoticeMs, () => void process.end('its connection closed')),
    );
    const allocate = (bytes: number, kind: number) =>
      kind === replies.columns ? this.pool.take(bytes) : Buffer.allocUnsafeSlow(bytes);
    readFrames(connection, { maxPayloadBytes, allocate }, (frame) => this.#take(frame, parts));
    void process.exited.then((reason) => {
      connection.destroy();
      for (const { reject } of this.#calls.values()) reject(new EngineEndedError(reason));
      this.#calls.clear();
    });
  }

  /** @throws EngineEndedError if the process ends or doesn't connect within `startTimeoutMs` */
  static async start(
    { child, socket }: LaunchedEngine,
    parts: SessionParts,
    signal: AbortSignal,
  ): Promise<EngineSession> {
    const stop = () => void child.end('it was stopped');
    signal.addEventListener('abort', stop);
    const timer = parts.clock.after(startTimeoutMs, () => void child.end('it did not connect'));
    try {
      const connection = await socket.connection;
      child.hideErrors();
      return new EngineSession(child, connection, parts);
    } catch {
      throw new EngineEndedError(`${engineName} ended while starting: ${await child.exited}`);
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

  /**
   * Makes a call.
   *
   * @param kind of `calls`
   * @param content bytes are sent unchanged, other values are packed
   * @throws the error that the process answers with; EngineEndedError if it ends; the signal's reason
   */
  async call<Answer>(kind: number, content: unknown, options: CallOptions = {}): Promise<Answer> {
    return unpack(await this.begin(kind, content, options).answer);
  }

  /** Begins a call that further frames belong to, sent by {@link OpenedCall.send}. */
  begin(kind: number, content: unknown, { onFrame, signal }: CallOptions = {}): OpenedCall {
    signal?.throwIfAborted();
    // Ids have four bytes and are reused: calls that old have ended.
    this.#lastId = (this.#lastId % 0xffff_ffff) + 1;
    const id = this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
    this.#calls.set(id, { resolve, reject, onFrame });
    let timeout: { cancel(): void } | undefined;
    const cancel = () => {
      this.#send(calls.cancel, id);
      const usedBefore = processorMs(this.pid) ?? 0;
      const look = (waitedMs: number) => {
        timeout = this.#clock.after(cancelTimeoutMs, () => {
          if (!this.#calls.has(id)) return;
          const waited = waitedMs + cancelTimeoutMs;
          const usedMs = (processorMs(this.pid) ?? Number.POSITIVE_INFINITY) - usedBefore;
          const isStuck = this.#calls.size === 1 && usedMs >= cancelTimeoutMs;
          if (isStuck || waited >= busyCancelTimeoutMs) void this.end('a cancelled query did not stop');
          else look(waited);
        });
      };
      look(0);
    };
    signal?.addEventListener('abort', cancel);
    this.#send(kind, id, content instanceof Uint8Array ? content : pack(content));
    const answer = promise
      .catch((error) => {
        signal?.throwIfAborted();
        throw error;
      })
      .finally(() => {
        signal?.removeEventListener('abort', cancel);
        timeout?.cancel();
      });
    return { answer, send: (part, payload) => this.#send(part, id, payload) };
  }

  #send(kind: number, id: number, payload: Uint8Array = new Uint8Array()): Promise<void> | undefined {
    try {
      // If the connection closes, the call itself is rejected with the reason.
      return this.#writer.send({ kind, id, payload })?.catch(() => {});
    } catch {
      // The call itself is rejected when the process ends.
      return undefined;
    }
  }

  #take(frame: Frame, { onLog, onChange }: SessionParts): void {
    const call = this.#calls.get(frame.id);
    switch (frame.kind) {
      case replies.log:
        onLog(unpack(frame.payload));
        break;
      case replies.changed:
        onChange(unpack(frame.payload));
        break;
      case replies.answer:
        this.#calls.delete(frame.id);
        call?.resolve(frame.payload);
        break;
      case replies.error:
        this.#calls.delete(frame.id);
        call?.reject(unpackError(frame.payload));
        break;
      default:
        call?.onFrame?.(frame);
    }
  }
}

/** A call in flight. */
interface OpenedCall {
  readonly answer: Promise<Uint8Array>;
  /** Sends a frame that belongs to the call. Returns the promise of `FrameWriter.send`. */
  send(kind: number, payload: Uint8Array): Promise<void> | undefined;
}
