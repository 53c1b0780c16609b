import type { Socket } from 'node:net';
import type { Exchange } from '../http/exchange.ts';

/** The requests of each connection that aren't answered yet: a client may send several without waiting. */
export class OpenExchanges {
  readonly #open = new WeakMap<Socket, Set<Exchange>>();

  /** How many requests of the connection wait for their answer. */
  count(socket: Socket): number {
    return this.#open.get(socket)?.size ?? 0;
  }

  /** Keeps an exchange in mind until it is over. */
  add(exchange: Exchange): void {
    const { request, response } = exchange;
    const others = this.#open.get(request.socket) ?? new Set();
    this.#open.set(request.socket, others.add(exchange));
    response.once('close', () => others.delete(exchange));
  }

  /** Whether a client would take an answer that is sent now for one to its latest request, and not to an earlier one. */
  mayAnswerLatest(socket: Socket): boolean {
    const open = [...(this.#open.get(socket) ?? [])];
    return open.every(({ request, response }) => !request.complete && !response.headersSent);
  }
}
