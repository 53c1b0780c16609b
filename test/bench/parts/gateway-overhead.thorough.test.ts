import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { measureOverhead } from '../../../bench/parts/gateway-overhead.ts';
import { type TinyStore, tinyStore } from '../tiny-store.ts';

const counts = { warmUps: 1, measured: 3 };

describe("the measurement of the gateway's overhead", () => {
  let store: TinyStore;
  beforeAll(async () => {
    store = await tinyStore();
  });
  afterAll(() => store[Symbol.asyncDispose]());

  it('times requests that run on the engine, whatever their endpoints say of the cache', async () => {
    const findings = await measureOverhead({ ...store, ...counts });
    expect(findings).toHaveLength(4);
    for (const { detail } of findings) expect(detail).not.toContain('engine 0.00 ms');
  });

  it('fails when answers come from the cache', async () => {
    await expect(measureOverhead({ ...store, ...counts, cacheSeconds: 60 })).rejects.toThrow(
      'logs.all, busy project: answers from the cache: expected 0, found 3',
    );
  });
});
