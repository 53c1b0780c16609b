import type { IncomingMessage, ServerResponse } from 'node:http';
import { GatewayError } from '../errors.ts';
import { graphqlPath } from '../graphql/http/graphql-path.ts';
import { hasBody } from '../http/read-body.ts';
import { headerLines, writeUnavailable } from '../http/write-head-lines.ts';
import { faceOf } from './face-of.ts';
import { refusal } from './refusal.ts';

/** What is behind the door. */
export interface Behind {
  /** How many more queries would be let run or wait. */
  readonly room: number;
  /** Seconds that one more would wait, there and where it goes from there. */
  readonly waitSeconds: number;
}

/** With less room than this, requests are counted that are let in and have not come to where queries wait. */
const ampleRoom = 32;

/** A query of the caller's own: in a URL, a form, a JSON body, or the arguments of a GraphQL field. */
const ownQuery = /\b(?:sql|lql)\b["']? *[=:]/;
/** What of a body is looked at, in characters. */
const lookedAt = 10_000;

/**
 * Refuses queries as long as there would be no room for them, before anything is read, looked up or made for them: under
 * ten times the load that can be carried, nine requests of ten are refused, and what they cost is taken from the others.
 * Answers that are at hand don't come this way.
 */
export class Door {
  readonly #behind: Behind;
  readonly #planning: Behind | undefined;
  #letIn = 0;
  /** By path and seconds to wait, of which there are as many as a request may last. */
  readonly #answers = new Map<string, { lines: string; body: string }>();

  /** @param planning where queries that callers bring along go before */
  constructor(behind: Behind, planning?: Behind) {
    this.#behind = behind;
    this.#planning = planning;
  }

  /** Seconds after which the request may be tried again; undefined when it may go on, as one that is no query always may. */
  secondsAway(request: IncomingMessage): number | undefined {
    const { url = '', method } = request;
    const { room, waitSeconds } = this.#behind;
    const { room: roomToPlan, waitSeconds: waitToPlan } = this.#planning ?? this.#behind;
    const least = Math.min(room, roomToPlan);
    if (least >= ampleRoom || method === 'OPTIONS' || faceOf(url) === 'other') return undefined;
    const isOwn = this.#letIn >= least && bringsQuery(request);
    if (this.#letIn >= (isOwn ? least : room)) return Math.max(1, isOwn ? waitToPlan : waitSeconds);
    // Whoever was let in is where queries wait when this turn of the event loop is over.
    if (this.#letIn++ === 0) setImmediate(() => (this.#letIn = 0));
    return undefined;
  }

  /** The answer to a request that may not enter. */
  refusal(retryAfterSeconds: number): GatewayError {
    return new GatewayError('OVERLOADED', message, { retryAfterSeconds });
  }

  /**
   * Sends it at once, for a request of which nothing has still to be read.
   *
   * @returns the bytes of the body that was sent, if it was
   */
  refuse(
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
    retryAfterSeconds: number,
  ): number | undefined {
    const { url = '', headers } = request;
    const isRead = !hasBody(request) || request.readableLength === Number(headers['content-length']);
    if (!isRead || request.method === 'HEAD') return undefined;
    const seconds = Math.ceil(retryAfterSeconds);
    const { lines, body } = this.#answer(url.startsWith(graphqlPath) ? graphqlPath : '/', seconds);
    writeUnavailable(response, `${lines}X-Request-Id: ${requestId}\r\n`, body.length);
    response.end(body, 'latin1');
    return body.length;
  }

  #answer(path: string, seconds: number): { lines: string; body: string } {
    const key = `${seconds} ${path}`;
    let answer = this.#answers.get(key);
    if (answer === undefined) {
      answer = answerAt(path, seconds);
      this.#answers.set(key, answer);
    }
    return answer;
  }
}

/** Whether the request seems to bring a query along, as far as it is there by now. A mistake only makes it wait in the wrong line. */
function bringsQuery(request: IncomingMessage): boolean {
  if (ownQuery.test(request.url ?? '')) return true;
  const body: unknown = request.readableLength > 0 ? request.read() : undefined;
  if (!(body instanceof Buffer)) return false;
  request.unshift(body);
  return ownQuery.test(body.toString('latin1', 0, lookedAt));
}

const message = 'Too many queries are waiting';

function answerAt(path: string, retryAfterSeconds: number): { lines: string; body: string } {
  const request = { headers: {} } as IncomingMessage;
  const error = new GatewayError('OVERLOADED', message, { retryAfterSeconds });
  const { headers, body } = refusal({ path, request }, error);
  return { lines: headerLines(headers), body: body.toString('latin1') };
}
