import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [
      '**/node_modules/**',
      'test/browser/**',
      'test/checks/**',
      'test/fresh/**',
      'test/system/**',
      'test/interop/**',
      'test/package/**',
    ],
    pool: 'forks',
    // Left to itself vitest keeps one processor free, which on a machine of two is half of it.
    maxWorkers: 2,
    // Hundreds of daemons and command lines are started: what node has compiled once is kept, which is a third of each start.
    // The notes that daemons keep outside their state folders are not for the home of who runs the tests.
    env: {
      NODE_COMPILE_CACHE: join(tmpdir(), 'tilld-test-compile-cache'),
      XDG_STATE_HOME: join(tmpdir(), 'tilld-test-state'),
    },
    testTimeout: 20_000,
    hookTimeout: 20_000,
    // The closing line that every CI can read: N passed, N failed.
    reporters: ['default', './test/support/plain-count-reporter.ts'],
  },
});
