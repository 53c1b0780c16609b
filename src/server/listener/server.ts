import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../base/terminal/log.ts';
import type { MemoryBudgets } from '../../definitions/settings/memory-budgets.ts';
import { requestIdMaker } from '../http/request/request-id.ts';
import { countUnread } from '../http/response/unread.ts';
import type { Shortcut } from '../http/response-cache/shortcut.ts';
import type { PublicHandler, Route } from '../http/route.ts';
import type { Admission } from '../limits/admission.ts';
import type { LoadShedder } from '../limits/load-shedder.ts';
import type { RequestLimits } from '../limits/request-limits.ts';
import { type HealthDetails, readinessHandler } from '../operator/monitoring.ts';
import { RouteTable } from '../routing/route-table.ts';
import { requestRouter } from '../routing/router.ts';
import { answerClientError, type ClientError } from './client-error.ts';
import {
  cutRevokedRequests,
  cutSlowReaders,
  type RevokedRequestsOptions,
  type SlowReaderLimits,
} from './cut-connections.ts';
import { OpenRequests, requestOpener } from './open-requests.ts';
import { requestReceiver, type Stop } from './receive-requests.ts';
import type { RequestWatchOptions } from './request-watch.ts';

// An import would read all that `node:http` exports, and with its `WebSocket` Node loads undici: 14 MB, and 40 ms of a start (measured).
const { createServer: createHttpServer } = process.getBuiltinModule('node:http');

export interface ServerOptions extends Omit<RequestWatchOptions, 'table' | 'makeRequestId'> {
  /** The table of routes, in the order of matching. `readiness` tells whether queries can be answered. */
  readonly routes: (readiness: PublicHandler) => readonly Route[];
  readonly admission: Admission;
  /** Answers from the response cache. */
  readonly shortcut: Shortcut;
  readonly log: Log;
  /** Whether queries can be answered. */
  readonly isReady: () => boolean;
  /** Further details in the response of `/readyz`. */
  readonly health: () => HealthDetails;
  /** How long `close` waits for requests in progress, in milliseconds. */
  readonly stopTimeoutMs: number;
  /** How long to wait for the rest of a body that no handler read, in milliseconds. */
  readonly unreadBodyTimeoutMs?: number;
  readonly limits: RequestLimits;
  readonly shedder: LoadShedder;
  /** Maximum number of connections. Further ones are closed at once. */
  readonly maxConnections: number;
  readonly slowReaders?: SlowReaderLimits;
  /** Whether callers of long requests are still valid. */
  readonly revocation: Omit<RevokedRequestsOptions, 'openRequests' | 'log'>;
  /** Counts bodies and unread responses. */
  readonly memoryBudgets: Pick<MemoryBudgets, 'bodies' | 'answers'>;
}

export interface Server {
  /** All routes, as OpenAPI writes their paths, with their methods but OPTIONS. */
  readonly routes: readonly Pick<Route, 'path' | 'methods'>[];
  /** Starts listening and returns the address. Port 0 selects a free port. */
  listen(address: { host: string; port: number }): Promise<{ host: string; port: number; url: string }>;
  /** Answers a request that another server has received. */
  handle(request: IncomingMessage, response: ServerResponse): void;
  /**
   * Reports at `/readyz` that the gateway is not ready, and announces that connections close. All requests are still
   * answered.
   */
  drain(): void;
  /** Closes the listener, waits for requests in progress, and aborts them after the shutdown timeout. */
  close(): Promise<void>;
}

const httpOptions = {
  maxHeaderSize: 64 * 1024,
  headersTimeout: 20_000,
  // Uploads may take long: requests have their own deadline where one applies.
  requestTimeout: 0,
  // Longer than the 60 seconds after which load balancers usually close an idle connection.
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
  // Node's own answer would have no body. `requestReceiver` refuses such requests.
  requireHostHeader: false,
};

/** On shutdown, grace for connections without a request and for late pipelined requests, in milliseconds. */
const freshConnectionMs = 500;

/**
 * How long answers wait before the listener closes, in milliseconds. Closing it resets connections that the system has
 * accepted and the process has not. Answered clients would open new ones at once; clients that wait for an answer
 * don't.
 */
const answersWaitMs = 100;

/**
 * Connections that the system queues until the event loop accepts them. With Node's default of 511, bursts overflow the
 * queue: clients retry after seconds, or see a reset connection. The system has a limit of its own.
 */
const maxPending = 4096;

