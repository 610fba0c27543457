import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { aWorld, Daemon, eventually, type World } from '../support/daemon.ts';
import { askOver } from '../support/socket.ts';
import { tillctl } from '../support/till.ts';
import { authoriseAsPerson, LIFE_S, MACHINE, PERSON, startOidcProvider } from './oidc-provider.ts';

const TILLCTL = join(import.meta.dirname, '../../src/cli/tillctl.ts');

async function aShop(auth: object): Promise<World> {
  const recipe = {
    recipe: 1,
    id: 'people',
    title: 'People',
    documentation: 'https://people.example/docs',
    auth: { type: 'oauth2', ...auth },
    resources: {
      customers: {
        path: '/people',
        items: 'data',
        page: { style: 'page', size: 2 },
        id: 'id',
        fields: { name: 'name' },
      },
    },
  };
  const provider_a = { connector: 'rest', sink: 'mirror', interval_s: 3_600, settings: { recipe } };
  return aWorld({}, { integrations: { provider_a } });
}

function keyFile(shop: World, key: string): string {
  const file = join(shop.folder, 'key');
  writeFileSync(file, key);
  return file;
}

async function rowsOf(daemon: Daemon): Promise<number | undefined> {
  const path = '/v2/integrations/provider_a/streams';
  const { data } = (await askOver(daemon.socket, 'GET', path)) as { data: { rows: number }[] };
  return data[0]?.rows;
}

function synced(daemon: Daemon) {
  return tillctl(daemon, 'sync', 'provider_a', '--full-resync', '--wait');
}

const expiry = () => new Promise((resolve) => setTimeout(resolve, (LIFE_S + 1) * 1_000));

it('a machine that has a client of its own reads on past the end of its tokens', async () => {
  const foreign = await startOidcProvider();
  const shop = await aShop({ tokenUrl: '/token' });
  const daemon = await Daemon.start(shop);
  const key = keyFile(shop, `${MACHINE.id}:${MACHINE.secret}`);
  const made = await tillctl(
    daemon,
    'activate',
    'provider_a',
    '--base-url',
    foreign.url,
    '--api-key-file',
    key,
  );
  expect(made.stderr).toBe('');
  await eventually(async () => (await rowsOf(daemon)) === 5);
  const before = foreign.grants.length;
  await expiry();
  expect((await synced(daemon)).code).toBe(0);
  await foreign.forget();
  expect((await synced(daemon)).code).toBe(0);
  expect(foreign.grants.length).toBeGreaterThan(before);
  expect(foreign.errors).toEqual([]);
  expect(await daemon.stop()).toBe(0);
});

it('a person authorises tilld in a browser, and it reads on with each next refresh token, also after a restart', async () => {
  const foreign = await startOidcProvider();
  const auth = {
    tokenUrl: '/token',
    authorizeUrl: '/auth',
    grant: 'refresh_token',
    scope: 'people offline_access',
  };
  const shop = await aShop({ ...auth, parameters: {} });
  const first = await Daemon.start(shop);
  const key = keyFile(shop, `${PERSON.id}:${PERSON.secret}`);
  const place = ['--base-url', foreign.url, '--api-key-file', key, '--config', shop.config];
  const child = spawn(process.execPath, [
    TILLCTL,
    '--socket',
    first.socket,
    'authorize',
    'provider_a',
    ...place,
  ]);
  onTestFinished(() => void child.kill('SIGKILL'));
  let shown = '';
  child.stderr.on('data', (part) => {
    shown += part;
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  await eventually(async () => /http:\S+code_challenge\S+/.test(shown));
  const url = /http:\S+code_challenge\S+/.exec(shown)?.[0] ?? '';
  expect(await authoriseAsPerson(url)).toContain('tilld is authorised');
  expect(await ended).toBe(0);

  const next = /Next: `tillctl ([^`]+)`/.exec(shown)?.[1] ?? 'no next step';
  expect((await tillctl(first, ...next.split(' '))).code).toBe(0);
  await eventually(async () => (await rowsOf(first)) === 5);
  await foreign.forget();
  expect((await synced(first)).code).toBe(0);
  await expiry();
  expect(await first.stop()).toBe(0);
  const second = await Daemon.start(shop);
  expect((await synced(second)).code).toBe(0);
  expect(new Set(foreign.grants)).toEqual(new Set(['authorization_code', 'refresh_token']));
  expect(foreign.grants.length).toBeGreaterThanOrEqual(4);
  expect(foreign.errors).toEqual([]);
  expect(await second.stop()).toBe(0);
});
