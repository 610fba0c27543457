import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts'],
    exclude: ['**/node_modules/**'],
    globalSetup: './test/browser/install.ts',
    pool: 'forks',
    // One browser and one shop at a time: what is seen must not depend on how busy the machine is.
    fileParallelism: false,
    testTimeout: 90_000,
    hookTimeout: 60_000,
    reporters: ['default', './test/support/plain-count-reporter.ts'],
  },
});
