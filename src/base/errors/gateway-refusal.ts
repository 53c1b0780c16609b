import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { GatewayError } from './errors.ts';

const refusal = z.object({ error: z.string() });

/** The error for a gateway's response other than 200, with its words. */
export function gatewayRefusal(
  { statusCode }: Pick<IncomingMessage, 'statusCode'>,
  body: string,
): GatewayError {
  return new GatewayError('BAD_USER_INPUT', `The gateway refused (status ${statusCode}). ${wordsOf(body)}`);
}

function wordsOf(body: string): string {
  try {
    return refusal.parse(JSON.parse(body)).error;
  } catch {
    return 'It gave no reason.';
  }
}
