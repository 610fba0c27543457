import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { messageOf } from '../../src/base/errors.ts';
import { failover, hubKilled, nationwideReturn, wrongClocks } from './nationwide-return.ts';
import { startPostgres } from './postgres.ts';
import { restored } from './restored.ts';

/** `stories` are the tests of hub and agent, `hostile-commands` one of them 10,000 times, `bad-configuration` whole daemons in a ring of 100; any other prints one JSON line with its bar, and is true where it is met. */
const TESTS: Readonly<Record<string, (server: string) => Promise<boolean>>> = {
  stories: (server) => stories(server),
  return: nationwideReturn,
  'hub-killed': hubKilled,
  failover,
  'wrong-clocks': wrongClocks,
  restored,
  'offline-month': (server) =>
    stories(server, ['test/fleet/offline-month.test.ts'], {
      FLEET_OFFLINE_ENTRIES: process.env['FLEET_OFFLINE_ENTRIES'] ?? '72000',
    }),
  'bad-configuration': (server) =>
    stories(server, ['test/fleet/bad-configuration.test.ts'], {
      FLEET_RING: process.env['FLEET_RING'] ?? '100',
    }),
  'hostile-commands': (server) =>
    stories(server, ['test/unit/fleet/commands.test.ts', 'test/unit/fleet/command-tasks.test.ts'], {
      FLEET_HOSTILE_COMMANDS: '10000',
    }),
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
async function stories(
  server: string,
  files: readonly string[] = ['test/unit/hub', 'test/unit/fleet', 'test/fleet'],
  more: Readonly<Record<string, string>> = {},
): Promise<boolean> {
  const words = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--config',
    'test/vitest.config.ts',
    '--project',
    'fast',
  ];
  const env = { ...process.env, TILLHUB_TEST_SERVER: server, ...more };
  const child = spawn(process.execPath, [...words, ...files], {
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
