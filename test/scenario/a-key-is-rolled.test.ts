import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { aWorld, Daemon } from '../support/daemon.ts';
import { type CommandResult, tillctl } from '../support/till.ts';

const SCOPES = ['--scope', 'payments:read', '--scope', 'webhooks:read'];

it('a key is rolled, the daemon dies, both secrets work; it is revoked, the daemon dies, none does; the log holds neither', async () => {
  const world = await aWorld();
  let daemon = await Daemon.start(world);
  const logs: string[] = [];
  const restarted = async () => {
    await daemon.kill();
    logs.push(daemon.log);
    daemon = await Daemon.start(world);
  };
  const keys = (...words: readonly string[]) => tillctl(daemon, 'keys', ...words, '--json');
  const statuses = async () => [await fate(daemon, first), await fate(daemon, second)];

  const first: string = dataOf(await keys('create', '--name', 'till 3', ...SCOPES)).key;
  const second: string = dataOf(await keys('roll', 'till 3', '--overlap', '1', '--by', 'Anna')).key;
  await restarted();
  expect(await statuses()).toEqual([200, 200]);

  const stream = await fetch(`${daemon.url}/v2/events/stream`, { headers: { 'x-api-key': first } });
  await fetch(`${daemon.url}/v2/terminal-payments?${first}=${second}`, { headers: { 'x-api-key': first } });
  await keys('revoke', 'till 3', '--by', 'Ben');
  expect(await stream.text()).not.toContain('event:');
  expect(await statuses()).toEqual(['api_key_revoked', 'api_key_revoked']);
  await restarted();
  expect(await statuses()).toEqual(['api_key_revoked', 'api_key_revoked']);

  const audit: readonly { event: string; by: string | null }[] = dataOf(await keys('audit', 'till 3'));
  expect(audit.map(({ event, by }) => [event, by])).toEqual([
    ['revoked', 'Ben'],
    ['rolled', 'Anna'],
    ['created', null],
  ]);
  expect(await daemon.stop()).toBe(0);
  logs.push(daemon.log);
  expect(logs.join('\n')).toContain('api key refused');
  const kept = logs.join('\n') + readFileSync(daemon.database, 'latin1');
  for (const secret of [first, second]) expect(kept).not.toContain(secret.slice(-32));
});

async function fate(daemon: Daemon, key: string): Promise<number | string> {
  const response = await fetch(`${daemon.url}/v2/terminal-payments`, { headers: { 'x-api-key': key } });
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the JSON it expects and fails when it is not there
  const body: any = await response.json();
  return response.ok ? response.status : body.error.code;
}

function dataOf({ stdout, stderr }: CommandResult) {
  expect(stderr).not.toContain('tillctl:');
  return JSON.parse(stdout).data;
}
