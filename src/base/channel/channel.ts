/**
 * Calls between processes and threads. What can be called is declared once, by an interface whose methods return promises.
 * {@link Caller} gives an object with these methods to one side. {@link Answerer} answers the calls on the other side, by
 * another object of the interface. Both sides are of one package: the types of what they send are not checked again.
 *
 * Arguments, results and errors are copied, with these exceptions among the arguments, at most one of each in a call:
 *
 * - A signal, or a member `signal` of an argument, becomes a signal that is aborted when this one is. The call rejects
 *   with its reason, when the work has ended.
 * - An iterable of bytes becomes one of the same bytes. When it throws, the call is cancelled, and rejects with the error.
 * - A function becomes one that calls it, and resolves when it has returned; with bytes, before that, while less than
 *   {@link windowBytes} of them wait. Its memory may be used again after it has returned. An error cancels the call, as above.
 */
export type Callable<Calls> = { readonly [Name in keyof Calls]: (...args: never[]) => Promise<unknown> };

/** Bytes that one side may have sent and the other not read yet, in each direction of a call. */
export const windowBytes = 4 << 20;

/** The kinds of messages. */
export const kinds = {
  /** From the caller: {@link SentCall}. */
  call: 1,
  /** From the caller: aborts the signal. */
  cancel: 2,
  /** From the caller: the next bytes of the iterable. */
  piece: 3,
  /** From the caller: the iterable has ended. */
  end: 4,
  /** From both: how many bytes were read since the last message of this kind. */
  read: 5,
  /** From the other side: the function is called with these bytes. */
  bytes: 6,
  /** From the other side: the function is called with this value. It is read as a whole window. */
  value: 7,
  /** Ends a call: its result. */
  answer: 8,
  /** Ends a call: its error as bytes. */
  error: 9,
  /** From the other side, belonging to no call. */
  event: 10,
} as const;

/** A message. The id tells to which call it belongs. */
export type Message =
  | { readonly kind: typeof kinds.call; readonly id: number; readonly content: SentCall }
  | {
      readonly kind: typeof kinds.piece | typeof kinds.bytes | typeof kinds.error;
      readonly id: number;
      readonly content: Uint8Array;
    }
  | { readonly kind: typeof kinds.read; readonly id: number; readonly content: number }
  | {
      readonly kind: typeof kinds.cancel | typeof kinds.end;
      readonly id: number;
      readonly content?: undefined;
    }
  | {
      readonly kind: typeof kinds.value | typeof kinds.answer | typeof kinds.event;
      readonly id: number;
      readonly content: unknown;
    };

export interface SentCall {
  readonly name: string;
  /** Undefined in the place of a signal, an iterable or a function. */
  readonly args: readonly unknown[];
  /** The places of these arguments; -1 if there is none. */
  readonly signal: number;
  readonly body: number;
  readonly take: number;
}

/** Carries messages, in order. */
export interface Transport {
  /**
   * Sends a message. Without a connection, it does nothing.
   *
   * @returns a promise while the other side reads too slowly, which resolves when it has caught up or is gone
   * @throws if the content can't be copied
   */
  post(message: Message): Promise<void> | undefined;
  /** Sets the receiver of messages. */
  listen(take: (message: Message) => void): void;
  /** Takes the memory back of bytes that a function was called with. */
  release?(bytes: Uint8Array): void;
}

/** An object with methods that all do the same with their name and arguments. It is no promise, so that one can give it. */
export function methods<Calls extends Callable<Calls>>(
  call: (name: keyof Calls & string, args: readonly unknown[]) => Promise<unknown>,
): Calls {
  return new Proxy({} as Calls, {
    get: (_, name) =>
      name === 'then' || typeof name === 'symbol'
        ? undefined
        : (...args: readonly unknown[]) => call(name as keyof Calls & string, args),
  });
}
