import { expect, test } from 'vitest';
import { GatheredBytes } from '../../../../src/server/http/body/read-body.ts';

test('a body of single bytes is kept in few parts', () => {
  const body = new GatheredBytes();
  for (let i = 0; i < 100_000; i++) body.add(Uint8Array.of(i % 251));
  expect(body.parts).toBeLessThan(1000);
  expect(body.size).toBe(100_000);
  expect(body.whole()).toEqual(Buffer.from(Array.from({ length: 100_000 }, (_, i) => i % 251)));
});
