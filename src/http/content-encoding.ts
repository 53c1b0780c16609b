import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { GatewayError } from '../errors.ts';
import { counted } from '../text/counted.ts';

/** Gives the body as it was before it was compressed, if that is at most `limit` bytes. */
type Decompress = (body: Buffer, limit: number) => Promise<Buffer>;

const unzip = promisify(gunzip);

const decompressors: Readonly<Record<string, Decompress>> = {
  identity: async (body) => body,
  gzip: bounded(unzip),
  'x-gzip': bounded(unzip),
  deflate: bounded(promisify(inflate)),
  br: bounded(promisify(brotliDecompress)),
};

/**
 * The way back from a `Content-Encoding`. Only single encodings are known.
 *
 * @throws GatewayError UNSUPPORTED_MEDIA_TYPE naming the encoding
 */
export function decompressor(header = 'identity'): Decompress {
  const encoding = header.trim().toLowerCase() || 'identity';
  const known = Object.hasOwn(decompressors, encoding) ? decompressors[encoding] : undefined;
  if (known !== undefined) return known;
  throw new GatewayError(
    'UNSUPPORTED_MEDIA_TYPE',
    `The content encoding ${JSON.stringify(header)} is not supported; gzip, deflate and br are.`,
  );
}

function bounded(
  decompress: (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>,
): Decompress {
  return async (body, limit) => {
    if (body.length === 0) return body;
    try {
      return await decompress(body, { maxOutputLength: limit });
    } catch (error) {
      if (error instanceof RangeError) {
        throw new GatewayError(
          'PAYLOAD_TOO_LARGE',
          `The body decompresses to more than ${counted(limit, 'byte')}.`,
        );
      }
      throw new GatewayError('BAD_USER_INPUT', 'The body cannot be decompressed.', { cause: error });
    }
  };
}
