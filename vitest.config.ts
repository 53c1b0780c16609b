import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Packages are resolved as Node resolves them: graphql must be there once only.
  ssr: { resolve: { conditions: ['node', 'module-sync'] } },
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
  },
});
