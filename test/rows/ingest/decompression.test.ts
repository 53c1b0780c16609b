import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { decompressed } from '../../../src/rows/ingest/body/decompressed.ts';
import { plainBytes, plainText } from '../../../src/rows/ingest/body/plain-bytes.ts';

async function* cut(bytes: Uint8Array, size = 7): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function textOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = [];
  for await (const piece of bytes) all.push(piece);
  return Buffer.concat(all).toString();
}

const text = 'one\ntwo\n'.repeat(1000);
const bytes = Buffer.from(text);

describe('gzip', () => {
  test('is known by its first bytes, however they are cut', async () => {
    expect(await textOf(plainBytes(cut(gzipSync(bytes), 1)))).toBe(text);
    expect(await textOf(plainBytes(cut(gzipSync(bytes))))).toBe(text);
    expect(await textOf(plainBytes(cut(bytes, 1)))).toBe(text);
    expect(await textOf(plainBytes(cut(Buffer.from('\x1f'))))).toBe('\x1f');
    expect(await textOf(plainBytes(cut(Buffer.alloc(0))))).toBe('');
  });

  test('may consist of several members', async () => {
    const members = Buffer.concat([gzipSync('one\n'), gzipSync('two\n')]);
    expect(await textOf(plainBytes(cut(members)))).toBe('one\ntwo\n');
  });

  test.each([
    ['cut short', gzipSync(bytes).subarray(0, -9)],
    ['without its checksum', gzipSync(bytes).subarray(0, -4)],
    ['damaged', gzipSync(bytes).fill(0xff, 20, 30)],
  ])('is refused when it is %s', async (_what, damaged) => {
    await expect(textOf(plainBytes(cut(damaged)))).rejects.toThrow(
      expect.objectContaining({ code: 'BAD_USER_INPUT', message: expect.stringContaining('cut short') }),
    );
  });

  test('passes on a failure of what it reads', async () => {
    async function* failing() {
      yield* cut(gzipSync(bytes));
      throw new Error('the line went dead');
    }
    await expect(textOf(plainBytes(failing()))).rejects.toThrow('the line went dead');
  });
});

test('zstd is known by its first bytes, and may have several frames', async () => {
  const frames = Buffer.concat([zstdCompressSync('one\n'), zstdCompressSync('two\n')]);
  for (const size of [1, 7, 1000]) expect(await textOf(plainBytes(cut(frames, size)))).toBe('one\ntwo\n');
  const skipped = Buffer.concat([Buffer.from('502a4d1803000000616263', 'hex'), zstdCompressSync(bytes)]);
  expect(await textOf(decompressed(cut(skipped), 'zstd'))).toBe(text);
});

test.each([
  ['little', 'utf16le'],
  ['big', 'utf16be'],
])('UTF-16 of %s endians is known by its mark, however it is cut', async (_, form) => {
  const little = Buffer.from('\uFEFFgrößer 😀\n', 'utf16le');
  const sent = form === 'utf16be' ? Buffer.from(little).swap16() : little;
  expect(await textOf(plainText(cut(sent, 3)))).toBe('größer 😀\n');
  expect(await textOf(plainText(cut(gzipSync(sent), 5)))).toBe('größer 😀\n');
  expect(await textOf(plainText(cut(Buffer.from('x'))))).toBe('x');
});

describe('a content encoding', () => {
  test.each([
    ['identity', bytes],
    [' GZIP ', gzipSync(bytes)],
    ['deflate', deflateSync(bytes)],
    ['br', brotliCompressSync(bytes)],
    ['zstd', zstdCompressSync(bytes)],
  ])('%s is undone', async (encoding, body) => {
    expect(await textOf(decompressed(cut(body), encoding))).toBe(text);
  });

  test.each([
    ['deflate', deflateSync(bytes).subarray(0, -9)],
    ['deflate', Buffer.concat([deflateSync(bytes), bytes])],
    ['gzip', Buffer.concat([gzipSync(bytes), bytes])],
    ['br', brotliCompressSync(bytes).subarray(0, -2)],
    ['br', Buffer.concat([brotliCompressSync(bytes), bytes])],
    ['br', Buffer.from('not brotli at all')],
    ['zstd', zstdCompressSync(bytes).subarray(0, -2)],
    ['zstd', Buffer.concat([zstdCompressSync(bytes), bytes])],
    ['zstd', Buffer.from('not zstd at all')],
  ])('%s is refused when it is damaged or other bytes follow', async (encoding, body) => {
    await expect(textOf(decompressed(cut(body), encoding))).rejects.toThrow(
      expect.objectContaining({ code: 'BAD_USER_INPUT' }),
    );
  });

  test('is refused when it is unknown', () => {
    expect(() => decompressed(cut(bytes), 'lzma')).toThrow(
      expect.objectContaining({ code: 'UNSUPPORTED_MEDIA_TYPE' }),
    );
  });
});
