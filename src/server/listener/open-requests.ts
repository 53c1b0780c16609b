import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { GatewayError } from '../../base/errors/errors.ts';
import type { Account } from '../../base/fairness/account.ts';
import { FairQueue } from '../../base/fairness/fair-queue.ts';
import type { Holding } from '../../base/memory/memory-budget.ts';
import type { MemoryBudgets } from '../../definitions/settings/memory-budgets.ts';
import { accountOfConnection } from '../http/request/connection-account.ts';
import type { RequestContext } from '../http/request/request-context.ts';
import { splitRequestTarget } from '../http/request/request-target.ts';
import { sendAnswer } from '../http/response/answer.ts';
import { closeSlow } from '../http/response/unread.ts';
import type { WatchedRequest } from './request-watch.ts';

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

/** A request on arrival, with its response. */
export interface Arrived {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly watched: WatchedRequest;
  /** Whether the client waits for `100 Continue` before it sends the body. */
  readonly awaitsContinue: boolean;
}

/** Creates the context of a request, which stays open until its answer was sent or its client has left. */
export type OpenRequest = (arrived: Arrived) => RequestContext;

interface RequestOpenerOptions {
  /** Tracks the requests in progress. */
  readonly openRequests: OpenRequests;
  /** How long to wait for the rest of a body that no handler read, in milliseconds. */
  readonly unreadBodyTimeoutMs: number;
  readonly memoryBudgets: Pick<MemoryBudgets, 'bodies' | 'answers'>;
}

/** Returns the function that opens the requests of one server. Their bodies share a bounded amount of memory. */
export function requestOpener({
  openRequests,
  unreadBodyTimeoutMs,
  memoryBudgets,
}: RequestOpenerOptions): OpenRequest {
  const { bodies, answers } = memoryBudgets;
  const discarder = new BodyDiscarder(unreadBodyTimeoutMs);
  return ({ request, response, watched, awaitsContinue }) => {
    const { path, query } = splitRequestTarget(request.url ?? '/');
    const { requestId, logFields, cors } = watched;
    let continueSent = !awaitsContinue;
    const openBody = () => {
      if (!continueSent) response.writeContinue();
      continueSent = true;
      return request;
    };
    let held: Holding | undefined;
    const holdBody: RequestContext['holdBody'] = (end) => {
      held ??= bodies.hold(accountOfConnection(request.socket), end);
      return held;
    };
    const common = { request, response, requestId, logFields, cors };
    const holdAnswer: RequestContext['holdAnswer'] = (memory, bytes) =>
      answers.use(accountOfConnection(request.socket), memory, bytes, (reason) => {
        if (response.headersSent || !(reason instanceof GatewayError)) closeSlow(request.socket);
        else sendAnswer(context, watched.place.refusal(reason, context));
      });
    const context: RequestContext = { ...common, path, query, openBody, holdBody, holdAnswer };
    openRequests.add(context);
    response.once('close', () => {
      watched.end(response);
      held?.[Symbol.dispose]();
      if (!request.readableEnded) discarder.discard(request, accountOfConnection(request.socket));
    });
    return context;
  };
}
