import { describe, expect, test } from 'vitest';
import { Expansion } from '../../../../src/rows/ingest/receive.ts';

const mebibyte = 1024 * 1024;

async function* pieces(count: number, length: number): AsyncGenerator<Uint8Array> {
  const piece = Buffer.alloc(length);
  for (let number = 0; number < count; number++) yield piece;
}

/** Receives so many bytes, then gives so many mebibytes, and says how many were given before it ended. */
async function grow(receivedBytes: number, givenMebibytes: number): Promise<number | string> {
  const expansion = new Expansion();
  for await (const _piece of expansion.received(pieces(1, receivedBytes)));
  let given = 0;
  try {
    for await (const _piece of expansion.bounded(pieces(givenMebibytes, mebibyte))) given += 1;
  } catch (error) {
    expect(error).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    return `refused after ${given}`;
  }
  return given;
}

describe('a compressed body', () => {
  test('may grow to 64 MiB, however small it is', async () => {
    expect(await grow(1, 64)).toBe(64);
    expect(await grow(1, 65)).toBe('refused after 64');
  });

  test('may grow to 500 times its size', async () => {
    expect(await grow(mebibyte, 500)).toBe(500);
    expect(await grow(mebibyte, 501)).toBe('refused after 500');
  });
});
