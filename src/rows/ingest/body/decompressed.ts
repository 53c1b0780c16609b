import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { GatewayError } from '../../../base/errors/errors.ts';
import { zstdFrames } from './zstd-frames.ts';

const options = { chunkSize: 256 * 1024 };

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(options),
  'x-gzip': () => createGunzip(options),
  deflate: () => createInflate({ ...options, rejectGarbageAfterEnd: true }),
  br: () => createBrotliDecompress({ ...options, rejectGarbageAfterEnd: true }),
  zstd: () => {
    // Node.js before 22.15 lacks it.
    if (typeof createZstdDecompress === 'function') return createZstdDecompress(options);
    throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', 'Reading zstd needs Node.js 22.15 or later.');
  },
};

/**
 * Decompresses bytes.
 *
 * @param encoding as in `Content-Encoding`; `identity` returns the bytes unchanged
 * @throws GatewayError `UNSUPPORTED_MEDIA_TYPE` for another encoding; while reading, `BAD_USER_INPUT` for data that is
 *   damaged, cut short or followed by other bytes
 */
export function decompressed(bytes: AsyncIterable<Uint8Array>, encoding: string): AsyncIterable<Uint8Array> {
  const name = encoding.trim().toLowerCase();
  if (name === '' || name === 'identity') return bytes;
  const decoder = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
  if (decoder === undefined) {
    throw new GatewayError(
      'UNSUPPORTED_MEDIA_TYPE',
      `The content encoding ${JSON.stringify(encoding)} is not supported. Use gzip, zstd, deflate or br.`,
    );
  }
  return decode(name === 'zstd' ? zstdFrames(bytes) : bytes, decoder());
}

async function* decode(bytes: AsyncIterable<Uint8Array>, decoder: Transform): AsyncGenerator<Uint8Array> {
  // A failure of the input destroys the decoder with the same error, which the loop below throws.
  let received = 0;
  async function* counted() {
    for await (const piece of bytes) {
      received += piece.length;
      yield piece;
    }
  }
  const input = pipeline(Readable.from(counted(), { objectMode: false }), decoder).catch(() => undefined);
  try {
    yield* decoder;
    // The decoders take nothing at all for an empty text.
    if (received === 0) throw new GatewayError('BAD_USER_INPUT', 'The compressed data is empty.');
  } catch (error) {
    throw isDecoderError(error)
      ? new GatewayError(
          'BAD_USER_INPUT',
          `The compressed data is damaged, cut short or followed by other bytes: ${error.message}.`,
        )
      : error;
  } finally {
    decoder.destroy();
    await input;
  }
}

function isDecoderError(error: unknown): error is Error {
  return (
    error instanceof Error &&
    'code' in error &&
    /^(?:Z_|ZSTD_|ERR__ERROR|ERR_BROTLI|ERR_ZSTD|ERR_TRAILING_JUNK)/.test(String(error.code))
  );
}
