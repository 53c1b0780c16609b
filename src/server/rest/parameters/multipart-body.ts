import { isUtf8 } from 'node:buffer';
import { MIMEType } from 'node:util';
import { GatewayError } from '../../../base/errors/errors.ts';
import { maxFormFields } from './limits.ts';
import { checkFieldCount } from './text-pairs.ts';

/**
 * Parses the texts of a `multipart/form-data` body.
 *
 * @throws GatewayError BAD_USER_INPUT when it is malformed, not UTF-8, has too many parts, or contains a file
 */
export async function parseMultipartBody(bytes: Buffer, contentType: string): Promise<[string, string][]> {
  checkFieldCount(countParts(bytes, contentType));
  const entries = [...(await parse(bytes, contentType)).entries()];
  const texts = entries.map(([key, value]): [string, string] => {
    if (typeof value === 'string') return [key, value];
    throw new GatewayError(
      'BAD_USER_INPUT',
      `Key ${JSON.stringify(key.slice(0, 60))}: files are not accepted.`,
    );
  });
  // The parser replaces invalid UTF-8.
  if (!isUtf8(bytes)) throw new GatewayError('BAD_USER_INPUT', 'The body is not valid UTF-8.');
  return texts;
}

/** The approximate number of parts, up to one more than the maximum. */
function countParts(bytes: Buffer, contentType: string): number {
  const boundary = new MIMEType(contentType).params.get('boundary');
  if (!boundary) return 0;
  const delimiter = Buffer.from(`--${boundary}`);
  let count = 0;
  for (let at = bytes.indexOf(delimiter); at !== -1 && count <= maxFormFields + 1; count++)
    at = bytes.indexOf(delimiter, at + delimiter.length);
  // The last delimiter ends the body.
  return count - 1;
}

async function parse(bytes: Buffer, contentType: string): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(bytes), { headers: { 'Content-Type': contentType } }).formData();
  } catch (error) {
    throw new GatewayError('BAD_USER_INPUT', 'The body is not valid multipart/form-data.', { cause: error });
  }
}
