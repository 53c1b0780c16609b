import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { measureStorm } from '../../../bench/parts/storm.ts';
import { type TinyStore, tinyStore } from '../tiny-store.ts';

describe('the measurement of a storm', () => {
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
    seconds: 2,
    callers: 2,
  });

  it('reports what other callers get meanwhile', async () => {
    const findings = await measureStorm(options());
    expect(findings.map(({ what }) => what)).toEqual(['/livez', 'cached hits', 'light queries', 'memory']);
  });

  it('fails when the gateway does not count', async () => {
    const command = [process.execPath, 'test/bench/fake-gateway.ts'] as const;
    await expect(measureStorm({ ...options(), command })).rejects.toThrow('/metrics answered 200');
  });
});
