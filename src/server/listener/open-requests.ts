import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { RequestContext } from '../http/request/request-context.ts';

/** Unanswered requests by connection. A client may pipeline several on one connection. */
export class OpenRequests {
  readonly #open = new Map<Socket, RequestContext[]>();
  /** By connection, the answer that carries `Connection: close`. */
  readonly #last = new WeakMap<Socket, ServerResponse>();

  #whenAdded = () => {};

  /** Calls the function with each request that is added. */
  onAdd(whenAdded: () => void): void {
    this.#whenAdded = whenAdded;
  }

  /** Number of unanswered requests on the connection. */
  count(socket: Socket): number {
    return this.#open.get(socket)?.length ?? 0;
  }

  /** The latest unanswered request on the connection. */
  latest(socket: Socket): RequestContext | undefined {
    return this.#open.get(socket)?.at(-1);
  }

  /** Number of unanswered requests on all connections. */
  get size(): number {
    return this.#open.values().reduce((sum, { length }) => sum + length, 0);
  }

  /** All unanswered requests. */
  *all(): Iterable<RequestContext> {
    for (const open of this.#open.values()) yield* open;
  }

  /** Closes the connections of all unanswered requests. */
  abort(): void {
    for (const [socket, { length }] of this.#open) if (length > 0) socket.destroy();
  }

  /** Tracks a request until its response is closed. */
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
    this.#whenAdded();
    response.once('close', () => open.splice(open.indexOf(context), 1));
  }

  /** Whether a client would match an answer sent now to its latest request, and not to an earlier one. */
  mayAnswerLatest(socket: Socket): boolean {
    const open = this.#open.get(socket) ?? [];
    return open.every(({ request, response }) => !request.complete && !response.headersSent);
  }

  /** Announces to every client that its connection closes after the answer to its latest request. */
  announceCloseToAll(): void {
    for (const socket of this.#open.keys()) {
      const latest = this.latest(socket);
      if (latest !== undefined) this.announceClose(latest.request, latest.response);
    }
  }

  /**
   * Sends `Connection: close` with the latest response only. With an earlier one, the client would lose this response.
   *
   * @param isTooLate keeps the earlier choice. Otherwise, a client that keeps sending would keep its connection open.
   * @returns whether to answer the request. A request after the announced last answer gets none: its client retries
   *   elsewhere. Source: RFC 9112, section 9.6.
   */
  announceClose({ socket }: IncomingMessage, response: ServerResponse, isTooLate = false): boolean {
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
