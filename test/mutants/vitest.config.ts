import { defineConfig } from 'vitest/config';

/** The tests of the modules that Stryker mutates. */
export default defineConfig({
  test: {
    include: [
      'src/api/signed-headers.test.ts',
      'src/contract/canonical-message.test.ts',
      'src/domain/{scopes,source-states,verdict}.test.ts',
      'src/scan/{narrow,reconcile}.test.ts',
    ],
  },
});
