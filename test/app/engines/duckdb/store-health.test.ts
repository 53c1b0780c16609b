import { expect, test } from 'vitest';
import { StoreHealth } from '../../../../src/app/engines/duckdb/open-engine-process.ts';
import type { StoreState } from '../../../../src/engines/duckdb/store/store-state.ts';
import { ManualClock } from '../../../calls/executor/support/manual-clock.ts';

test('the details for /readyz say when the store takes no rows', async () => {
  const disk = { sizeBytes: 100, freeBytes: 50, reservedBytes: 2, isFull: false };
  let state: StoreState | Error = { disk, waitingLength: 0, cutBytes: 0, unavailable: [] };
  const clock = new ManualClock();
  const health = new StoreHealth(async () => {
    if (state instanceof Error) throw state;
    return state;
  }, clock);
  expect(health.details).toEqual({});
  await clock.advance(5_000);
  expect(health.details).toEqual({});
  state = { disk: { ...disk, freeBytes: 1, isFull: true }, waitingLength: 0, cutBytes: 0, unavailable: [] };
  await clock.advance(5_000);
  expect(health.details).toEqual({ status: 'degraded', rows: 'refused, because the disk is full' });
  state = {
    ...{ disk, waitingLength: 0, cutBytes: 0 },
    unavailable: [{ source: 's', reason: 'The file\ndoes not fit.', details: 'a value' }],
  };
  await clock.advance(5_000);
  expect(health.details).toEqual({ status: 'degraded', 'source s': 'unavailable. The file does not fit.' });
  state = new Error('no process');
  await clock.advance(5_000);
  expect(health.details).toMatchObject({ status: 'degraded' });
  state = { disk, waitingLength: 0, cutBytes: 0, unavailable: [] };
  await clock.advance(5_000);
  expect(health.details).toEqual({});
  health.close();
});
