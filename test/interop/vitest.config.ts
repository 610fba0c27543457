import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/interop/**/*.test.ts'],
    exclude: ['**/node_modules/**'],
    globalSetup: './test/interop/install.ts',
    pool: 'forks',
    setupFiles: ['./test/support/around-each-file.ts'],
    // Real lines and real time: one program at a time.
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 30_000,
    reporters: ['default', './test/support/plain-count-reporter.ts'],
  },
});
