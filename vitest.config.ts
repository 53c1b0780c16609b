import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Kill, soak, fuzz, random, timing and other long runs. */
const thorough = 'test/**/*.thorough.test.ts';
/** Two thousand queries and their results take a worker of their own: one that keeps other files as well collects garbage most of the time. */
const reference = 'test/engines/duckdb/differential/differential.test.ts';

// Workers and the processes that tests start find compiled modules here: those of others would be compiled anew each time.
process.env.NODE_COMPILE_CACHE ??= resolve('node_modules/.cache/node-compile-cache');

export default defineConfig({
  // Packages are resolved as Node resolves them: graphql must be there once only.
  ssr: { resolve: { conditions: ['node', 'module-sync'] } },
  test: {
    // Patience for a machine that does much else. It costs nothing, since tests end when what they wait for is there.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 150_000 } },
    globalSetup: 'test/support/build-program.ts',
    setupFiles: 'test/support/random-values.ts',
    // Commands that tests start read no `.env` of a developer's.
    env: { ENV_FILE: '/dev/null' },
    pool: 'forks',
    // A worker keeps what it has loaded from one file to the next: a third less processor time (measured).
    isolate: false,
    // Tests wait for processes half of the time.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        extends: true,
        test: { name: 'quick', include: ['test/**/*.test.ts'], exclude: [thorough, reference] },
      },
      { extends: true, test: { name: 'reference', include: [reference] } },
      { extends: true, test: { name: 'thorough', include: [thorough] } },
    ],
  },
});
