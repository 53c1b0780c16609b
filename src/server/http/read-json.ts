import type { z } from 'zod';
import { GatewayError } from '../../base/errors/errors.ts';
import { readBody } from './body/read-body.ts';
import type { RouteCall } from './route.ts';

/**
 * Reads the body of a request as JSON of some form.
 *
 * @param ifEmpty what an empty body stands for
 * @throws GatewayError as `readBody`; BAD_USER_INPUT with all that is wrong with it
 */
export async function readJson<Schema extends z.ZodType>(
  { context, maxBodyBytes, deadline }: RouteCall,
  schema: Schema,
  ifEmpty = '',
): Promise<z.output<Schema>> {
  const body = await readBody(context, maxBodyBytes, deadline.signal);
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body) || ifEmpty);
  } catch (error) {
    throw new GatewayError('BAD_USER_INPUT', 'The body is not valid JSON in UTF-8.', { cause: error });
  }
  const read = schema.safeParse(json);
  if (read.success) return read.data;
  const texts = read.error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`);
  throw new GatewayError('BAD_USER_INPUT', texts.join('\n'));
}
