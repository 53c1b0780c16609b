import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { GatewayError } from '../errors.ts';
import { sendAnswer } from '../http/answer.ts';
import { disclose, errorAnswer } from '../http/error-answer.ts';
import type { Exchange, Face } from '../http/exchange.ts';
import { HeldMemory } from '../http/held-memory.ts';
import { hasBody } from '../http/read-body.ts';
import { requestIdMaker } from '../http/request-id.ts';
import { splitRequestTarget } from '../http/request-target.ts';
import type { Shortcut } from '../http/shortcut.ts';
import { RequestCounter } from '../limits/request-counter.ts';
import { mayTakeShortcut, type RequestLimits, takeOfAddress } from '../limits/request-limits.ts';
import type { Log } from '../log.ts';
import { answerClientError } from './client-error.ts';
import type { Door } from './door.ts';
import { type HealthDetails, healthFace, isHealthPath } from './health.ts';
import { OpenExchanges } from './open-exchanges.ts';
import { quietMoment } from './quiet-moment.ts';
import { refusal } from './refusal.ts';
import { type RequestWatchOptions, WatchedRequest } from './request-watch.ts';
import { cutSlowReaders, type SlowReaderLimits } from './slow-readers.ts';

export interface ServerOptions extends Partial<RequestWatchOptions> {
  /** Asked in order; the first whose path it is answers. */
  readonly faces: readonly Face[];
  /** What answers some requests at once, without the faces. */
  readonly shortcut?: Shortcut;
  readonly log: Log;
  /** Whether queries can be answered yet; when left out, always. */
  readonly isReady?: () => boolean;
  /** Whether queries ever can be answered again, without a restart; when left out, always. */
  readonly isAlive?: () => boolean;
  /** What `/readyz` says besides that the gateway is ready. */
  readonly health?: () => HealthDetails;
  /** How long `close` lets requests that have begun go on, in milliseconds. */
  readonly stopTimeoutMs?: number;
  /** How long the rest of a body that nobody read is waited for, in milliseconds. */
  readonly unreadBodyTimeoutMs?: number;
  /** What requests are held to; nothing without it. */
  readonly limits?: RequestLimits;
  /** Where queries are refused that there would be no room for; without it none are. */
  readonly door?: Door;
  /** Connections at the same time; further ones are closed at once. */
  readonly maxConnections?: number;
  readonly slowReaders?: SlowReaderLimits;
}

export interface Server {
  /** Starts listening and gives the address. Port 0 takes any free one. */
  listen(address: { host: string; port: number }): Promise<{ host: string; port: number; url: string }>;
  /** Says at `/readyz` that it is not ready, and has clients let go of their connections; it still answers everything. */
  drain(): void;
  /** Takes no more connections, lets requests that have begun finish for a while, then cuts them. */
  close(): Promise<void>;
}

const httpOptions = {
  maxHeaderSize: 64 * 1024,
  headersTimeout: 20_000,
  // Uploads may take long: requests have their own deadline where one applies.
  requestTimeout: 0,
  // Longer than the 60 seconds after which load balancers usually let go of an idle connection.
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
  // Node would answer by itself, without a word; `answer` refuses it.
  requireHostHeader: false,
};

/**
 * How long a connection may stay without a request when the server is to close, and may bring further ones before the answer
 * after which its client is to let go, in milliseconds.
 */
const freshConnectionMs = 500;

/** Headers that a request may have. */
const maxHeaders = 200;
/** Requests that a client may send on one connection without waiting for their answers. */
const maxPipelined = 100;
/** What bodies of requests may take in memory, in bytes. */
const maxHeldBytes = 128_000_000;

const noLimits: RequestLimits = { counter: new RequestCounter(), trustedProxies: 0 };
const tooManyHeaders = new GatewayError(
  'REQUEST_HEADERS_TOO_LARGE',
  `A request may have ${maxHeaders} headers.`,
);
const tooManyAtOnce = new GatewayError(
  'OVERLOADED',
  `A connection may wait for the answers to ${maxPipelined} requests.`,
  { retryAfterSeconds: 1 },
);
const nothingHere = errorAnswer(new GatewayError('NOT_FOUND', 'There is nothing at this path.'));

