import { execFile } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { aWorld, Daemon, eventually } from '../support/daemon.ts';
import { aFolder } from '../support/money-database.ts';
import { tillctl } from '../support/till.ts';
import { FOREIGN, foreignFolder } from './foreign-package.ts';
import { serviceDescription } from './service-description.ts';

const PROGRAM = join(import.meta.dirname, 'service-client');
const COMPILER = join(foreignFolder('typescript'), 'bin', 'tsc');
const GENERATOR = join(FOREIGN, 'node_modules/@hey-api/openapi-ts/bin/run.js');
const MIRRORED = [
  ...['invoices', 'customers', 'products', 'prices', 'subscriptions', 'orders', 'payments', 'disputes'],
  ...['payouts', 'mandates', 'entitlements', 'transactions'],
];
const SCOPES = ['payments', 'invoices', 'customers', 'products', 'subscriptions', 'finance'];

function node(folder: string, ...args: readonly string[]) {
  return new Promise<{ readonly code: number; readonly output: string }>((resolve) => {
    execFile(process.execPath, args, { cwd: folder, maxBuffer: 8e6 }, (error, stdout, stderr) =>
      resolve({ code: error ? 1 : 0, output: `${stdout}${stderr}` }),
    );
  });
}

/** The program beside the client that was generated from the interface's lists. */
async function theProgram(): Promise<string> {
  const folder = aFolder();
  cpSync(PROGRAM, folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(serviceDescription()));
  expect(await node(folder, GENERATOR, '-f', 'openapi-ts.config.mjs')).toMatchObject({ code: 0 });
  expect(await node(folder, COMPILER, '-p', '.')).toEqual({ code: 0, output: '' });
  return folder;
}

it('a client of the service reads every mirrored list from the agent, record by record the same, while the shop is offline', {
  timeout: 180_000,
}, async () => {
  const scopes = [...SCOPES.map((area) => `${area}:read`), 'payments:write', 'webhooks:read'];
  const world = await aWorld({}, { mirror: { lists: MIRRORED } }, {}, scopes);
  const daemon = await Daemon.start(world);
  const args = SCOPES.flatMap((area) => ['--scope', `${area}:read`]);
  const { stdout } = await tillctl(daemon, 'keys', 'create', ...args, '--json');
  const key: string = JSON.parse(stdout).data.key;
  const folder = await theProgram();
  const read = async (url: string, with_: string) => {
    const { code, output } = await node(folder, 'out/reader.js', url, with_);
    expect(code, output).toBe(0);
    return JSON.parse(output);
  };
  const atService = await read(world.service.url, 'rk_sandbox_daemon_under_test');
  await eventually(async () => {
    const lists = JSON.parse((await tillctl(daemon, 'mirror', '--json')).stdout).data;
    return (
      lists.length === MIRRORED.length &&
      lists.every(({ fresh_at: at }: { fresh_at: unknown }) => at !== null)
    );
  }, 60_000);
  world.service.control.behave({ offline: true });
  const here = await read(daemon.url, key);
  expect(here).toEqual(atService);
  for (const [list, ids] of Object.entries<string[]>(here)) expect(ids.length, list).toBeGreaterThan(0);
});
