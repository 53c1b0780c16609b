import {
  brotliDecompressSync,
  gunzipSync,
  inflateSync,
  type ZlibOptions,
  zstdDecompressSync,
} from 'node:zlib';
import { GatewayError } from '../../../base/errors/errors.ts';
import { mebibytes } from '../../../base/forms/bytes.ts';

type Decoder = (bytes: Uint8Array, options: Pick<ZlibOptions, 'maxOutputLength'>) => Uint8Array;

/** gzip and zstd have several parts one after the other. Node reads those of gzip, and refuses other bytes than zeros after them. */
const decoders: Readonly<Record<string, Decoder>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: (bytes, options) => inflateSync(bytes, { ...options, rejectGarbageAfterEnd: true }),
  br: (bytes, options) => brotliDecompressSync(bytes, { ...options, rejectGarbageAfterEnd: true }),
  zstd: zstdFrames,
};

/** Frames that a body in zstd may have: an empty one has nine bytes and takes as long as a thousand bytes of a larger one. */
const maxFrames = 1_000;

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
      `The compressed data is damaged, cut short or followed by other bytes: ${error.message}.`,
    );
  }
}

/** Node reads only the first frame. */
function zstdFrames(bytes: Uint8Array, { maxOutputLength = 0 }: Parameters<Decoder>[1]): Uint8Array {
  const frames: Uint8Array[] = [];
  let rest = bytes;
  let left = maxOutputLength;
  while (rest.length > 0) {
    if (frames.length === maxFrames) {
      const limit = maxFrames.toLocaleString('en');
      throw new GatewayError('PAYLOAD_TOO_LARGE', `The compressed data has more than ${limit} frames.`);
    }
    // It must be at least 1. The caller checks the sum.
    const { buffer, engine } = zstdFrame(rest, Math.max(1, left));
    frames.push(buffer);
    rest = rest.subarray(engine.bytesWritten);
    left -= buffer.length;
  }
  return frames.length === 1 ? (frames[0] ?? rest) : Buffer.concat(frames);
}

interface DecodedFrame {
  readonly buffer: Uint8Array;
  /** `bytesWritten` is the size of the frame. */
  readonly engine: { readonly bytesWritten: number };
}

function zstdFrame(bytes: Uint8Array, maxOutputLength: number): DecodedFrame {
  // The declared type doesn't know of `info`: https://nodejs.org/api/zlib.html#class-options
  const decoded: unknown = zstdDecompressSync(bytes, { maxOutputLength, info: true });
  return decoded as DecodedFrame;
}

function tooLarge(maxBytes: number): GatewayError {
  const limit = mebibytes(maxBytes);
  return new GatewayError('PAYLOAD_TOO_LARGE', `The body has more than ${limit} when decompressed.`);
}
