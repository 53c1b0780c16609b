import { isObject, type Json } from './json.ts';

/** A place in a text of the user, from 1. */
export interface Location {
  readonly line: number;
  readonly column: number;
}

interface FailureFacts {
  /** The code of docs/errors.md, or `OFFLINE` if the gateway could not be reached. */
  readonly code: string;
  /** The HTTP status; 0 if there was no answer. */
  readonly status: number;
  /** The parameter that is wrong. */
  readonly parameter?: string | undefined;
  readonly location?: Location | undefined;
  /** Seconds after which a retry makes sense. */
  readonly retryAfter?: number | undefined;
}

/** A request that has failed. The message is the gateway's own. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly facts: FailureFacts;

  constructor(message: string, facts: FailureFacts) {
    super(message);
    this.facts = facts;
  }
}

/** The failure that an answer with an error status tells. */
export function failureOf(response: Response, body: Json): Failure {
  const { status, headers } = response;
  const members = isObject(body) ? body : {};
  const { error, code } = members;
  const retryAfter = Number(headers.get('retry-after') ?? Number.NaN);
  const message = typeof error === 'string' ? error : `The gateway answered with status ${status}.`;
  return new Failure(message, {
    code: typeof code === 'string' ? code : `HTTP_${status}`,
    status,
    parameter: parameterIn(message),
    location: locationIn(message),
    retryAfter: Number.isFinite(retryAfter) ? retryAfter : undefined,
  });
}

/** The parameter that a message is about: it begins with its name. */
function parameterIn(message: string): string | undefined {
  return /^Parameter "([^"]+)"/.exec(message)?.[1];
}

/** The place that a message tells, as messages of SQL and LQL do. */
function locationIn(message: string): Location | undefined {
  const [, line, column] = /\[at (\d+):(\d+)\]/.exec(message) ?? [];
  return line === undefined ? undefined : { line: Number(line), column: Number(column) };
}
