import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const postgres = 'test/support/postgres.ts';

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // By default one fewer than the machine has: half of two. Much of the time is spent waiting for servers.
    maxWorkers: Math.max(2, availableParallelism()),
    projects: [
      { extends: true, test: { name: 'house', include: ['test/house/**/*.test.ts'] } },
      { extends: true, test: { name: 'unit', include: ['src/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'service',
          include: ['test/{api,dashboard,storage,e2e}/**/*.test.ts'],
          globalSetup: [postgres],
        },
      },
    ],
  },
});
