import { isUtf8 } from 'node:buffer';
import { GatewayError } from '../../errors.ts';

/**
 * The texts of a `multipart/form-data` body.
 *
 * @throws GatewayError BAD_USER_INPUT when it is malformed, not UTF-8, or brings a file
 */
export async function parseMultipartBody(bytes: Buffer, contentType: string): Promise<[string, string][]> {
  const entries = [...(await parse(bytes, contentType)).entries()];
  const texts = entries.map(([key, value]): [string, string] => {
    if (typeof value === 'string') return [key, value];
    throw new GatewayError('BAD_USER_INPUT', `Key ${JSON.stringify(key.slice(0, 60))}: files are not taken.`);
  });
  // The parser replaces what it can't decode.
  if (!isUtf8(bytes)) throw new GatewayError('BAD_USER_INPUT', 'The body is not valid UTF-8.');
  return texts;
}

async function parse(bytes: Buffer, contentType: string): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(bytes), { headers: { 'Content-Type': contentType } }).formData();
  } catch (error) {
    throw new GatewayError('BAD_USER_INPUT', 'The body is not valid multipart/form-data.', { cause: error });
  }
}
