import type { ErrorCode, GatewayError } from '../../../base/errors/errors.ts';
import type { JsonObject } from '../../../base/text/exact-json.ts';

/** What a call is answered. */
export type Outcome = ResultOutcome | ErrorOutcome;

export interface ResultOutcome {
  readonly columns: readonly string[];
  /** As REST renders them. */
  readonly rows: readonly JsonObject[];
  readonly truncated: boolean;
}

export interface ErrorOutcome {
  readonly error: { readonly code: ErrorCode; readonly message: string; readonly parameter?: string };
}

export function isError(outcome: Outcome): outcome is ErrorOutcome {
  return 'error' in outcome;
}

/** The outcome of a call that ends with an error. */
export function errorOutcome({ code, message, details: { parameter } }: GatewayError): ErrorOutcome {
  return { error: { code, message, ...(parameter !== undefined && { parameter }) } };
}
