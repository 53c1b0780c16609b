import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { measureOverload } from '../../../bench/parts/overload.ts';
import { type TinyStore, tinyStore } from '../tiny-store.ts';

const pace = { rounds: 1, seconds: 1, floodSeconds: 1, openingSeconds: 0, connections: 20 };

describe('the measurement of overload', () => {
  let store: TinyStore;
  beforeAll(async () => {
    store = await tinyStore();
  });
  afterAll(() => store[Symbol.asyncDispose]());

  const options = () => ({
    dataDir: store.dataDir,
    packageDir: process.cwd(),
    environment: process.env,
    print: () => undefined,
    pace,
    kinds: ['hit'],
  });

  it('counts where good answers come from', async () => {
    const findings = await measureOverload(options());
    expect(findings.map(({ what }) => what)).toEqual(['hit', 'hit, afterwards']);
  });

  it('fails when an answer is not what was asked for', async () => {
    const command = [process.execPath, 'test/bench/fake-gateway.ts'] as const;
    await expect(measureOverload({ ...options(), command })).rejects.toThrow(
      'hit: a wrong answer, status 200: {}',
    );
  });
});
