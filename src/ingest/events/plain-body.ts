import {
  brotliDecompressSync,
  gunzipSync,
  inflateSync,
  type ZlibOptions,
  zstdDecompressSync,
} from 'node:zlib';
import { GatewayError } from '../../errors.ts';

type Decoder = (bytes: Uint8Array, options: Pick<ZlibOptions, 'maxOutputLength'>) => Uint8Array;

const decoders: Readonly<Record<string, Decoder>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};

/**
 * The decompressed bytes of a body. A body that begins like gzip is decompressed even if its encoding doesn't say so.
 *
 * @param encoding as in `Content-Encoding`
 * @param maxBytes the limit on the decompressed bytes; decompression stops there
 * @throws GatewayError `UNSUPPORTED_MEDIA_TYPE` for another encoding, `BAD_USER_INPUT` for data that is damaged or cut
 *   short, `PAYLOAD_TOO_LARGE` beyond the limit
 */
export function plainBody(bytes: Uint8Array, encoding: string, maxBytes: number): Uint8Array {
  const name = encoding.trim().toLowerCase();
  const once = name === '' || name === 'identity' ? bytes : decoded(bytes, decoderOf(encoding), maxBytes);
  const plain = once[0] === 0x1f && once[1] === 0x8b ? decoded(once, gunzipSync, maxBytes) : once;
  if (plain.length > maxBytes) throw tooLarge(maxBytes);
  return plain;
}

function decoderOf(encoding: string): Decoder {
  const name = encoding.trim().toLowerCase();
  const decoder = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
  if (decoder !== undefined) return decoder;
  throw new GatewayError(
    'UNSUPPORTED_MEDIA_TYPE',
    `The content encoding ${JSON.stringify(encoding)} is not supported. Use gzip, deflate, br or zstd.`,
  );
}

function decoded(bytes: Uint8Array, decoder: Decoder, maxBytes: number): Uint8Array {
  if (bytes.length === 0) throw new GatewayError('BAD_USER_INPUT', 'The compressed data is empty.');
  try {
    return decoder(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    if (error.code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes);
    throw new GatewayError(
      'BAD_USER_INPUT',
      `The compressed data is damaged or cut short: ${error.message}.`,
    );
  }
}

function tooLarge(maxBytes: number): GatewayError {
  const limit = `${Math.floor(maxBytes / 1024 / 1024)} MiB`;
  return new GatewayError('PAYLOAD_TOO_LARGE', `The body has more than ${limit} when decompressed.`);
}
