import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { gzipEnd, gzipStart } from '../../../../src/server/graphql/http/cached-answer.ts';

test.each([
  ['', ''],
  ['{"data":', '1}'],
  ['é'.repeat(5_000), 'größe'],
  ['a'.repeat(100_000), 'b'.repeat(200_000)],
])('a compressed start and its end are one gzip body', (start, end) => {
  const compressed = gzipStart(Buffer.from(start));
  for (const each of [end, `${end}!`]) {
    const body = Buffer.concat([compressed.bytes, gzipEnd(compressed, Buffer.from(each))]);
    const expected = Buffer.concat([Buffer.from(start), Buffer.from(each)]);
    expect(gunzipSync(body).equals(expected)).toBe(true);
  }
});
