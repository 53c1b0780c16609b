import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareListRows } from '../../../bench/parts/list-rows.ts';
import { MeasurementError } from '../../../bench/proof.ts';
import { type TinyStore, tinyStore } from '../tiny-store.ts';

describe('the comparison of stores with and without rows of two elements', () => {
  let store: TinyStore;
  beforeAll(async () => {
    store = await tinyStore();
  });
  afterAll(() => store[Symbol.asyncDispose]());

  const run = (cacheSeconds = 0) =>
    compareListRows({
      dataDir: store.dataDir,
      now: store.now,
      rows: 20_000,
      cacheSeconds,
      verbose: false,
      print: () => undefined,
      runs: { warmUps: 0, leastRuns: 2, maxRuns: 2, budgetMs: 0 },
    });

  it('measures every query', async () => {
    const findings = await run();
    expect(findings).toHaveLength(10);
    for (const { detail, target } of findings) {
      expect(detail).toMatch(/2 runs each$/);
      expect(target).toBe('<= x 1.2');
    }
  });

  it('fails when answers come from the cache', async () => {
    await expect(run(60)).rejects.toThrow(MeasurementError);
  });
});
