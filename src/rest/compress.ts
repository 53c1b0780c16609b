import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Answer } from '../http/answer.ts';

const compress = promisify(gzip);
/** Below this size in bytes, which fits one packet, compressing gains nothing. */
const worthwhile = 1_400;
/** Most of the gain of the default level for half of its time. */
const level = 3;

/** The answer, compressed when it is large and the `Accept-Encoding` header allows gzip. */
export async function compressed(answer: Answer, acceptEncoding: string | undefined): Promise<Answer> {
  const headers = { ...answer.headers, Vary: 'Accept-Encoding' };
  if (answer.body.length < worthwhile || !acceptsGzip(acceptEncoding)) return { ...answer, headers };
  const body = await compress(answer.body, { level });
  return { ...answer, headers: { ...headers, 'Content-Encoding': 'gzip' }, body };
}

/** Source: RFC 9110, section 12.5.3: gzip itself, else `*`, with a weight that isn't zero. */
export function acceptsGzip(header = ''): boolean {
  const weights = new Map(
    header
      .toLowerCase()
      .split(',')
      .map((item) => {
        const [coding = '', ...parameters] = item.split(';').map((part) => part.trim());
        const weight = parameters.find((parameter) => parameter.startsWith('q='));
        return [coding, weight === undefined ? 1 : Number(weight.slice(2))];
      }),
  );
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
}
