import { loopWork } from '../loop/loop-work.ts';
import { type Callable, kinds, type Message, type SentCall, type Transport, windowBytes } from './channel.ts';
import { Reading, Window } from './window.ts';

interface AnswererOptions {
  readonly packError: (error: unknown) => Uint8Array;
  /** The reason of the signal of a call that was cancelled. */
  readonly cancelled: () => unknown;
  /** Called after each answer. */
  readonly onAnswered?: () => void;
}

/** A call that is being answered. */
interface Running {
  readonly controller: AbortController;
  /** Of the bytes sent. */
  readonly window: Window;
  readonly body: Body;
}

/** Answers the calls of a channel. */
export class Answerer<Calls extends Callable<Calls>, Event = never> {
  readonly #transport: Transport;
  readonly #calls: Partial<Calls>;
  readonly #options: AnswererOptions;
  readonly #running = new Map<number, Running>();

  /** @param calls may get methods later */
  constructor(transport: Transport, calls: Partial<Calls>, options: AnswererOptions) {
    this.#transport = transport;
    this.#calls = calls;
    this.#options = options;
    transport.listen((message) => this.#take(message));
  }

  /** Tells the other side of an event. */
  tell(event: Event): void {
    this.#transport.post({ kind: kinds.event, id: 0, content: event });
  }

  /** Aborts the signals of all calls. */
  abort(reason: unknown): void {
    for (const { controller } of this.#running.values()) controller.abort(reason);
  }

  #take({ kind, id, content }: Message): void {
    const running = this.#running.get(id);
    switch (kind) {
      case kinds.call:
        void this.#answer(id, content);
        break;
      case kinds.cancel:
        running?.controller.abort(this.#options.cancelled());
        break;
      case kinds.piece:
        running?.body.push(content);
        break;
      case kinds.end:
        running?.body.end();
        break;
      case kinds.read:
        running?.window.read(content);
        break;
    }
  }

  async #answer(id: number, sent: SentCall): Promise<void> {
    const controller = new AbortController();
    const window = new Window();
    controller.signal.addEventListener('abort', () => window.open());
    const reading = new Reading((bytes) => this.#transport.post({ kind: kinds.read, id, content: bytes }));
    const body = new Body(reading);
    this.#running.set(id, { controller, window, body });
    try {
      const method = this.#calls[sent.name as keyof Calls] as Method | undefined;
      if (method === undefined) throw new TypeError(`Unknown call ${sent.name}`);
      const { signal } = controller;
      const take = async (content: unknown) => {
        signal.throwIfAborted();
        if (content instanceof Uint8Array) await this.#transport.post({ kind: kinds.bytes, id, content });
        else this.#transport.post({ kind: kinds.value, id, content });
        await window.sent(content instanceof Uint8Array ? content.length : windowBytes);
        signal.throwIfAborted();
      };
      using _ = loopWork.begin(sent.name);
      const args = joinArguments(sent, { signal, body, take });
      const content = await loopWork.step(sent.name, () => method.apply(this.#calls, args));
      this.#transport.post({ kind: kinds.answer, id, content });
    } catch (error) {
      this.#transport.post({ kind: kinds.error, id, content: this.#options.packError(error) });
    } finally {
      this.#running.delete(id);
    }
    this.#options.onAnswered?.();
  }
}

type Method = (...args: readonly unknown[]) => Promise<unknown>;

function joinArguments(
  { args, ...places }: SentCall,
  { signal, body, take }: { signal: AbortSignal; body: Body; take: (content: unknown) => Promise<void> },
): unknown[] {
  const joined = [...args];
  const around = joined[places.signal];
  if (places.signal >= 0) joined[places.signal] = around === undefined ? signal : { ...around, signal };
  if (places.body >= 0) joined[places.body] = body;
  if (places.take >= 0) joined[places.take] = take;
  return joined;
}

/** Bytes that arrive in pieces, for one reader. Their sender's window bounds them. */
class Body implements AsyncIterable<Uint8Array> {
  readonly #reading: Reading;
  readonly #pieces: Uint8Array[] = [];
  #hasEnded = false;
  #more = Promise.withResolvers<void>();

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  push(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.#more.resolve();
  }

  end(): void {
    this.#hasEnded = true;
    this.#more.resolve();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (;;) {
      const piece = this.#pieces.shift();
      if (piece !== undefined) {
        yield piece;
        this.#reading.read(piece.length);
      } else if (this.#hasEnded) return;
      else {
        this.#more = Promise.withResolvers();
        await this.#more.promise;
      }
    }
  }
}
