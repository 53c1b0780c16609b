import type { Account } from '../fairness/account.ts';

/** From this size on, in bytes, answers are made one after the other. */
export const largeAnswerBytes = 1_000_000;

/**
 * Large answers are made one after the other, which bounds the memory that it takes, and keys take turns. The holder of the turn
 * waits for nothing but the event loop.
 */
export class AnswerTurns {
  #isTaken = false;
  /** Waiting answers by key. The first key is next. */
  readonly #waiting = new Map<string, (() => void)[]>();

  /** Waits for the turn, which ends when the result is disposed of. @throws the signal's reason */
  async take({ key }: Account, signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted();
    if (this.#isTaken) await this.#wait(key, signal);
    this.#isTaken = true;
    let hasTurn = true;
    return {
      [Symbol.dispose]: () => {
        if (hasTurn) this.#next();
        hasTurn = false;
      },
    };
  }

  #wait(key: string, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const begin = () => {
      signal.removeEventListener('abort', leave);
      resolve();
    };
    const leave = () => {
      const others = this.#waiting.get(key)?.filter((each) => each !== begin) ?? [];
      if (others.length === 0) this.#waiting.delete(key);
      else this.#waiting.set(key, others);
      reject(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
    this.#waiting.set(key, [...(this.#waiting.get(key) ?? []), begin]);
    return promise;
  }

  #next(): void {
    const [first] = this.#waiting;
    this.#isTaken = first !== undefined;
    if (first === undefined) return;
    const [key, [begin, ...others]] = first;
    // The key's next turn comes after those of all others.
    this.#waiting.delete(key);
    if (others.length > 0) this.#waiting.set(key, others);
    begin?.();
  }
}

/** The turns of this process: it has one event loop. */
export const answerTurns = new AnswerTurns();
