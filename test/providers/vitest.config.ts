import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/providers/**/*.test.ts'],
    pool: 'forks',
    // A real server and real time: one at a time, and the tests of a server build on each other.
    fileParallelism: false,
    bail: 1,
    env: {
      NODE_COMPILE_CACHE: join(tmpdir(), 'tilld-test-compile-cache'),
      XDG_STATE_HOME: join(tmpdir(), 'tilld-test-state'),
    },
    testTimeout: 500_000,
    hookTimeout: 300_000,
    reporters: ['default', './test/support/plain-count-reporter.ts'],
  },
});
