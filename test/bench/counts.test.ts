import { describe, expect, it } from 'vitest';
import { countsBetween, proveEngineRuns, proveHits, readCounts } from '../../bench/counts.ts';
import { metricsOf } from '../support/metrics.ts';

const none = { engineRuns: 0, vainRuns: 0, hits: 0, collapsed: 0 };

describe('the counters of a gateway', () => {
  it('is read from its metrics, for all endpoints together', async () => {
    const metrics = metricsOf({ engine: 'duckdb' });
    expect(readCounts(await metrics.text())).toEqual(none);
    const { executor } = metrics;
    executor.engineRun('a', 'success', 1);
    executor.engineRun('b', 'success', 1);
    executor.engineRun('a', 'error', 1);
    executor.cacheRequest('a', 'hit');
    executor.cacheRequest('a', 'miss');
    executor.collapsed('a');
    const counts = readCounts(await metrics.text());
    expect(counts).toEqual({ engineRuns: 2, vainRuns: 1, hits: 1, collapsed: 1 });
    expect(countsBetween(counts, counts)).toEqual(none);
  });

  it('proves that calls ran separately on the engine, or came from the cache', () => {
    proveEngineRuns({ ...none, engineRuns: 3 }, 3);
    proveHits({ ...none, hits: 3 }, 3);
    for (const other of [{ engineRuns: 2 }, { vainRuns: 1 }, { hits: 1 }, { collapsed: 1 }]) {
      expect(() => proveEngineRuns({ ...none, engineRuns: 3, ...other }, 3)).toThrow('expected');
    }
    for (const other of [{ engineRuns: 1 }, { vainRuns: 1 }, { hits: 2 }]) {
      expect(() => proveHits({ ...none, hits: 3, ...other }, 3)).toThrow('expected');
    }
  });
});
