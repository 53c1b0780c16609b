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

/** The failure in an answer with an error status. */
export function failureOf({ status, headers }: Response, body: Json): Failure {
  const retryAfter = Number(headers.get('retry-after') ?? Number.NaN);
  return failureIn(body, { status, retryAfter: Number.isFinite(retryAfter) ? retryAfter : undefined });
}

/** The failure in a document of the gateway: `{"error", "code", "parameter", "location"}`. */
export function failureIn(body: Json, facts: Pick<FailureFacts, 'status' | 'retryAfter'>): Failure {
  const { error, code, parameter, location } = isObject(body) ? body : {};
  const { status } = facts;
  const message = typeof error === 'string' ? error : `The gateway answered with status ${status}.`;
  return new Failure(message, {
    ...facts,
    code: typeof code === 'string' ? code : `HTTP_${status}`,
    parameter: typeof parameter === 'string' ? parameter : undefined,
    location: locationOf(location),
  });
}

function locationOf(value: Json | undefined): Location | undefined {
  if (!isObject(value)) return undefined;
  const { line, column } = value;
  return typeof line === 'number' && typeof column === 'number' ? { line, column } : undefined;
}

/** What was thrown, as a text for the user. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
