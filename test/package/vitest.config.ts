import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/package/**/*.test.ts'],
    pool: 'forks',
    // Packages are built and whole systems copied: one thing at a time.
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 900_000,
    reporters: ['default', './test/support/plain-count-reporter.ts'],
  },
});
