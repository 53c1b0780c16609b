import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { GatewayError } from '../../../base/errors/errors.ts';
import { counted } from '../../../base/text/counted.ts';

/** Decompresses a body of at most `limit` decompressed bytes. */
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
 * Returns the decompressor for a `Content-Encoding`. Only single encodings are supported.
 *
 * @throws GatewayError UNSUPPORTED_MEDIA_TYPE naming the encoding
 */
export function decompressor(header = 'identity'): Decompress {
  const encoding = header.trim().toLowerCase() || 'identity';
  const known = Object.hasOwn(decompressors, encoding) ? decompressors[encoding] : undefined;
  if (known !== undefined) return known;
  throw new GatewayError(
    'UNSUPPORTED_MEDIA_TYPE',
    `The content encoding ${JSON.stringify(header)} is not supported. Use gzip, deflate or br.`,
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
