import type { Account } from '../../../base/fairness/account.ts';
import { answerTurns, largeAnswerBytes } from '../../../base/memory/large-answers.ts';
import { answerTooLarge, maxAnswerBytes } from '../../../engines/engine/result-size.ts';

interface MakingParts {
  readonly account: Account;
  readonly signal: AbortSignal;
  /**
   * Counts memory until the answer is made.
   *
   * @throws GatewayError OVERLOADED, RATE_LIMITED
   */
  readonly hold: (memory: object, bytes: number) => Disposable | undefined;
}

/** The making of the answer to one request. A large one has the turn from its first large rows until it is made. */
export class AnswerMaking implements Disposable {
  readonly #parts: MakingParts;
  readonly #held = new DisposableStack();
  #bytes = 0;
  /** Executor calls in progress. */
  #running = 0;
  #whenIdle = Promise.withResolvers<void>();
  #turn: Promise<unknown> | undefined;

  constructor(parts: MakingParts) {
    this.#parts = parts;
  }

  /** The approximate size of all rows that the resolvers have returned. */
  get bytes(): number {
    return this.#bytes;
  }

  get isLarge(): boolean {
    return this.#bytes > largeAnswerBytes;
  }

  /** Runs a call. Until all calls have ended, no turn is taken: others would wait for the engine. */
  async call<T>(run: () => Promise<T>): Promise<T> {
    this.#running += 1;
    try {
      return await run();
    } finally {
      this.#running -= 1;
      if (this.#running === 0) {
        this.#whenIdle.resolve();
        this.#whenIdle = Promise.withResolvers();
      }
    }
  }

  /** Counts memory of the rows until the answer is made. */
  hold(memory: object, bytes: number): undefined {
    const holding = this.#parts.hold(memory, bytes);
    if (holding !== undefined) this.#held.use(holding);
  }

  /**
   * Counts rows, and waits for the turn once they are large.
   *
   * @throws GatewayError QUERY_FAILED when the response would become too large; the signal's reason
   */
  async add(bytes: number): Promise<void> {
    if (this.#bytes + bytes > maxAnswerBytes) throw answerTooLarge();
    this.#bytes += bytes;
    if (!this.isLarge) return;
    this.#turn ??= this.#take();
    await this.#turn;
  }

  /** Rows that were counted are not part of the answer. */
  remove(bytes: number): void {
    this.#bytes -= bytes;
  }

  async #take(): Promise<void> {
    const { account, signal } = this.#parts;
    if (this.#running > 0) await this.#whenIdle.promise;
    const turn = await answerTurns.take(account, signal);
    if (this.#held.disposed) turn[Symbol.dispose]();
    else this.#held.use(turn);
  }

  [Symbol.dispose](): void {
    this.#held.dispose();
  }
}
