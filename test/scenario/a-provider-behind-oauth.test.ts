import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { aWorld, Daemon, eventually, type World } from '../support/daemon.ts';
import { anOAuthServer, type OAuthServer } from '../support/oauth-server.ts';
import { askOver } from '../support/socket.ts';
import { tillctl } from '../support/till.ts';

vi.setConfig({ testTimeout: 90_000 });

const CLIENT = { id: 'till-1', secret: 'a-client-secret-of-the-shop' };
const FIRST = 'the-first-refresh-token';
const PAGES = {
  path: '/people',
  items: 'data',
  page: { style: 'page', size: 2 },
  id: 'id',
  fields: { name: 'name' },
};

function recipeOf(grant: string) {
  return {
    recipe: 1,
    id: 'people',
    title: 'People',
    documentation: 'https://people.example/docs',
    auth: {
      type: 'oauth2',
      tokenUrl: '/token',
      grant,
      ...(grant === 'refresh_token' ? { authorizeUrl: '/auth' } : {}),
    },
    resources: { customers: PAGES },
  };
}

async function aShop(grant: string): Promise<World> {
  const settings = { recipe: recipeOf(grant) };
  const provider_a = { connector: 'rest', sink: 'mirror', interval_s: 3_600, max_errors: 3, settings };
  return aWorld({}, { integrations: { provider_a } });
}

function keyFile(shop: World, key: string): string {
  const file = join(shop.folder, 'key');
  writeFileSync(file, key);
  return file;
}

function recipeFile(shop: World, auth: object): string {
  const recipe = recipeOf('refresh_token');
  const file = join(shop.folder, `recipe-${Object.keys(auth).length}.json`);
  writeFileSync(file, JSON.stringify({ ...recipe, auth: { ...recipe.auth, ...auth } }));
  return file;
}

/** The rows once no run is on its way: the end of a token must not meet the last request of one that has all rows already. */
async function rowsOf(daemon: Daemon): Promise<number | undefined> {
  const path = '/v2/integrations/provider_a/streams';
  const { data } = (await askOver(daemon.socket, 'GET', path)) as { data: { rows: number; state: string }[] };
  return data[0]?.state === 'idle' ? data[0].rows : undefined;
}

/** Every byte that tilld left in its folders, but for the key file that a person made. */
function leftIn(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name !== 'key' && statSync(join(folder, name)).isFile())
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('\n');
}

async function noSecretIn(daemon: Daemon, shop: World, server: OAuthServer): Promise<void> {
  const shown = await Promise.all([
    tillctl(daemon, 'status', '--json'),
    tillctl(daemon, 'integrations', '--streams', '--json'),
    tillctl(daemon, 'doctor', '--config', shop.config, '--state-dir', join(shop.folder, 'state'), '--json'),
  ]);
  const all = [...shown.map(({ stdout, stderr }) => stdout + stderr), daemon.log, leftIn(shop.folder)].join(
    '\n',
  );
  expect(all.length).toBeGreaterThan(10_000);
  for (const text of server.texts) expect(all).not.toContain(text);
}

