import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { acceptWeights } from '../http/accept-weights.ts';
import type { Answer } from '../http/answer.ts';

const compress = promisify(gzip);
/** Below this size in bytes, which fits one packet, compressing gains nothing. */
const worthwhile = 1_400;
/** Most of the gain of the default level for half of its time. */
const level = 3;

/** The answer, compressed when it is large and the `Accept-Encoding` header allows gzip. */
export async function compressed(answer: Answer, acceptEncoding: string | undefined): Promise<Answer> {
  const headers = { ...answer.headers, Vary: 'Accept-Encoding' };
  if (Buffer.byteLength(answer.body) < worthwhile || !acceptsGzip(acceptEncoding))
    return { ...answer, headers };
  const body = await compress(answer.body, { level });
  return { ...answer, headers: { ...headers, 'Content-Encoding': 'gzip' }, body };
}

/** Source: RFC 9110, section 12.5.3: gzip itself, else `*`, with a weight that isn't zero. */
export function acceptsGzip(header: string | undefined): boolean {
  const weights = acceptWeights(header);
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
}
