import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { acceptWeights } from '../request/accept-weights.ts';

/** Best first. */
const encodings = ['br', 'gzip', 'identity'] as const;

export type Encoding = (typeof encodings)[number];

const compressors: Readonly<Record<Encoding, (text: Buffer) => Promise<Buffer>>> = {
  // Higher levels save little and take seconds (measured).
  br: (text) =>
    promisify(brotliCompress)(text, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 6,
        [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
      },
    }),
  gzip: promisify(gzip),
  identity: async (text) => text,
};

/** The best encoding that an `Accept-Encoding` header allows. Source: RFC 9110, section 12.5.3. */
export function chooseEncoding(acceptEncoding: string | undefined): Encoding {
  const weights = acceptWeights(acceptEncoding);
  const allowed = encodings.find((encoding) => (weights.get(encoding) ?? weights.get('*') ?? 0) > 0);
  return allowed ?? 'identity';
}

export function encode(text: Buffer, encoding: Encoding): Promise<Buffer> {
  return compressors[encoding](text);
}
