import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Packages are resolved as Node resolves them: graphql must be there once only.
  ssr: { resolve: { conditions: ['node', 'module-sync'] } },
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // Tests wait for processes half of the time: two at once on two cores take 60 % of the time (measured).
    maxWorkers: Math.max(2, availableParallelism() - 1),
  },
});
