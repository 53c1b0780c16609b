import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Clock } from '../../../base/system/clock.ts';
import type { Log } from '../../../base/terminal/log.ts';
import type { Fault, Faults } from './faults/faults.ts';
import { spoiledBody } from './faults/faults.ts';
import { GoogleError } from './wire/google-error.ts';
import type { Answer, ReceivedRequest } from './wire/request.ts';
import { readRequest } from './wire/request.ts';

interface HandlerOptions {
  readonly faults: Faults;
  readonly clock: Clock;
  /** Aborted when the server closes. */
  readonly closing: AbortSignal;
  readonly log: Log | undefined;
  /** The required bearer token: none, any, or this one. */
  readonly authorization: 'none' | 'any' | { readonly token: string };
  /** Called for every request of the API before it is executed. */
  readonly record: (request: ReceivedRequest) => void;
  /** Returns the JSON of a response, or undefined if there is no such method. */
  readonly route: (request: ReceivedRequest, fault: Fault | undefined) => Promise<object | undefined>;
}

/** Handles requests of the API, and applies injected faults. */
export function apiHandler(options: HandlerOptions) {
  const { faults, clock, closing } = options;
  return async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!statesLength(message)) return send(response, wireAnswer(lengthRequired, message));
    const request = await readRequest(message, clock.now());
    options.record(request);
    const fault = faults.take(request);
    if (fault?.delayMs !== undefined) await clock.sleep(fault.delayMs, closing);
    if (fault?.hang === 'before') return;
    if (fault?.reset === 'before') return reset(response);
    const answer =
      fault?.status === undefined ? await carryOut(request, fault, options) : errorAnswer(fault.status);
    if (fault?.hang === 'after') return;
    if (fault?.reset === 'after') return reset(response);
    const spoiled =
      fault !== undefined && answer.json !== undefined ? spoiledBody(answer.json, fault) : undefined;
    const wire = wireAnswer(answer, request, spoiled);
    if (fault?.reset === 'body') sendHalf(response, wire);
    else if (fault?.reset === 'cut') sendCut(response, wire);
    else send(response, wire);
  };
}

async function carryOut(
  request: ReceivedRequest,
  fault: Fault | undefined,
  { authorization, route, log }: HandlerOptions,
): Promise<Answer> {
  try {
    if (authorization !== 'none') {
      authorize(request, authorization === 'any' ? undefined : authorization.token);
    }
    const json = await route(request, fault);
    return json === undefined ? noSuchPage(request) : { status: 200, json };
  } catch (error) {
    if (error instanceof GoogleError) return { status: error.status, json: error.body };
    log?.error('the BigQuery server failed', { error: String(error) });
    const message = 'An internal error occurred and the request could not be completed.';
    const internal = new GoogleError({ reason: 'internalError', message });
    return { status: internal.status, json: internal.body };
  }
}

function errorAnswer({ code, reason, message, location, retryAfter }: NonNullable<Fault['status']>): Answer {
  const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  if (reason === undefined) {
    return { status: code, headers, html: `<!DOCTYPE html><title>Error ${code}</title><p>${message}</p>\n` };
  }
  const proto = { reason, message, ...(location !== undefined && { location }) };
  return { status: code, headers, json: new GoogleError(proto, { status: code }).body };
}

/**
 * Whether the request states the length of its body. Google's front end requires that for every POST, even with an
 * empty body.
 */
function statesLength({ method, headers }: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': coding } = headers;
  return method !== 'POST' || length !== undefined || coding !== undefined;
}

const lengthRequired: Answer = {
  status: 411,
  html: '<!DOCTYPE html><html lang=en><title>Error 411 (Length Required)!!1</title><p><b>411.</b> POST requests require a <code>Content-length</code> header.\n',
};

/** Google's server responds to unknown methods with HTML. */
function noSuchPage({ path }: ReceivedRequest): Answer {
  const shown = path.replace(/[<&]/g, '');
  return {
    status: 404,
    html: `<!DOCTYPE html><html lang=en><title>Error 404 (Not Found)!!1</title><p><b>404.</b> The requested URL <code>${shown}</code> was not found on this server.\n`,
  };
}

/**
 * Refuses a request without a bearer token, or with a wrong one.
 *
 * @param token the only valid token; undefined accepts any
 */
function authorize({ headers }: ReceivedRequest, token: string | undefined): void {
  const { authorization } = headers;
  const given = /^Bearer (\S+)$/.exec(authorization ?? '')?.[1];
  if (authorization === undefined) {
    const message =
      'Request is missing required authentication credential. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.';
    throw unauthenticated('required', message);
  }
  if (given === undefined || (token !== undefined && given !== token)) {
    const message =
      'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.';
    throw unauthenticated('authError', message);
  }
}

function unauthenticated(reason: string, message: string): GoogleError {
  return new GoogleError(
    { reason, message, location: 'Authorization' },
    { status: 401, locationType: 'header' },
  );
}

/** A response as sent: the head and the bytes of the body. */
interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

/** Encodes a response, compressed if the request allows it. `text` replaces the JSON's own text. */
function wireAnswer(
  answer: Answer,
  { headers }: Pick<ReceivedRequest, 'headers'>,
  text?: string,
): WireAnswer {
  const isJson = answer.json !== undefined;
  const body = Buffer.from(text ?? (isJson ? JSON.stringify(answer.json) : (answer.html ?? '')));
  const zip = isJson && /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''));
  const bytes = zip ? gzipSync(body, { level: 1 }) : body;
  return {
    status: answer.status,
    bytes,
    headers: {
      'content-type': isJson ? 'application/json; charset=UTF-8' : 'text/html; charset=UTF-8',
      vary: 'Origin, X-Origin, Referer',
      'cache-control': 'private',
      ...(zip && { 'content-encoding': 'gzip' }),
      ...answer.headers,
    },
  };
}

function send(response: ServerResponse, { status, headers, bytes }: WireAnswer): void {
  response.writeHead(status, { ...headers, 'content-length': bytes.length });
  response.end(bytes);
}

/** Starts the response, and resets the connection after half of the body. */
function sendHalf(response: ServerResponse, { status, headers, bytes }: WireAnswer): void {
  response.writeHead(status, { ...headers, 'content-length': bytes.length });
  response.write(bytes.subarray(0, bytes.length >> 1), () => reset(response));
}

/** Sends half of the body as if it were complete. */
function sendCut(response: ServerResponse, { status, headers, bytes }: WireAnswer): void {
  response.writeHead(status, headers);
  response.end(bytes.subarray(0, bytes.length >> 1));
}

/** Closes the connection by a TCP reset. */
function reset({ socket }: ServerResponse): void {
  socket?.resetAndDestroy();
}
