import { z } from 'zod';
import { withoutKeys } from '../../calls/access/key/key-text.ts';

/** Error codes of JSON-RPC and of the protocol. */
export const invalidRequest = -32_600;
export const invalidParams = -32_602;
export const resourceNotFound = -32_002;

/** An error that is the answer to a message, in place of a result. The SDK's own class puts the code into the message. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
  readonly code: number;

  constructor(code: number, message: string) {
    super(withoutKeys(message));
    this.code = code;
  }
}

/**
 * The parameters of a request.
 *
 * @throws ProtocolError naming what is missing or has another type
 */
export function paramsOf<Params>(
  schema: { safeParse(request: unknown): z.ZodSafeParseResult<{ params: Params }> },
  request: unknown,
): Params {
  const outcome = schema.safeParse(request);
  if (outcome.success) return outcome.data.params;
  throw new ProtocolError(invalidParams, `The request is malformed. ${z.prettifyError(outcome.error)}`);
}
