import { defineConfig } from 'vitest/config';

/** Tests of several minutes that have the machine for themselves. */
export default defineConfig({
  test: {
    include: ['test/cluster/**/*.test.ts'],
    globalSetup: ['test/support/temporary-folder.ts'],
    testTimeout: 900_000,
    hookTimeout: 240_000,
  },
});
