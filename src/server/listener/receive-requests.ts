import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { GatewayError } from '../../base/errors/errors.ts';
import type { Log } from '../../base/terminal/log.ts';
import { noteEndpoint } from '../../calls/call-log.ts';
import { hasBody } from '../http/body/read-body.ts';
import type { RequestContext } from '../http/request/request-context.ts';
import { emptyAnswer, sendAnswer } from '../http/response/answer.ts';
import { isPreflight, preflightHeaders } from '../http/response/cors.ts';
import { disclose, errorAnswer } from '../http/response/error-answer.ts';
import { writeHead } from '../http/response/response-head.ts';
import type { Shortcut } from '../http/response-cache/shortcut.ts';
import type { LoadShedder, Shed } from '../limits/load-shedder.ts';
import { mayUseResponseCache, type RequestLimits, takeOfAddress } from '../limits/request-limits.ts';
import type { Arrived, OpenRequest, OpenRequests } from './open-requests.ts';
import { type RequestWatchOptions, WatchedRequest } from './request-watch.ts';

/** Maximum number of headers of a request. */
const maxHeaders = 200;

const tooManyHeaders = new GatewayError(
  'REQUEST_HEADERS_TOO_LARGE',
  `A request can have at most ${maxHeaders} headers.`,
);

const noHost = new GatewayError('BAD_USER_INPUT', 'The request has no Host header.');

const severalHosts = new GatewayError('BAD_USER_INPUT', 'The request has more than one Host header.');

/** Maximum number of unanswered requests on a connection. */
const maxPipelined = 100;

const tooManyAtOnce = new GatewayError(
  'OVERLOADED',
  `A connection can have at most ${maxPipelined} unanswered requests.`,
  { retryAfterSeconds: 1 },
);

/** The progress of a shutdown. */
export interface Stop {
  /** Answers announce that their connections close. */
  hasBegun: boolean;
  /** Resolves when the listener is closed. Until then, the first request of each connection waits. */
  untilStoppedListening?: Promise<void> | undefined;
  /** Requests after the announced last answer of their connection are no longer answered. */
  isTooLate: boolean;
}

interface ReceiverOptions {
  /** Answers a request by its route. */
  readonly route: (context: RequestContext) => Promise<void>;
  /** Answers from the response cache. */
  readonly shortcut: Shortcut;
  readonly log: Log;
  readonly limits: RequestLimits;
  readonly shedder: LoadShedder;
  readonly watching: RequestWatchOptions;
  readonly open: OpenRequest;
  readonly openRequests: OpenRequests;
  readonly stop: Readonly<Stop>;
}

/** @param awaitsContinue whether the client waits for `100 Continue` before it sends the body */
type ReceiveRequest = (request: IncomingMessage, response: ServerResponse, awaitsContinue: boolean) => void;

/**
 * Returns the function that receives each request. It refuses a malformed one and one over its address's rate limit,
 * answers from the response cache, refuses what would have to run while the queue is full, and calls the handlers.
 */
