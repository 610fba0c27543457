import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/daemon.ts';
import { aFolder } from '../support/money-database.ts';

const ROOT = join(import.meta.dirname, '../..');

it('shows three shops with their sales at a hub, and leaves nothing behind when it is stopped', async () => {
  const folder = aFolder();
  const args = ['test/fleet/demo.ts', '--port', '0'];
  const env = { ...process.env, TMPDIR: folder };
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGTERM'));
  let printed = '';
  createInterface({ input: child.stdout }).on('line', (line) => {
    printed += `${line}\n`;
  });
  await eventually(() => printed.includes('Ctrl-C ends'), 120_000);
  const [, url, token] = /ready at (\S+)[\s\S]+?(tho_\S+)/.exec(printed) ?? [];
  const ask = async (path: string) => {
    const reply = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
    return (await reply.json()).data;
  };
  const ready = { state: 'ready', can_report: true, in_doubt: 0, alerts: 0 };
  expect(await ask('/v1/shops')).toMatchObject(
    ['Berlin 1', 'Hamburg 1', 'Köln 1'].map((name) => ({ name, ...ready })),
  );
  await eventually(async () => {
    const states = (await ask('/v1/payments')).map(({ state }: { state: string }) => state);
    return states.length === 9 && states.every((state: string) => state === 'succeeded');
  });
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
  expect(readdirSync(folder)).toEqual([]);
}, 180_000);
