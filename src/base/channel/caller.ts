import { never } from '../async/race-with-abort.ts';
import {
  type Callable,
  kinds,
  type Message,
  methods,
  type SentCall,
  type Transport,
  windowBytes,
} from './channel.ts';
import { Reading, Window } from './window.ts';

interface CallerOptions<Event> {
  readonly unpackError: (bytes: Uint8Array) => Error;
  /** Called for each call that is cancelled. What it returns is cancelled when the call has ended. */
  readonly onCancel?: () => { cancel(): void };
  readonly onEvent?: (event: Event) => void;
}

type Take = (content: unknown) => unknown;

/** A call in flight. */
interface Call extends Pick<PromiseWithResolvers<unknown>, 'resolve' | 'reject'> {
  readonly take: Take | undefined;
  /** Cancels the call because of its iterable or function. */
  readonly fail: (reason: unknown) => void;
  /** Of the bytes sent. */
  readonly window: Window;
  readonly reading: Reading;
  /** Resolves when the function has returned from all bytes. */
  taken: Promise<void>;
}

/** Makes calls that the other side of a channel answers. */
export class Caller<Calls extends Callable<Calls>, Event = never> {
  /** Its methods reject with the errors of the other side, and with the reason of `end`. */
  readonly calls: Calls = methods((name, args) => this.call(name, args));
  readonly #transport: Transport;
  readonly #options: CallerOptions<Event>;
  readonly #calls = new Map<number, Call>();
  #lastId = 0;
  #ended: Error | undefined;

  constructor(transport: Transport, options: CallerOptions<Event>) {
    this.#transport = transport;
    this.#options = options;
    transport.listen((message) => this.#take(message));
  }

  /** The number of calls in flight. */
  get inFlight(): number {
    return this.#calls.size;
  }

  /** Rejects the calls in flight, and all later ones: the other side is gone. */
  end(reason: Error): void {
    this.#ended ??= reason;
    for (const id of this.#calls.keys()) this.#settle(id)?.reject(reason);
  }

  /** Makes a call by its name. */
  async call(name: string, given: readonly unknown[]): Promise<unknown> {
    const { sent, signal, body, take } = splitArguments(name, given);
    signal.throwIfAborted();
    if (this.#ended !== undefined) throw this.#ended;
    // Ids have four bytes and are reused: calls that old have ended.
    this.#lastId = (this.#lastId % 0xffff_ffff) + 1;
    const id = this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    // It may reject while the body is being sent.
    promise.catch(() => {});
    let watching: { cancel(): void } | undefined;
    let failure: { readonly reason: unknown } | undefined;
    const cancel = () => {
      this.#transport.post({ kind: kinds.cancel, id });
      watching ??= this.#options.onCancel?.();
    };
    const call: Call = {
      ...{ resolve, reject, take, window: new Window(), taken: Promise.resolve() },
      reading: new Reading((bytes) => this.#transport.post({ kind: kinds.read, id, content: bytes })),
      fail(reason) {
        failure ??= { reason };
        cancel();
      },
    };
    this.#calls.set(id, call);
    signal.addEventListener('abort', cancel);
    try {
      this.#transport.post({ kind: kinds.call, id, content: sent });
      if (body !== undefined) await this.#send(id, body, call);
      const answer = await promise.finally(() => call.taken);
      if (failure === undefined) return answer;
    } catch (error) {
      if (failure === undefined) signal.throwIfAborted();
      failure ??= { reason: error };
    } finally {
      this.#settle(id);
      signal.removeEventListener('abort', cancel);
      watching?.cancel();
    }
    throw failure.reason;
  }

  /** Sends the bytes of an iterable. After an early answer, the rest isn't read. */
  async #send(id: number, body: AsyncIterable<Uint8Array>, { window, fail }: Call): Promise<void> {
    try {
      for await (const piece of body) {
        if (!this.#calls.has(id)) return;
        await this.#transport.post({ kind: kinds.piece, id, content: piece });
        await window.sent(piece.length);
        if (!this.#calls.has(id)) return;
      }
      this.#transport.post({ kind: kinds.end, id });
    } catch (error) {
      fail(error);
    }
  }

  #take(message: Message): void {
    const { kind, id, content } = message;
    switch (kind) {
      case kinds.event:
        this.#options.onEvent?.(content as Event);
        break;
      case kinds.answer:
        this.#settle(id)?.resolve(content);
        break;
      case kinds.error:
        this.#settle(id)?.reject(this.#options.unpackError(content));
        break;
      case kinds.read:
        this.#calls.get(id)?.window.read(content);
        break;
      case kinds.bytes:
        this.#takeBytes(content, this.#calls.get(id));
        break;
      case kinds.value:
        void this.#takeValue(id, content, this.#calls.get(id));
        break;
    }
  }

  #takeBytes(bytes: Uint8Array, call: Call | undefined): void {
    if (call === undefined) return;
    const { take, fail, reading } = call;
    call.taken = call.taken.then(async () => {
      try {
        await take?.(bytes);
        this.#transport.release?.(bytes);
        reading.read(bytes.length);
      } catch (error) {
        fail(error);
      }
    });
  }

  /** The other side waits until it is read. If it ends meanwhile, the call doesn't wait for the function. */
  async #takeValue(id: number, value: unknown, call: Call | undefined): Promise<void> {
    try {
      await call?.take?.(value);
      this.#transport.post({ kind: kinds.read, id, content: windowBytes });
    } catch (error) {
      call?.fail(error);
    }
  }

  /** Ends a call, unless it has ended. */
  #settle(id: number): Call | undefined {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    call?.window.open();
    return call;
  }
}

/** The signal among the arguments of a call. */
export function signalAmong(args: readonly unknown[]): AbortSignal {
  for (const arg of args) {
    if (arg instanceof AbortSignal) return arg;
    if (hasSignal(arg)) return arg.signal;
  }
  return never;
}

function splitArguments(name: string, given: readonly unknown[]) {
  const args = [...given];
  const sent = { name, args, signal: -1, body: -1, take: -1 };
  let [body, take]: [AsyncIterable<Uint8Array>?, Take?] = [];
  for (const [place, arg] of given.entries()) {
    const isSignal = arg instanceof AbortSignal;
    if (typeof arg === 'function') {
      sent.take = place;
      take = arg as Take;
    } else if (isSignal || hasSignal(arg)) sent.signal = place;
    else if (isStream(arg)) {
      sent.body = place;
      body = arg;
    } else continue;
    args[place] = hasSignal(arg) ? { ...arg, signal: undefined } : undefined;
  }
  return { sent: sent satisfies SentCall, signal: signalAmong(given), body, take };
}

function hasSignal(arg: unknown): arg is { readonly signal: AbortSignal } {
  return typeof arg === 'object' && arg !== null && 'signal' in arg && arg.signal instanceof AbortSignal;
}

function isStream(arg: unknown): arg is AsyncIterable<Uint8Array> {
  return typeof arg === 'object' && arg !== null && Symbol.asyncIterator in arg;
}
