import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { messageOf } from '../../src/base/errors.ts';
import { hubKilled, nationwideReturn } from './nationwide-return.ts';
import { startPostgres } from './postgres.ts';

/** `stories` are the hub's tests; any other prints one JSON line with its bar, and is true where it is met. */
const TESTS: Readonly<Record<string, (server: string) => Promise<boolean>>> = {
  stories,
  return: nationwideReturn,
  'hub-killed': hubKilled,
};

const ROOT = join(import.meta.dirname, '../..');

const USAGE = `fleet:test -- ${Object.keys(TESTS).join('|')}
  runs the hub against a real PostgreSQL (Debian: apt-get install -y postgresql), and agents that are real clients
`;

/** 1 when a bar is missed, 2 for a wrong call. */
async function main(): Promise<number> {
  const [name = ''] = process.argv.slice(2);
  const test = TESTS[name];
  if (test === undefined) {
    process.stderr.write(USAGE);
    return 2;
  }
  const cluster = await startPostgres();
  try {
    return (await test(cluster.server)) ? 0 : 1;
  } finally {
    await cluster.stop();
  }
}

/** The tests of the hub, which `npm test` runs on PGlite, and those of its program. */
async function stories(server: string): Promise<boolean> {
  const words = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--config',
    'test/vitest.config.ts',
    '--project',
    'fast',
  ];
  const env = { ...process.env, TILLHUB_TEST_SERVER: server };
  const child = spawn(process.execPath, [...words, 'test/unit/hub', 'test/fleet'], {
    cwd: ROOT,
    env,
    stdio: 'inherit',
  });
  const [code] = await once(child, 'exit');
  return code === 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}
