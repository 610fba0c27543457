import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/system/**/*.test.ts'],
    pool: 'forks',
    // One machine at a time: each test fills, breaks or slows down a disk of its own.
    fileParallelism: false,
    testTimeout: 90_000,
    hookTimeout: 120_000,
    reporters: ['default', './test/support/plain-count-reporter.ts'],
  },
});
