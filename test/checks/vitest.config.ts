import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/checks/**/*.test.ts'],
    exclude: ['**/node_modules/**'],
    globalSetup: './test/checks/install.ts',
    pool: 'forks',
    setupFiles: ['./test/support/around-each-file.ts'],
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ['default', './test/support/plain-count-reporter.ts'],
  },
});
