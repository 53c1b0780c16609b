import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { RequestContext } from '../http/request-context.ts';

/** The requests of each connection that aren't answered yet: a client may send several without waiting. */
export class OpenRequests {
  readonly #open = new Map<Socket, RequestContext[]>();
  /** The answers after which clients are told to let go of their connections. */
  readonly #last = new WeakMap<Socket, ServerResponse>();

  /** How many requests of the connection wait for their answer. */
  count(socket: Socket): number {
    return this.#open.get(socket)?.length ?? 0;
  }

  /** The latest request of the connection that waits for its answer. */
  latest(socket: Socket): RequestContext | undefined {
    return this.#open.get(socket)?.at(-1);
  }

  /** How many requests of all connections wait for their answer. */
  get size(): number {
    return this.#open.values().reduce((sum, { length }) => sum + length, 0);
  }

  /** Keeps an context in mind until it is over. */
  add(context: RequestContext): void {
    const { request, response } = context;
    const { socket } = request;
    let others = this.#open.get(socket);
    if (others === undefined) {
      others = [];
      this.#open.set(socket, others);
      socket.once('close', () => this.#open.delete(socket));
    }
    const open = others;
    open.push(context);
    response.once('close', () => open.splice(open.indexOf(context), 1));
  }

  /** Whether a client would take an answer that is sent now for one to its latest request, and not to an earlier one. */
  mayAnswerLatest(socket: Socket): boolean {
    const open = this.#open.get(socket) ?? [];
    return open.every(({ request, response }) => !request.complete && !response.headersSent);
  }

  /** Has every client let go of its connection when it has got the answer to its latest request. */
  letGoAll(): void {
    for (const socket of this.#open.keys()) {
      const latest = this.latest(socket);
      if (latest !== undefined) this.letGo(latest.request, latest.response);
    }
  }

  /**
   * Has a client let go of its connection after the answer to this request, its latest, and not after an earlier one: that
   * would be the end of this one, too.
   *
   * @param isTooLate whether it stays with an earlier one that was chosen: else who sends on and on would never let go
   * @returns whether the request is to be answered. One that follows an answer after which the connection is closed isn't: its
   *   client asks again elsewhere. Source: RFC 9112, section 9.6.
   */
  letGo({ socket }: IncomingMessage, response: ServerResponse, isTooLate = false): boolean {
    const earlier = this.#last.get(socket);
    if (earlier !== undefined && earlier !== response) {
      if (earlier.headersSent || isTooLate) return false;
      earlier.shouldKeepAlive = true;
      this.#last.delete(socket);
    }
    if (response.headersSent || !response.shouldKeepAlive) return true;
    response.shouldKeepAlive = false;
    this.#last.set(socket, response);
    return true;
  }
}
