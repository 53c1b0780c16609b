import { describe, expect, it } from 'vitest';
import { measureCache } from '../../../bench/parts/cache.ts';
import { measureCacheMemory } from '../../../bench/parts/cache-memory.ts';

// As many answers as grow the heap by more than what a process takes and gives back by itself.
const counts = { rounds: 1, requestsPerRound: 20, answers: 4_000 };

describe('the measurement of the cache', () => {
  it('times answers that were counted as hits, and fills the memory with as many as it says', async () => {
    const findings = await measureCache(counts);
    expect(findings.map(({ what }) => what)).toEqual([
      'REST hit, 23 KB',
      'REST 304',
      'GraphQL hit by POST',
      'memory for 4,000 answers of 1 rows',
      'memory for 4,000 answers of 20 rows',
    ]);
  });

  it('fails when the answers come from the engine', async () => {
    await expect(measureCache({ ...counts, cacheSeconds: 0 })).rejects.toThrow(
      /^engine runs: expected 0, found \d+$/,
    );
  });

  it('fails when the results are not cached', async () => {
    await expect(measureCacheMemory({ ...counts, cacheSeconds: 0 })).rejects.toThrow(
      'memory for 4,000 answers of 1 rows: the last answer is not held',
    );
  });
});
