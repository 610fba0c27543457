import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/fresh/**/*.test.ts'],
    exclude: ['**/node_modules/**'],
    pool: 'forks',
    // Two combinations at a time, and the empty Debian after them.
    fileParallelism: false,
    maxConcurrency: 2,
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // One line per combination.
    reporters: ['verbose', './test/support/plain-count-reporter.ts'],
  },
});
