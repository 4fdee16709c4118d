import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const postgres = 'test/support/postgres.ts';
const temporaryFolder = 'test/support/temporary-folder.ts';

/** These measure processor time and memory, or watch modules load: others' heap and code must not be in their process. */
const alone = ['src/**/{hostile,limits,linear-time}.test.ts', 'test/api/linear-schemas.test.ts'];

/** These measure by the clock what a service does at once, or run several nodes: other tests must not take the processor from them. */
const byTheClock = [
  'test/e2e/{answers-under-attack,disconnect-stops,hostile-targets,rolling-restart,rolling-upgrade}.test.ts',
  'test/dashboard/large-snapshots.test.ts',
];

export default defineConfig({
  test: {
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // What is awaited takes as long as the machine is busy.
    expect: { poll: { timeout: 30_000 } },
    globalSetup: [temporaryFolder],
    // Two more than the machine has cores: a good part of the time is spent waiting for servers and browsers. On two cores all
    // took 704 s with three workers and 660 s with four.
    maxWorkers: Math.max(2, availableParallelism()) + 2,
    // Projects would each transform all modules again.
    experimental: { fsModuleCache: true },
    projects: [
      { extends: true, test: { name: 'house', include: ['test/house/**/*.test.ts'] } },
      { extends: true, test: { name: 'alone', include: alone } },
      {
        extends: true,
        test: {
          name: 'main',
          include: [
            'src/**/*.test.ts',
            'web/**/*.test.ts',
            'test/{api,dashboard,database,resources,worker,e2e,fixes}/**/*.test.ts',
          ],
          exclude: [...alone, ...byTheClock],
          globalSetup: [postgres],
          // A worker loads the servers' modules and starts Chromium once: that takes longer than most of these files.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'clock',
          include: byTheClock,
          globalSetup: [postgres],
          isolate: false,
          maxWorkers: 1,
          // After all others.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
