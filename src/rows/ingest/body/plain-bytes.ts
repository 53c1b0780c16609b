import { decompressed } from './decompressed.ts';
import { peek } from './peek.ts';

const compressions = [
  { encoding: 'gzip', magic: Buffer.from([0x1f, 0x8b]) },
  { encoding: 'zstd', magic: Buffer.from([0x28, 0xb5, 0x2f, 0xfd]) },
] as const;

const magicBytes = 4;

/** Decompresses bytes that begin like gzip or zstd; returns other bytes unchanged. */
export async function* plainBytes(given: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { head, bytes } = await peek(given, ({ length }) => length >= magicBytes);
  const compression = compressions.find(({ magic }) => head.subarray(0, magic.length).equals(magic));
  yield* decompressed(bytes, compression?.encoding ?? 'identity');
}

const utf16 = [
  { encoding: 'utf-16le', mark: Buffer.from([0xff, 0xfe]) },
  { encoding: 'utf-16be', mark: Buffer.from([0xfe, 0xff]) },
] as const;

/** As `plainBytes`, and a text in UTF-16 that begins with a byte order mark becomes UTF-8. */
export async function* plainText(given: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { head, bytes } = await peek(plainBytes(given), ({ length }) => length >= 2);
  const form = utf16.find(({ mark }) => head.subarray(0, mark.length).equals(mark));
  if (form === undefined) {
    yield* bytes;
    return;
  }
  const decoder = new TextDecoder(form.encoding);
  for await (const piece of bytes) yield Buffer.from(decoder.decode(piece, { stream: true }));
  yield Buffer.from(decoder.decode());
}
