import type { IncomingMessage } from 'node:http';
import type { Account } from '../../base/fairness/account.ts';
import { FairQueue } from '../../base/fairness/fair-queue.ts';

/** Bodies that are read at the same time. */
const maxAtOnce = 8;

/**
 * Reads the rest of bodies that no handler read, so that their connections can be reused, a few at a time: hundreds of senders
 * whose bodies are refused would otherwise take the event loop, and everything else would wait. Accounts take turns, and one
 * has as many at a time as it leaves free.
 */
export class BodyDiscarder {
  readonly #timeoutMs: number;
  readonly #waiting = new FairQueue<IncomingMessage>();
  readonly #readingOf = new Map<string, number>();
  #reading = 0;

  /** @param timeoutMs after which a connection is closed that has still not sent its body */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Reads the rest of a body soon.
   *
   * @param account the caller's, or that of an address
   */
  discard(request: IncomingMessage, account: Account): void {
    request.resume();
    const { socket } = request;
    if (request.complete || socket.destroyed) return;
    const timer = setTimeout(() => socket.destroy(), this.#timeoutMs);
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      if (this.#waiting.has(request)) this.#waiting.delete(request);
      else this.#count(account, -1);
      this.#readNext();
    };
    request.once('end', end).once('close', end);
    this.#waiting.add(account, request);
    socket.pause();
    this.#readNext();
  }

  #readNext(): void {
    while (this.#reading < maxAtOnce) {
      const leavesFree = (key: string) => (this.#readingOf.get(key) ?? 0) < maxAtOnce - this.#reading;
      const next = this.#waiting.next(leavesFree);
      if (next === undefined) return;
      this.#count(next.account, 1);
      next.item.socket.resume();
    }
  }

  #count({ key }: Account, change: 1 | -1): void {
    this.#reading += change;
    const ofKey = (this.#readingOf.get(key) ?? 0) + change;
    if (ofKey === 0) this.#readingOf.delete(key);
    else this.#readingOf.set(key, ofKey);
  }
}