/** The HTTP listener, in front of everything that the gateway answers. */
export function createServer(options: ServerOptions): Server {
  const { admission, log, shortcut, shedder, isReady, health, limits, memoryBudgets } = options;
  const { logRequest, records, requestMeter, traceRequest, cors, revocation } = options;
  const { stopTimeoutMs, unreadBodyTimeoutMs = 5_000 } = options;
  const { answers } = memoryBudgets;
  const makeRequestId = requestIdMaker();
  const stop: Stop = { hasBegun: false, isTooLate: false };
  const readiness = readinessHandler(() => !stop.hasBegun && isReady(), health);
  const table = new RouteTable(options.routes(readiness));
  const openRequests = new OpenRequests();
  /** Connections without any request so far. */
  const fresh = new Set<Socket>();

  const receive = requestReceiver({
    route: requestRouter({ table, admission, log }),
    shortcut,
    log,
    limits,
    shedder,
    watching: { table, makeRequestId, logRequest, records, requestMeter, traceRequest, cors },
    open: requestOpener({ openRequests, unreadBodyTimeoutMs, memoryBudgets }),
    openRequests,
    stop,
  });
  const receiving = (awaitsContinue: boolean) => (request: IncomingMessage, response: ServerResponse) => {
    fresh.delete(request.socket);
    receive(request, response, awaitsContinue);
  };

  function drain(): void {
    stop.hasBegun = true;
    openRequests.announceCloseToAll();
  }

  const http = createHttpServer(httpOptions);
  http.maxConnections = options.maxConnections;
  // Node would silently drop further headers. Their total size is bounded anyway.
  http.maxHeadersCount = 0;
  const stopCuttingSlowReaders = cutSlowReaders(http, () => performance.now(), options.slowReaders);
  const stopCuttingRevoked = cutRevokedRequests({ ...revocation, openRequests, log });
  http.on('connection', (socket) => {
    fresh.add(socket);
    countUnread(socket, answers);
    socket.once('close', () => fresh.delete(socket));
  });
  http.on('request', receiving(false));
  http.on('checkContinue', receiving(true));
  // RFC 9110, section 10.1.1, defines no other expectation: it is ignored.
  http.on('checkExpectation', receiving(false));
  const refuseClient = (error: ClientError, socket: Socket) => {
    const begun = openRequests.latest(socket);
    const facts = begun ?? { requestId: makeRequestId(), cors: cors.headers(undefined) };
    const mayAnswer = openRequests.mayAnswerLatest(socket);
    const clientErrorAnswer = answerClientError(error, socket, mayAnswer, facts);
    if (clientErrorAnswer === undefined) return;
    // A request with a malformed body has a log line of its own. Clients that end within a body have usually left.
    if (begun === undefined) {
      logRequest?.({ requestId: facts.requestId, ...clientErrorAnswer, durationMs: 0 });
      requestMeter.request('other', clientErrorAnswer.status, 0);
    } else if (error.code !== 'HPE_INVALID_EOF_STATE') begun.logFields.clientErrorAnswer = clientErrorAnswer;
  };
  http.on('clientError', refuseClient);
  // CONNECT is refused: this server is not a proxy. Node would close the connection without an answer.
  http.on('connect', (_request, socket: Socket) => {
    // Node no longer handles this socket. An unhandled error would end the process.
    socket.on('error', () => {});
    const timer = setTimeout(() => socket.destroy(), unreadBodyTimeoutMs);
    socket.once('close', () => clearTimeout(timer)).resume();
    refuseClient(new Error('CONNECT'), socket);
  });

  return {
    routes: table.routes,
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
    handle(request, response) {
      countUnread(request.socket, answers);
      receive(request, response, false);
    },
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
          if (requests > 0) log.warn('requests were aborted after the shutdown timeout', { requests });
          http.closeAllConnections();
          // Those of another server are not among the connections of this one.
          openRequests.abort();
        }, stopTimeoutMs);
        const cutFresh = setTimeout(() => {
          stop.isTooLate = true;
          for (const socket of fresh) socket.destroy();
        }, freshConnectionMs);
        // Kept-alive connections become idle one by one, after their last answers.
        let isClosed = false;
        const sweep = setInterval(() => {
          http.closeIdleConnections();
          if (isClosed && openRequests.size === 0) end();
        }, 20);
        const end = () => {
          clearTimeout(cut);
          clearTimeout(cutFresh);
          clearInterval(sweep);
          stopCuttingSlowReaders();
          stopCuttingRevoked();
          resolve();
        };
        http.close(() => {
          isClosed = true;
          if (openRequests.size === 0) end();
        });
        stop.untilStoppedListening = undefined;
        stoppedListening.resolve();
      });
    },
  };
}