/** The HTTP listener, in front of everything that the gateway answers. */
export function createServer(options: ServerOptions): Server {
  const { log, shortcut = () => false, isReady = () => true, makeRequestId = requestIdMaker() } = options;
  const { logRequest, traceRequest } = options;
  const watching = { makeRequestId, logRequest, traceRequest };
  const { limits = noLimits, door } = options;
  const { stopTimeoutMs = 5_000, unreadBodyTimeoutMs = 5_000 } = options;
  let stopping = false;
  /** Whether requests are not answered any more whose client was to be told before to let go. */
  let isTooLate = false;
  const faces = [healthFace({ ...options, isReady: () => !stopping && isReady() }), ...options.faces];
  const openExchanges = new OpenExchanges();
  const heldMemory = new HeldMemory(maxHeldBytes);
  /** Connections that no request has come on yet. */
  const fresh = new Set<Socket>();

  function open(
    request: IncomingMessage,
    response: ServerResponse,
    watched: WatchedRequest,
    awaitsLeave: boolean,
  ): Exchange {
    const { path, query } = splitRequestTarget(request.url ?? '/');
    const { requestId, facts } = watched;
    let leaveGiven = !awaitsLeave;
    const openBody = () => {
      if (!leaveGiven) response.writeContinue();
      leaveGiven = true;
      return request;
    };
    let held = 0;
    const holdMemory = (bytes: number) => {
      heldMemory.take(bytes);
      held += bytes;
    };
    const exchange = { request, response, requestId, facts, path, query, openBody, holdMemory };
    openExchanges.add(exchange);
    response.once('close', () => {
      watched.end(response);
      heldMemory.give(held);
      if (!request.readableEnded) discardBody(request, unreadBodyTimeoutMs);
    });
    return exchange;
  }

  /** Why a request is refused before anything is done with it, if it is. */
  function refuses({ socket, rawHeaders }: IncomingMessage): GatewayError | undefined {
    if (rawHeaders.length > 2 * maxHeaders) return tooManyHeaders;
    return openExchanges.count(socket) >= maxPipelined ? tooManyAtOnce : undefined;
  }

  function receive(request: IncomingMessage, response: ServerResponse, awaitsLeave: boolean): void {
    const watched = new WatchedRequest(request, watching);
    fresh.delete(request.socket);
    if (stopping && !openExchanges.letGo(request, response, isTooLate)) return;
    const refuse = (error: GatewayError) => {
      const exchange = open(request, response, watched, awaitsLeave);
      sendAnswer(exchange, refusal(exchange, error));
    };
    const turnAway = (at: Door) => {
      watched.facts.error = 'OVERLOADED';
      const bytes = at.refuse(request, response, watched.requestId);
      if (bytes === undefined) return refuse(at.refusal(request));
      watched.facts.bytes = bytes;
      watched.end(response);
    };
    const enter = () => {
      const isSimple = !awaitsLeave && mayTakeShortcut(request, limits);
      if (isSimple && shortcut(request, response, watched)) watched.end(response);
      else if (door?.mayEnter(request) === false) turnAway(door);
      else watched.run(() => void answer(open(request, response, watched, awaitsLeave)));
    };
    const go = () => {
      try {
        enter();
      } catch (error) {
        const exchange = open(request, response, watched, awaitsLeave);
        sendAnswer(exchange, errorAnswer(disclose(error, exchange, log)));
      }
    };
    const refused = refuses(request);
    if (refused !== undefined) {
      response.shouldKeepAlive = false;
      refuse(refused);
      return;
    }
    const counted = isHealthPath(request.url) ? undefined : takeOfAddress(request, response, limits);
    if (counted !== undefined) {
      void counted.then((error) => {
        // Who left meanwhile is told of nowhere else: nothing that is opened now would ever be closed.
        if (request.socket.destroyed) watched.end(response);
        else if (error === undefined) go();
        else refuse(error);
      });
    }
    // What came along with it is to be known before it is answered: it may be the last answer, or not.
    else if (stopping) setImmediate(go);
    // A small body mostly comes with the head; then it is there in the next tick, unless it was none, and has been refused.
    else if (hasBody(request)) process.nextTick(() => request.socket.writableEnded || go());
    else go();
  }

  async function answer(exchange: Exchange): Promise<void> {
    try {
      requireHost(exchange.request);
      for (const face of faces) {
        const answered = face(exchange);
        if (answered !== undefined) return await answered;
      }
      sendAnswer(exchange, nothingHere);
    } catch (error) {
      sendAnswer(exchange, errorAnswer(disclose(error, exchange, log)));
    }
  }

  function drain(): void {
    stopping = true;
    openExchanges.letGoAll();
  }

  const http = createHttpServer(httpOptions);
  http.maxConnections = options.maxConnections ?? Number.POSITIVE_INFINITY;
  // Node would leave out further ones without a word; the size of all of them is bounded anyway.
  http.maxHeadersCount = 0;
  const letReadersBe = cutSlowReaders(http, () => performance.now(), options.slowReaders);
  http.on('connection', (socket) => {
    fresh.add(socket);
    socket.once('close', () => fresh.delete(socket));
  });
  http.on('request', (request, response) => receive(request, response, false));
  http.on('checkContinue', (request, response) => receive(request, response, true));
  // What else a client may expect (RFC 9110, section 10.1.1, knows nothing) is not looked at.
  http.on('checkExpectation', (request, response) => receive(request, response, false));
  const refuseClient = (error: NodeJS.ErrnoException, socket: Socket) => {
    const begun = openExchanges.latest(socket);
    const told = answerClientError(error, socket, openExchanges.mayAnswerLatest(socket));
    if (told === undefined) return;
    const instead = {
      error: told.code,
      bytes: Buffer.byteLength(errorAnswer(told).body),
      status: told.status,
    };
    // A request whose body turns out to be none has a line of its own.
    if (begun !== undefined) begun.facts.instead = instead;
    else logRequest?.({ requestId: makeRequestId(), ...instead, durationMs: 0 });
  };
  http.on('clientError', refuseClient);
  // Node would close the connection without a word: this is no proxy.
  http.on('connect', (_request, socket: Socket) => {
    // Node has let go of the connection: nobody else would hear of its errors, which would end the process, or close it.
    socket.on('error', () => {});
    const timer = setTimeout(() => socket.destroy(), unreadBodyTimeoutMs);
    socket.once('close', () => clearTimeout(timer)).resume();
    refuseClient(new Error('CONNECT'), socket);
  });

  return {
    listen: ({ host, port }) =>
      new Promise((resolve, reject) => {
        http.once('error', reject);
        http.listen({ host, port }, () => {
          http.off('error', reject);
          const address = http.address();
          if (address === null || typeof address === 'string') throw new Error('not listening on TCP');
          const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address;
          resolve({ host: address.address, port: address.port, url: `http://${shown}:${address.port}` });
        });
      }),
    drain,
    async close() {
      drain();
      if (http.listening) await quietMoment(http);
      await new Promise<void>((resolve) => {
        const cut = setTimeout(() => {
          const requests = openExchanges.size;
          if (requests > 0) log.warn('requests were cut: their time to end was over', { requests });
          http.closeAllConnections();
        }, stopTimeoutMs);
        const cutFresh = setTimeout(() => {
          isTooLate = true;
          for (const socket of fresh) socket.destroy();
        }, freshConnectionMs);
        // Connections that are kept alive become idle one by one, when their last answer has gone out.
        const sweep = setInterval(() => http.closeIdleConnections(), 20);
        http.close(() => {
          clearTimeout(cut);
          clearTimeout(cutFresh);
          clearInterval(sweep);
          letReadersBe();
          resolve();
        });
      });
    },
  };
}

/** Source: RFC 9112, section 3.2. */
function requireHost({ httpVersion, headers }: IncomingMessage): void {
  if (httpVersion === '1.1' && headers.host === undefined) {
    throw new GatewayError('BAD_USER_INPUT', 'The request has no Host header.');
  }
}

/** Reads on to the end of the body, so that the connection can be used again, but not for ever. */
function discardBody(request: IncomingMessage, milliseconds: number): void {
  request.resume();
  if (request.complete || request.socket.destroyed) return;
  const timer = setTimeout(() => request.socket.destroy(), milliseconds);
  request.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
}
