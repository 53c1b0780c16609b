import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { measurePlanning } from '../../../bench/parts/planning.ts';
import { CacheBudget } from '../../../src/base/memory/cache-budget.ts';
import { type TinyStore, tinyStore } from '../tiny-store.ts';

const counts = { newTexts: 3, repetitions: 5 };

describe('the measurement of planning', () => {
  let store: TinyStore;
  beforeAll(async () => {
    store = await tinyStore();
  });
  afterAll(() => store[Symbol.asyncDispose]());

  it('plans new texts by the analyzer, and repeated ones without it', async () => {
    const findings = await measurePlanning({ ...store, ...counts });
    expect(findings.map(({ what }) => what)).toEqual([
      'simple, new',
      'simple, repeated',
      'dashboard, new',
      'dashboard, repeated',
      'nine tables, new',
      'nine tables, repeated',
    ]);
  });

  it('fails when a repeated text is planned again', async () => {
    const plans = new CacheBudget({ name: 'plans', maxBytes: 1 });
    await expect(measurePlanning({ ...store, ...counts, plans })).rejects.toThrow(
      /^simple: plannings of a text that was planned before: expected 0, found \d$/,
    );
  });
});
