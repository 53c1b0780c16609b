import { describe, expect, it } from 'vitest';
import { measureGraphql } from '../../../bench/parts/graphql.ts';

const counts = { rounds: 1, requestsPerRound: 20 };

describe('the measurement of GraphQL answers', () => {
  it('counts one engine run for each request', async () => {
    const [finding] = await measureGraphql(counts);
    expect(finding?.detail).toMatch(/; 40 engine runs$/);
  });

  it('fails when answers come from the cache', async () => {
    await expect(measureGraphql({ ...counts, cacheSeconds: 60 })).rejects.toThrow(
      /^answers from the cache: expected 0, found \d+$/,
    );
  });
});
