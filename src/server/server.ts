import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RouteHandler } from '../http/request-context.ts';
import { requestIdMaker } from '../http/request-id-maker.ts';
import type { Shortcut } from '../http/response-cache/shortcut.ts';
import type { LoadShedder } from '../limits/load-shedder.ts';
import { RequestCounter } from '../limits/request-counter.ts';
import type { RequestLimits } from '../limits/request-limits.ts';
import type { Log } from '../log.ts';
import { answerClientError, type ClientError } from './client-error.ts';
import { type HealthDetails, healthHandler } from './health.ts';
import { requestOpener } from './open-request.ts';
import { OpenRequests } from './open-requests.ts';
import { requestReceiver, type Stop } from './receive-requests.ts';
import type { RequestWatchOptions } from './request-watch.ts';
import { cutSlowReaders, type SlowReaderLimits } from './slow-readers.ts';

// An import would read all that `node:http` exports, and with its `WebSocket` Node loads undici: 14 MB, and 40 ms of a start (measured).
const { createServer: createHttpServer } = process.getBuiltinModule('node:http');

export interface ServerOptions extends Partial<RequestWatchOptions> {
  /** Asked in order; the first whose path it is answers. */
  readonly handlers: readonly RouteHandler[];
  /** What answers some requests at once, without the handlers. */
  readonly shortcut?: Shortcut;
  readonly log: Log;
  /** Whether queries can be answered yet; when left out, always. */
  readonly isReady?: () => boolean;
  /** What `/readyz` says besides that the gateway is ready. */
  readonly health?: () => HealthDetails;
  /** How long `close` lets requests that have begun go on, in milliseconds. */
  readonly stopTimeoutMs?: number;
  /** How long the rest of a body that nobody read is waited for, in milliseconds. */
  readonly unreadBodyTimeoutMs?: number;
  /** What requests are held to; nothing without it. */
  readonly limits?: RequestLimits;
  /** Refuses requests while too many queries wait; without it, only those are refused that have to run. */
  readonly shedder?: LoadShedder;
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
  // Node would answer by itself, without a word; `malformed-request.ts` refuses it.
  requireHostHeader: false,
};

/**
 * How long a connection may stay without a request when the server is to close, and may bring further ones before the answer
 * after which its client is to let go, in milliseconds.
 */
const freshConnectionMs = 500;

/**
 * How long answers wait before the server stops listening, in milliseconds. Connections that the system has accepted and the process
 * has not are reset then. A client that was answered would open one at once; one that waits for its answer does not.
 */
const answersWaitMs = 100;

/**
 * Connections that the system may hold until the event loop gets to them. With Node's 511, those of a burst that come meanwhile are
 * dropped, and their clients try again after seconds, or are told that the connection was reset. The system has a bound of its own.
 */
const maxPending = 4096;

const noLimits: RequestLimits = { counter: new RequestCounter(), trustedProxies: 0 };

/** The HTTP listener, in front of everything that the gateway answers. */
export function createServer(options: ServerOptions): Server {
  const { log, shortcut = () => false, isReady = () => true, makeRequestId = requestIdMaker() } = options;
  const { logRequest, requestMeter, traceRequest } = options;
  const { limits = noLimits, stopTimeoutMs = 5_000, unreadBodyTimeoutMs = 5_000 } = options;
  const stop: Stop = { hasBegun: false, isTooLate: false };
  const handlers = [
    healthHandler({ ...options, isReady: () => !stop.hasBegun && isReady() }),
    ...options.handlers,
  ];
  const openRequests = new OpenRequests();
  /** Connections that no request has come on yet. */
  const fresh = new Set<Socket>();

  const receive = requestReceiver({
    handlers,
    shortcut,
    log,
    limits,
    shedder: options.shedder,
    watching: { makeRequestId, logRequest, requestMeter, traceRequest },
    open: requestOpener({ openRequests, unreadBodyTimeoutMs }),
    openRequests,
    stop,
  });
  const receiving = (awaitsLeave: boolean) => (request: IncomingMessage, response: ServerResponse) => {
    fresh.delete(request.socket);
    receive(request, response, awaitsLeave);
  };

  function drain(): void {
    stop.hasBegun = true;
    openRequests.letGoAll();
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
  http.on('request', receiving(false));
  http.on('checkContinue', receiving(true));
  // What else a client may expect (RFC 9110, section 10.1.1, knows nothing) is not looked at.
  http.on('checkExpectation', receiving(false));
  const refuseClient = (error: ClientError, socket: Socket) => {
    const begun = openRequests.latest(socket);
    const instead = answerClientError(error, socket, openRequests.mayAnswerLatest(socket));
    if (instead === undefined) return;
    // A request whose body turns out to be none has a line of its own. Who ends in the midst of a body has mostly left.
    if (begun === undefined) {
      logRequest?.({ requestId: makeRequestId(), ...instead, durationMs: 0 });
      requestMeter?.request('other', instead.status, 0);
    } else if (error.code !== 'HPE_INVALID_EOF_STATE') begun.logFields.instead = instead;
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
        http.listen({ host, port, backlog: maxPending }, () => {
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
      const stoppedListening = Promise.withResolvers<void>();
      if (http.listening) {
        stop.untilStoppedListening = stoppedListening.promise;
        await sleep(answersWaitMs);
      }
      await new Promise<void>((resolve) => {
        const cut = setTimeout(() => {
          const requests = openRequests.size;
          if (requests > 0) log.warn('requests were aborted: the shutdown timeout was over', { requests });
          http.closeAllConnections();
        }, stopTimeoutMs);
        const cutFresh = setTimeout(() => {
          stop.isTooLate = true;
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
        stop.untilStoppedListening = undefined;
        stoppedListening.resolve();
      });
    },
  };
}
