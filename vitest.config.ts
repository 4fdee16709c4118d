import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// Test files of one process share its modules: loading the service takes longer than most of these files. Its modules only keep
// what they can compute again. A file that needs them fresh calls `vi.resetModules`.
const isolate = false;
const postgres = 'test/support/postgres.ts';

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // One more than the machine has cores: a quarter of the time is spent waiting for servers and browsers.
    maxWorkers: Math.max(2, availableParallelism()) + 1,
    projects: [
      { extends: true, test: { name: 'house', include: ['test/house/**/*.test.ts'] } },
      { extends: true, test: { name: 'unit', isolate, include: ['src/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'service',
          isolate,
          include: ['test/{api,dashboard,storage,e2e}/**/*.test.ts'],
          globalSetup: [postgres],
        },
      },
    ],
  },
});
