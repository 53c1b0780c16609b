import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { GatewayError } from '../errors.ts';
import { sendAnswer } from '../http/answer.ts';
import { disclose, errorAnswer } from '../http/error-answer.ts';
import type { Exchange, Face } from '../http/exchange.ts';
import { hasBody } from '../http/read-body.ts';
import { requestIdFrom, requestIdMaker } from '../http/request-id.ts';
import { splitRequestTarget } from '../http/request-target.ts';
import type { Shortcut } from '../http/shortcut.ts';
import type { Log } from '../log.ts';
import { answerClientError } from './client-error.ts';
import { type HealthDetails, healthFace } from './health.ts';

export interface ServerOptions {
  /** Asked in order; the first whose path it is answers. */
  readonly faces: readonly Face[];
  /** What answers some requests at once, without the faces. */
  readonly shortcut?: Shortcut;
  readonly log: Log;
  /** Whether queries can be answered yet; when left out, always. */
  readonly isReady?: () => boolean;
  /** What `/readyz` says besides that the gateway is ready. */
  readonly health?: () => HealthDetails;
  readonly makeRequestId?: () => string;
  /** How long `close` lets requests that have begun go on, in milliseconds. */
  readonly stopTimeoutMs?: number;
  /** How long the rest of a body that nobody read is waited for, in milliseconds. */
  readonly unreadBodyTimeoutMs?: number;
}

export interface Server {
  /** Starts listening and gives the address. Port 0 takes any free one. */
  listen(address: { host: string; port: number }): Promise<{ host: string; port: number; url: string }>;
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

const nothingHere = errorAnswer(new GatewayError('NOT_FOUND', 'There is nothing at this path.'));

/** The HTTP listener, in front of everything that the gateway answers. */
export function createServer(options: ServerOptions): Server {
  const { log, shortcut = () => false, isReady = () => true, makeRequestId = requestIdMaker() } = options;
  const { stopTimeoutMs = 5_000, unreadBodyTimeoutMs = 5_000 } = options;
  let stopping = false;
  const faces = [healthFace(() => !stopping && isReady(), options.health), ...options.faces];
  const openExchanges = new WeakMap<Socket, Set<Exchange>>();

  const requestIdOf = ({ headers }: IncomingMessage) => requestIdFrom(headers['x-request-id'], makeRequestId);

  function open(request: IncomingMessage, response: ServerResponse, awaitsLeave: boolean): Exchange {
    const { path, query } = splitRequestTarget(request.url ?? '/');
    const requestId = requestIdOf(request);
    let leaveGiven = !awaitsLeave;
    const openBody = () => {
      if (!leaveGiven) response.writeContinue();
      leaveGiven = true;
      return request;
    };
    const exchange = { request, response, requestId, path, query, openBody };

    const { socket } = request;
    const others = openExchanges.get(socket) ?? new Set();
    openExchanges.set(socket, others.add(exchange));
    response.once('close', () => {
      others.delete(exchange);
      if (!request.readableEnded) discardBody(request, unreadBodyTimeoutMs);
    });
    return exchange;
  }

  async function answer(exchange: Exchange): Promise<void> {
    if (stopping) exchange.response.shouldKeepAlive = false;
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

  const http = createHttpServer(httpOptions);
  http.on('request', (request, response) => {
    const begin = () => {
      if (!stopping && shortcut(request, response, () => requestIdOf(request))) return;
      answer(open(request, response, false));
    };
    // A small body mostly comes with the head; then it is there in the next tick.
    if (hasBody(request)) process.nextTick(begin);
    else begin();
  });
  http.on('checkContinue', (request, response) => answer(open(request, response, true)));
  // What else a client may expect (RFC 9110, section 10.1.1, knows nothing) is not looked at.
  http.on('checkExpectation', (request, response) => answer(open(request, response, false)));
  http.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const others = [...(openExchanges.get(socket) ?? [])];
    const isLatest = others.every(({ request, response }) => !request.complete && !response.headersSent);
    answerClientError(error, socket, isLatest);
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
    close: () =>
      new Promise((resolve) => {
        stopping = true;
        const cut = setTimeout(() => http.closeAllConnections(), stopTimeoutMs);
        // Connections that are kept alive become idle one by one, when their last answer has gone out.
        const sweep = setInterval(() => http.closeIdleConnections(), 20);
        http.close(() => {
          clearTimeout(cut);
          clearInterval(sweep);
          resolve();
        });
      }),
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
