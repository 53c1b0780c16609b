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
export function failureOf({ status, headers }: Response, body: Json): Failure {
  const retryAfter = Number(headers.get('retry-after') ?? Number.NaN);
  return failureIn(body, { status, retryAfter: Number.isFinite(retryAfter) ? retryAfter : undefined });
}

/** The failure that a document of the gateway tells: `{"error", "code"}`. */
export function failureIn(body: Json, facts: Pick<FailureFacts, 'status' | 'retryAfter'>): Failure {
  const { error, code } = isObject(body) ? body : {};
  const { status } = facts;
  const message = typeof error === 'string' ? error : `The gateway answered with status ${status}.`;
  return new Failure(message, {
    ...facts,
    code: typeof code === 'string' ? code : `HTTP_${status}`,
    parameter: parameterIn(message),
    location: locationIn(message),
  });
}

/** The parameter that a message is about: it begins with its name. */
function parameterIn(message: string): string | undefined {
  if (message.startsWith('LQL: ')) return 'lql';
  return /^Parameter "([^"]+)"/.exec(message)?.[1];
}

/** The place that a message tells, as messages of SQL and LQL do. */
function locationIn(message: string): Location | undefined {
  const [, line, column] = /\[at (\d+):(\d+)\]/.exec(message) ?? [];
  return line === undefined ? undefined : { line: Number(line), column: Number(column) };
}