export function requestReceiver(options: ReceiverOptions): ReceiveRequest {
  const { route, shortcut, log, limits, shedder, watching, open, openRequests, stop } = options;

  /** Connections whose first request waits for the listener to close. Their later answers follow that one anyway. */
  const waiting = new WeakSet<Socket>();

  const answers = new WeakMap<GatewayError, { headers: string[]; body: string }>();

  /** The error for a request that is refused on arrival. */
  function errorOnArrival(request: IncomingMessage): GatewayError | undefined {
    const tooMany = openRequests.count(request.socket) >= maxPipelined;
    return malformedRequest(request) ?? (tooMany ? tooManyAtOnce : undefined);
  }

  async function answer(context: RequestContext): Promise<void> {
    if (isPreflight(context.request)) {
      const wantedMethod = context.request.headers['access-control-request-method'];
      sendAnswer(context, emptyAnswer(preflightHeaders(wantedMethod)));
      return;
    }
    await route(context);
  }

  function refuse(arrived: Arrived, error: GatewayError): void {
    const context = open(arrived);
    sendAnswer(context, arrived.watched.place.refusal(error, context));
  }

  /** As `refuse`, but cheaper, for load shedding: these answers differ only in their request ids. */
  function shed({ request, response, watched }: Arrived, refused: Shed): void {
    const { error, caller, endpoint } = refused;
    let answer = answers.get(error);
    if (answer === undefined) {
      const { headers, body } = errorAnswer(error);
      const length = ['Content-Length', String(body.length)];
      answer = { headers: [...Object.entries(headers).flat(), ...length], body: body.toString() };
      answers.set(error, answer);
    }
    const { headers, body } = answer;
    const { requestId, cors } = watched;
    writeHead({ response, requestId, cors }, error.status, headers);
    response.end(body, 'latin1');
    const bytes = request.method === 'HEAD' ? 0 : body.length;
    Object.assign(watched.logFields, { error: error.code, bytes, caller, key: caller.name });
    if (endpoint !== undefined) noteEndpoint(watched.logFields, endpoint);
    const ofEndpoint = endpoint && { endpoint: endpoint.name, version: endpoint.number };
    watched.logFields.records = [
      { ...ofEndpoint, class: refused.class, rows: 0, engineMs: 0, code: error.code },
    ];
    watched.end(response);
  }

  function enter(arrived: Arrived): void {
    const { request, response, watched, awaitsContinue } = arrived;
    const isSimple = !awaitsContinue && mayUseResponseCache(request, limits);
    if (isSimple && shortcut(request, response, watched)) {
      watched.end(response);
      return;
    }
    const refused = watched.place.api === 'rest' ? shedder.enter(request, response) : undefined;
    if (refused === undefined) watched.run(() => void answer(open(arrived)));
    else shed(arrived, refused);
  }

  function proceed(arrived: Arrived): void {
    try {
      enter(arrived);
    } catch (error) {
      const context = open(arrived);
      sendAnswer(context, arrived.watched.place.refusal(disclose(error, context, log), context));
    }
  }

  /** A closed connection emits no further event: a context opened for it would never be closed. */
  function unlessClosed({ request, response, watched }: Arrived, act: () => void): void {
    if (request.socket.destroyed) watched.end(response);
    else act();
  }

  function begin(arrived: Arrived): void {
    const { request, response, watched } = arrived;
    const refused = errorOnArrival(request);
    if (refused !== undefined) {
      response.shouldKeepAlive = false;
      refuse(arrived, refused);
      return;
    }
    // Pages can't read why a preflight is refused. The request that follows it counts.
    const isCounted = limits.perAddress !== undefined && !isPreflight(request) && !watched.place.isUncounted;
    const counted = isCounted ? takeOfAddress(request, response, limits) : undefined;
    if (counted !== undefined) {
      const next = (error?: GatewayError) =>
        error === undefined ? proceed(arrived) : refuse(arrived, error);
      void counted.then((error) => unlessClosed(arrived, () => next(error)));
    }
    // Pipelined requests are parsed first: they decide which answer is the last.
    else if (stop.hasBegun) setImmediate(() => unlessClosed(arrived, () => proceed(arrived)));
    // A small body usually arrives with its head and is available in the next tick, unless it was malformed and already
    // refused.
    else if (hasBody(request)) process.nextTick(() => request.socket.writableEnded || proceed(arrived));
    else proceed(arrived);
  }

  return (request, response, awaitsContinue) => {
    const watched = new WatchedRequest(request, watching);
    if (stop.hasBegun && !openRequests.announceClose(request, response, stop.isTooLate)) return;
    const arrived = { request, response, watched, awaitsContinue };
    if (stop.untilStoppedListening === undefined || waiting.has(request.socket)) return begin(arrived);
    waiting.add(request.socket);
    void stop.untilStoppedListening.then(() => unlessClosed(arrived, () => begin(arrived)));
  };
}

/** The error for a malformed request that Node's parser accepts. */
function malformedRequest({
  httpVersion,
  headers,
  rawHeaders,
}: Pick<IncomingMessage, 'httpVersion' | 'headers' | 'rawHeaders'>): GatewayError | undefined {
  if (rawHeaders.length > 2 * maxHeaders) return tooManyHeaders;
  // Source: RFC 9112, section 3.2.
  if (headers.host === undefined) return httpVersion === '1.1' ? noHost : undefined;
  return hasSeveralHosts(rawHeaders) ? severalHosts : undefined;
}

/** @param rawHeaders names and values, alternating */
function hasSeveralHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1;
}