describe('a provider behind an authorisation server', () => {
  it('is read with the client’s own credential, and the key is tried first', async () => {
    const server = await anOAuthServer({ ...CLIENT, people: 5 });
    const shop = await aShop('client_credentials');
    const daemon = await Daemon.start(shop);
    const args = ['activate', 'provider_a', '--base-url', server.url, '--api-key-file'];
    const wrong = await tillctl(daemon, ...args, keyFile(shop, `${CLIENT.id}:wrong-secret`));
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toMatch(/authorisation server .* refuses/);
    const halved = await tillctl(daemon, ...args, keyFile(shop, CLIENT.id));
    expect(halved.stderr).toMatch(/needs "apiKey" as id:secret/);
    const right = await tillctl(daemon, ...args, keyFile(shop, `${CLIENT.id}:${CLIENT.secret}`));
    expect(right.stderr).toBe('');
    await eventually(async () => (await rowsOf(daemon)) === 5);
    await noSecretIn(daemon, shop, server);
    expect(await daemon.stop()).toBe(0);
  });

  it('is read on with each next refresh token, through expiry and restart, until the authorisation is withdrawn', async () => {
    // Each page ends its token: every sync meets the end of one in its middle.
    const server = await anOAuthServer({ ...CLIENT, refreshToken: FIRST, people: 5, uses: 1 });
    const shop = await aShop('refresh_token');
    const first = await Daemon.start(shop);
    const key = keyFile(shop, `${CLIENT.id}:${CLIENT.secret}:${FIRST}`);
    const made = await tillctl(
      first,
      'activate',
      'provider_a',
      '--base-url',
      server.url,
      '--api-key-file',
      key,
    );
    expect(made.stderr).toBe('');
    await eventually(async () => (await rowsOf(first)) === 5);
    server.expire();
    expect((await tillctl(first, 'sync', 'provider_a', '--full-resync', '--wait')).code).toBe(0);
    expect(server.asked.most).toBe(1);
    expect(await first.stop()).toBe(0);

    server.expire();
    const second = await Daemon.start(shop);
    expect((await tillctl(second, 'sync', 'provider_a', '--full-resync', '--wait')).code).toBe(0);

    const elsewhere = await anOAuthServer(CLIENT);
    const own = recipeFile(shop, {});
    const other = recipeFile(shop, { tokenUrl: `${elsewhere.url}/token` });
    const tried = await tillctl(second, 'recipe', 'try', own, '--provider', 'provider_a');
    expect([tried.code, tried.stderr]).toEqual([0, '']);
    const kept = await tillctl(second, 'recipe', 'try', other, '--provider', 'provider_a');
    expect([kept.code, kept.stderr]).toEqual([
      1,
      expect.stringContaining('"auth" is not that of provider_a'),
    ]);
    expect(elsewhere.asked.count).toBe(0);
    expect((await tillctl(second, 'sync', 'provider_a', '--wait')).code).toBe(0);

    server.revoke();
    expect((await tillctl(second, 'sync', 'provider_a', '--wait')).code).not.toBe(0);
    const shown = await tillctl(second, 'integrations');
    expect(shown.stdout).toMatch(/PAUSED \(credentials\)/);
    const streams = await tillctl(second, 'integrations', '--streams');
    expect(streams.stdout).toMatch(/invalid_grant.*authorise tilld again/);
    const before = server.asked.count;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(server.asked.count).toBe(before);
    await noSecretIn(second, shop, server);
    expect(await second.stop()).toBe(0);
  });

  it('whose next refresh token was lost with a kill says so, waits for a person, and is read again after that', async () => {
    const server = await anOAuthServer({ ...CLIENT, refreshToken: FIRST });
    const shop = await aShop('refresh_token');
    const first = await Daemon.start(shop);
    const key = keyFile(shop, `${CLIENT.id}:${CLIENT.secret}:${FIRST}`);
    await tillctl(first, 'activate', 'provider_a', '--base-url', server.url, '--api-key-file', key);
    await eventually(async () => (await rowsOf(first)) === 3);
    server.expire();
    server.faults.push('held');
    const before = server.asked.count;
    expect((await tillctl(first, 'sync', 'provider_a')).code).toBe(0);
    await eventually(() => server.asked.count > before && server.faults.length === 0);
    await first.kill();

    const second = await Daemon.start(shop);
    await eventually(async () =>
      (await tillctl(second, 'integrations')).stdout.includes('PAUSED (credentials)'),
    );
    const streams = await tillctl(second, 'integrations', '--streams');
    expect(streams.stdout).toMatch(
      /invalid_grant.*an answer with its next token was lost.*tillctl authorize/,
    );
    expect(await rowsOf(second)).toBe(3);
    const next = 'tillctl authorize provider_a --api-key-file FILE';
    expect(streams.stdout).toContain(`Next: \`${next}\``);
    expect((await tillctl(second, 'sync', 'provider_a')).stderr).toContain(`Next: \`${next}\``);
    const place = ['--config', shop.config, '--state-dir', join(shop.folder, 'state')];
    expect((await tillctl(second, 'doctor', ...place)).stdout).toContain(next);

    // The test of the key uses its refresh token up, and nothing runs that would store the next one.
    expect((await tillctl(second, 'deactivate', 'provider_a')).code).toBe(0);
    const again = keyFile(shop, `${CLIENT.id}:${CLIENT.secret}:${server.authorise()}`);
    const rotated = await tillctl(second, 'rotate', 'provider_a', '--api-key-file', again);
    expect(rotated.stderr).toBe('');
    await second.kill();
    const third = await Daemon.start(shop);
    server.expire();
    expect((await tillctl(third, 'activate', 'provider_a')).code).toBe(0);
    expect((await tillctl(third, 'sync', 'provider_a', '--wait')).code).toBe(0);
    await noSecretIn(third, shop, server);
    expect(await third.stop()).toBe(0);
  });
});
