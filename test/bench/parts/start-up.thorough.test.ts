import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { measureStartUp } from '../../../bench/parts/start-up.ts';
import { type TinyStore, tinyStore } from '../tiny-store.ts';

describe('the measurement of starts', () => {
  let store: TinyStore;
  beforeAll(async () => {
    store = await tinyStore();
  });
  afterAll(() => store[Symbol.asyncDispose]());

  const options = () => ({
    dataDir: store.dataDir,
    packageDir: process.cwd(),
    environment: process.env,
    starts: 1,
  });

  it('times a gateway that answers a query afterwards', async () => {
    const [finding] = await measureStartUp(options());
    expect(finding?.detail).toContain('each answered a query');
  });

  it('fails when something else says that it is ready', async () => {
    const command = [process.execPath, 'test/bench/fake-gateway.ts'] as const;
    await expect(measureStartUp({ ...options(), command })).rejects.toThrow(/\/metrics answered 200$/);
  });

  it('fails when there is nothing to start', async () => {
    const command = ['./no-such-program'] as const;
    await expect(measureStartUp({ ...options(), command })).rejects.toThrow('could not be started');
  });
});
