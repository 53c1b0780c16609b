import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Exchange } from '../http/exchange.ts';

/** The requests of each connection that aren't answered yet: a client may send several without waiting. */
export class OpenExchanges {
  readonly #open = new Map<Socket, Set<Exchange>>();
  /** The answers after which clients are told to let go of their connections. */
  readonly #last = new WeakSet<ServerResponse>();

  /** How many requests of the connection wait for their answer. */
  count(socket: Socket): number {
    return this.#open.get(socket)?.size ?? 0;
  }

  /** How many requests of all connections wait for their answer. */
  get size(): number {
    return this.#open.values().reduce((sum, { size }) => sum + size, 0);
  }

  /** Keeps an exchange in mind until it is over. */
  add(exchange: Exchange): void {
    const { request, response } = exchange;
    const { socket } = request;
    let others = this.#open.get(socket);
    if (others === undefined) {
      others = new Set();
      this.#open.set(socket, others);
      socket.once('close', () => this.#open.delete(socket));
    }
    const open = others.add(exchange);
    response.once('close', () => open.delete(exchange));
  }

  /** Whether a client would take an answer that is sent now for one to its latest request, and not to an earlier one. */
  mayAnswerLatest(socket: Socket): boolean {
    const open = [...(this.#open.get(socket) ?? [])];
    return open.every(({ request, response }) => !request.complete && !response.headersSent);
  }

  /** Has every client let go of its connection when it has got the answer to its latest request. */
  letGoAll(): void {
    for (const open of this.#open.values()) {
      const latest = [...open].at(-1);
      if (latest !== undefined) this.letGo(latest.request, latest.response);
    }
  }

  /**
   * Has a client let go of its connection after the answer to this request, its latest, and not after an earlier one: that
   * would be the end of this one, too.
   */
  letGo({ socket }: IncomingMessage, response: ServerResponse): void {
    for (const { response: earlier } of this.#open.get(socket) ?? []) {
      if (earlier !== response && this.#last.delete(earlier) && !earlier.headersSent)
        earlier.shouldKeepAlive = true;
    }
    if (response.headersSent || !response.shouldKeepAlive) return;
    response.shouldKeepAlive = false;
    this.#last.add(response);
  }
}
