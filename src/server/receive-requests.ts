import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { GatewayError } from '../errors.ts';
import { sendAnswer } from '../http/answer.ts';
import { corsHeaders } from '../http/cors.ts';
import { disclose, errorAnswer } from '../http/error-answer.ts';
import { hasBody } from '../http/read-body.ts';
import type { RequestContext, RouteHandler } from '../http/request-context.ts';
import type { Shortcut } from '../http/response-cache/shortcut.ts';
import { securityHeaders } from '../http/security-headers.ts';
import type { LoadShedder } from '../limits/load-shedder.ts';
import { mayTakeShortcut, type RequestLimits, takeOfAddress } from '../limits/request-limits.ts';
import type { Log } from '../log.ts';
import { apiOf } from './api-of.ts';
import { isHealthPath } from './health.ts';
import { malformedRequest } from './malformed-request.ts';
import type { Arrived, OpenRequest } from './open-request.ts';
import type { OpenRequests } from './open-requests.ts';
import { refusal } from './refusal.ts';
import { type RequestWatchOptions, WatchedRequest } from './request-watch.ts';

/** Requests that a client may send on one connection without waiting for their answers. */
const maxPipelined = 100;

const tooManyAtOnce = new GatewayError(
  'OVERLOADED',
  `A connection can have at most ${maxPipelined} unanswered requests.`,
  { retryAfterSeconds: 1 },
);
const nothingHere = errorAnswer(new GatewayError('NOT_FOUND', 'Not found.'));

/** How far a server is on its way to its end. */
export interface Stop {
  /** Clients are told to let go of their connections. */
  hasBegun: boolean;
  /** Requests that come before the server stops listening are answered after it. */
  untilStoppedListening?: Promise<void> | undefined;
  /** Requests are not answered any more whose client was to be told before to let go. */
  isTooLate: boolean;
}

interface ReceiverOptions {
  /** Asked in order; the first whose path it is answers. */
  readonly handlers: readonly RouteHandler[];
  /** What answers some requests at once, without the handlers. */
  readonly shortcut: Shortcut;
  readonly log: Log;
  readonly limits: RequestLimits;
  readonly shedder: LoadShedder | undefined;
  readonly watching: RequestWatchOptions;
  readonly open: OpenRequest;
  readonly openRequests: OpenRequests;
  readonly stop: Readonly<Stop>;
}

/** Takes a request; `awaitsLeave` says whether the client waits for leave to send the body. */
type ReceiveRequest = (request: IncomingMessage, response: ServerResponse, awaitsLeave: boolean) => void;

/**
 * What becomes of each request: refused for its form, counted for its address, answered from the response cache, refused while the queue is
 * full, or handed to the handlers.
 */
export function requestReceiver(options: ReceiverOptions): ReceiveRequest {
  const { handlers, shortcut, log, limits, shedder, watching, open, openRequests, stop } = options;

  /** Connections whose first request since then waits for the server to stop listening: the answers to others come after its own. */
  const held = new WeakSet<Socket>();

  const answers = new WeakMap<GatewayError, { headers: string[]; body: string }>();

  /** Why a request is refused before anything is done with it, if it is. */
  function refuses(request: IncomingMessage): GatewayError | undefined {
    const isTooMany = openRequests.count(request.socket) >= maxPipelined;
    return malformedRequest(request) ?? (isTooMany ? tooManyAtOnce : undefined);
  }

  async function answer(context: RequestContext): Promise<void> {
    try {
      for (const handler of handlers) {
        const answered = handler(context);
        if (answered !== undefined) return await answered;
      }
      sendAnswer(context, nothingHere);
    } catch (error) {
      sendAnswer(context, errorAnswer(disclose(error, context, log)));
    }
  }

  function refuse(arrived: Arrived, error: GatewayError): void {
    const context = open(arrived);
    sendAnswer(context, refusal(context, error));
  }

  /** As `refuse`, for very many requests: their answers differ in nothing but the id. */
  function turnAway({ request, response, watched }: Arrived, error: GatewayError): void {
    let answer = answers.get(error);
    if (answer === undefined) {
      const { headers, body } = errorAnswer(error, { ...corsHeaders, ...securityHeaders });
      answer = { headers: Object.entries(headers).flat(), body: body.toString() };
      answers.set(error, answer);
    }
    const { headers, body } = answer;
    const length = String(body.length);
    response.writeHead(error.status, [
      ...headers,
      'X-Request-Id',
      watched.requestId,
      'Content-Length',
      length,
    ]);
    response.end(body, 'latin1');
    watched.logFields.error = error.code;
    watched.logFields.bytes = request.method === 'HEAD' ? 0 : body.length;
    watched.end(response);
  }

  function enter(arrived: Arrived): void {
    const { request, response, watched, awaitsLeave } = arrived;
    const isSimple = !awaitsLeave && mayTakeShortcut(request, limits);
    if (isSimple && shortcut(request, response, watched)) {
      watched.end(response);
      return;
    }
    const error = apiOf(request.url ?? '') === 'rest' ? shedder?.enter(request, response) : undefined;
    if (error === undefined) watched.run(() => void answer(open(arrived)));
    else turnAway(arrived, error);
  }

  function go(arrived: Arrived): void {
    try {
      enter(arrived);
    } catch (error) {
      const context = open(arrived);
      sendAnswer(context, errorAnswer(disclose(error, context, log)));
    }
  }

  /** A caller may have left already, and no event says so: what is opened for him now would never be closed. */
  function unlessLeft({ request, response, watched }: Arrived, act: () => void): void {
    if (request.socket.destroyed) watched.end(response);
    else act();
  }

  function begin(arrived: Arrived): void {
    const { request, response } = arrived;
    const refused = refuses(request);
    if (refused !== undefined) {
      response.shouldKeepAlive = false;
      refuse(arrived, refused);
      return;
    }
    const counted = isHealthPath(request.url) ? undefined : takeOfAddress(request, response, limits);
    if (counted !== undefined) {
      const next = (error?: GatewayError) => (error === undefined ? go(arrived) : refuse(arrived, error));
      void counted.then((error) => unlessLeft(arrived, () => next(error)));
    }
    // What came along with it is to be known before it is answered: it may be the last answer, or not.
    else if (stop.hasBegun) setImmediate(() => unlessLeft(arrived, () => go(arrived)));
    // A small body mostly comes with the head; then it is there in the next tick, unless it was none, and has been refused.
    else if (hasBody(request)) process.nextTick(() => request.socket.writableEnded || go(arrived));
    else go(arrived);
  }

  return (request, response, awaitsLeave) => {
    const watched = new WatchedRequest(request, watching);
    if (stop.hasBegun && !openRequests.letGo(request, response, stop.isTooLate)) return;
    const arrived = { request, response, watched, awaitsLeave };
    if (stop.untilStoppedListening === undefined || held.has(request.socket)) return begin(arrived);
    held.add(request.socket);
    void stop.untilStoppedListening.then(() => unlessLeft(arrived, () => begin(arrived)));
  };
}
