import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const postgres = 'test/support/postgres.ts';
const linearSchemas = 'test/api/linear-schemas.test.ts';

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Two more than the machine has cores: a good part of the time is spent waiting for servers and browsers.
    maxWorkers: Math.max(2, availableParallelism()) + 2,
    projects: [
      { extends: true, test: { name: 'house', include: ['test/house/**/*.test.ts'] } },
      // linear-schemas watches the servers' modules load, so it needs a process of its own.
      { extends: true, test: { name: 'unit', include: ['src/**/*.test.ts', linearSchemas] } },
      {
        extends: true,
        test: {
          name: 'service',
          include: ['test/{api,dashboard,storage,e2e}/**/*.test.ts'],
          exclude: [linearSchemas],
          globalSetup: [postgres],
          // A worker loads the servers' modules and starts Chromium once: that takes longer than most of these files.
          isolate: false,
        },
      },
    ],
  },
});
