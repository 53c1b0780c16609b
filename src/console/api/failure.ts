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
  const { error, code, parameter, location } = members;
  const retryAfter = Number(headers.get('retry-after') ?? Number.NaN);
  const message = typeof error === 'string' ? error : `The gateway answered with status ${status}.`;
  return new Failure(message, {
    code: typeof code === 'string' ? code : `HTTP_${status}`,
    status,
    parameter: typeof parameter === 'string' ? parameter : undefined,
    location: locationOf(location),
    retryAfter: Number.isFinite(retryAfter) ? retryAfter : undefined,
  });
}

function locationOf(value: Json | undefined): Location | undefined {
  if (!isObject(value)) return undefined;
  const { line, column } = value;
  return typeof line === 'number' && typeof column === 'number' ? { line, column } : undefined;
}
