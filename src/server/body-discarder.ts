import type { IncomingMessage } from 'node:http';

/** Bodies that are read at the same time. */
const maxAtOnce = 8;

/**
 * Reads the rest of bodies that no handler read, so that their connections can be reused, a few at a time: hundreds of senders
 * whose bodies are refused would otherwise take the event loop, and everything else would wait.
 */
export class BodyDiscarder {
  readonly #timeoutMs: number;
  readonly #waiting = new Set<IncomingMessage>();
  #reading = 0;

  /** @param timeoutMs after which a connection is closed that has still not sent its body */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** Reads the rest of a body soon. */
  discard(request: IncomingMessage): void {
    request.resume();
    const { socket } = request;
    if (request.complete || socket.destroyed) return;
    const timer = setTimeout(() => socket.destroy(), this.#timeoutMs);
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      if (!this.#waiting.delete(request)) this.#reading -= 1;
      this.#readNext();
    };
    request.once('end', end).once('close', end);
    this.#waiting.add(request);
    socket.pause();
    this.#readNext();
  }

  #readNext(): void {
    for (const request of this.#waiting) {
      if (this.#reading >= maxAtOnce) return;
      this.#waiting.delete(request);
      this.#reading += 1;
      request.socket.resume();
    }
  }
}
