import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './support/longest-first.ts';

/** Suites with a configuration of their own. */
const ELSEWHERE = ['**/node_modules/**', 'test/{browser,checks,fresh,interop,package,providers,system}/**'];
/** Whole shops: daemons in processes of their own, simulated days, kills, attacks, every driver over every wire: `npm run check:slow`. */
const SLOW = [
  'test/{conformance,contract,crash,model,mutants,plug,reproductions,scenario,security,shop,simulation}/**/*.test.ts',
  'test/drivers/*/in-the-shop.test.ts',
];

export default defineConfig({
  test: {
    // `npm test` runs the project `fast`; a run without a project runs both.
    projects: [
      {
        extends: true,
        // The source keeps nothing in its modules, and starting and loading them for each of hundreds of files is near half of the time.
        test: {
          name: 'fast',
          include: ['test/**/*.test.ts'],
          exclude: [...ELSEWHERE, ...SLOW],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'slow', include: SLOW, exclude: ELSEWHERE } },
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
    sequence: { sequencer: LongestFirst },
    setupFiles: [join(import.meta.dirname, 'support/around-each-file.ts')],
    unstubEnvs: true,
    // What ends a test that hangs; no test is judged by its time, and a busy machine takes three times as long.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    // The closing line that every CI can read: N passed, N failed.
    reporters: ['default', './test/support/plain-count-reporter.ts'],
  },
});
