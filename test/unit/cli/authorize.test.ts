import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { credentialsDocument, integrationDocument } from '../../support/integration-documents.ts';
import { anOAuthServer, type OAuthServer } from '../../support/oauth-server.ts';
import { start } from './command-line.ts';
import { FakeDaemon, one } from './fake-daemon.ts';

const CLIENT = { id: 'till 1', secret: 'a+secret/of%the:shop' };
const PATH = '/v2/integrations/provider_a';
const INTEGRATION = integrationDocument({
  missing_credentials: ['apiKey'],
  active: false,
  next_sync_at: null,
});
const CREDENTIALS = credentialsDocument({ key_stored: false, missing: ['apiKey'] });

let daemon: FakeDaemon;
beforeEach(async () => {
  daemon = await new FakeDaemon().start();
  daemon
    .on(`GET ${PATH}`, () => one(INTEGRATION))
    .on(`GET ${PATH}/credentials`, () => one(CREDENTIALS))
    .on(`POST ${PATH}/rotate`, () => one(INTEGRATION));
});
afterEach(() => daemon.remove());

function configured(server: OAuthServer, auth: object, more: object): string {
  const recipe = {
    recipe: 1,
    id: 'people',
    title: 'People',
    documentation: 'https://people.example/docs',
    baseUrl: server.url,
    auth: { type: 'oauth2', tokenUrl: '/token', authorizeUrl: '/auth', grant: 'refresh_token', ...auth },
    resources: { customers: { path: '/people', page: { style: 'whole' }, id: 'id', fields: {} } },
    ...more,
  };
  const provider_a = { connector: 'rest', sink: 'mirror', settings: { recipe } };
  const config = join(daemon.folder, 'tilld.jsonc');
  writeFileSync(config, JSON.stringify({ version: 1, environment: 'sandbox', integrations: { provider_a } }));
  return config;
}

/** Encoded, for the secret holds a colon. */
const KEY = [CLIENT.id, CLIENT.secret].map(encodeURIComponent).join(':');

async function authorizing(server: OAuthServer, auth: object = {}, key = KEY, more: object = {}) {
  const file = join(daemon.folder, 'key');
  writeFileSync(file, `${key}\n`);
  const place = ['--config', configured(server, auth, more), '--api-key-file', file];
  const running = start(['--socket', daemon.socket, 'authorize', 'provider_a', ...place]);
  const address = async () => {
    await expect.poll(() => running.err, { timeout: 10_000 }).toMatch(/http:\S+state=\S+/);
    return /http:\S+state=\S+/.exec(running.err)?.[0] ?? '';
  };
  return { running, address };
}

describe('tillctl authorize', () => {
  it('stores what a person agreed to, in a form that the recipe reads again, and says what is next', async () => {
    const server = await anOAuthServer({ ...CLIENT, refreshToken: 'never sent' });
    const { running, address } = await authorizing(server, { scope: 'a b', parameters: { audience: 'x' } });
    const asked = new URL(await address());
    expect(asked.searchParams.get('scope')).toBe('a b');
    expect(asked.searchParams.get('audience')).toBe('x');
    const page = await fetch(server.agree(asked.href));
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('is authorised')]);
    const { exit, err } = await running.ended;
    expect([exit, err]).toEqual([0, expect.stringContaining('Next: `tillctl activate provider_a`')]);
    const { body } = daemon.seen.find(({ method }) => method === 'POST') ?? {};
    const { apiKey } = (body as { credentials: { apiKey: string } }).credentials;
    const parts = apiKey.split(':').map(decodeURIComponent);
    expect(parts).toEqual([CLIENT.id, CLIENT.secret, expect.stringMatching(/^refresh-token-1/)]);
  });

  it('takes no answer to another request, and goes on waiting', async () => {
    const server = await anOAuthServer({ ...CLIENT, refreshToken: 'never sent' });
    const { running, address } = await authorizing(server);
    const good = server.agree(await address());
    for (const [name, value] of [
      ['state', 'another'],
      ['pathname', '/'],
    ] as const) {
      const forged = new URL(good);
      if (name === 'state') forged.searchParams.set(name, value);
      else forged.pathname = value;
      expect((await fetch(forged)).status).toBe(404);
    }
    expect(server.asked.count).toBe(0);
    expect((await fetch(good)).status).toBe(200);
    expect((await running.ended).exit).toBe(0);
  });

  it.each<[string, (good: URL) => void, RegExp]>([
    [
      'the person refuses',
      (url) => (url.search = `?error=access_denied&state=${url.searchParams.get('state')}`),
      /access_denied/,
    ],
    [
      'the answer is of another server',
      (url) => url.searchParams.set('iss', 'https://evil.example'),
      /not that of this server/,
    ],
    ['the code is another one', (url) => url.searchParams.set('code', 'forged'), /invalid_grant/],
  ])('stores nothing where %s', async (_, change, words) => {
    const server = await anOAuthServer({ ...CLIENT, refreshToken: 'never sent' });
    const { running, address } = await authorizing(server);
    const answer = server.agree(await address());
    change(answer);
    const page = await fetch(answer);
    expect([page.status, await page.text()]).toEqual([400, expect.stringMatching(words)]);
    const { exit, err } = await running.ended;
    expect([exit, err]).toEqual([1, expect.stringMatching(words)]);
    expect(daemon.seen.some(({ method }) => method === 'POST')).toBe(false);
    for (const text of server.texts) expect(err).not.toContain(text);
  });

  it('stores nothing where the server gives no refresh token, and says what it may want', async () => {
    const server = await anOAuthServer(CLIENT);
    const { running, address } = await authorizing(server);
    await fetch(server.agree(await address()));
    expect(await running.ended).toMatchObject({ exit: 1, err: expect.stringContaining('offline_access') });
    expect(daemon.seen.some(({ method }) => method === 'POST')).toBe(false);
  });

  it('stores what a person agreed to, also where the browser goes away before the token has come', async () => {
    const server = await anOAuthServer({ ...CLIENT, refreshToken: 'never sent' });
    const { running, address } = await authorizing(server);
    const answer = server.agree(await address());
    const socket = connect(Number(answer.port), '127.0.0.1');
    socket.write(`GET ${answer.pathname}${answer.search} HTTP/1.1\r\nhost: ${answer.host}\r\n\r\n`);
    await expect.poll(() => server.asked.count, { interval: 1 }).toBe(1);
    socket.destroy();
    expect((await running.ended).exit).toBe(0);
    expect(daemon.requests(`POST ${PATH}/rotate`)).toHaveLength(1);
  });

  it('takes the stored address of the shop, where the recipe has none', async () => {
    const server = await anOAuthServer({ ...CLIENT, refreshToken: 'never sent' });
    daemon.on(`GET ${PATH}/credentials`, () => one({ ...CREDENTIALS, base_url: server.url }));
    const { running, address } = await authorizing(server, {}, KEY, { baseUrl: undefined });
    await fetch(server.agree(await address()));
    expect((await running.ended).exit).toBe(0);
    const [{ body } = { body: null }] = daemon.requests(`POST ${PATH}/rotate`);
    expect(body).toMatchObject({ credentials: { apiKey: expect.stringContaining('refresh-token') } });
  });

  it('says which option is missing, where no address is stored', async () => {
    const server = await anOAuthServer(CLIENT);
    const { running } = await authorizing(server, {}, KEY, { baseUrl: undefined });
    expect(await running.ended).toMatchObject({
      exit: 2,
      err: expect.stringContaining('--base-url ADDRESS'),
    });
  });

  it('ends at Ctrl-C, and nothing was stored', async () => {
    const server = await anOAuthServer(CLIENT);
    const { running, address } = await authorizing(server);
    await address();
    running.interrupt();
    expect(await running.ended).toMatchObject({
      exit: 1,
      err: expect.stringContaining('nothing was stored'),
    });
  });

  it.each<[string, object, string, RegExp]>([
    ['a recipe without the address', { authorizeUrl: undefined }, KEY, /"authorizeUrl"/],
    ['a recipe of another grant', { grant: 'client_credentials' }, KEY, /"refresh_token"/],
    [
      'a recipe of a key',
      { type: 'bearer', tokenUrl: undefined, authorizeUrl: undefined, grant: undefined },
      KEY,
      /"oauth2"/,
    ],
    ['a file with too much', {}, 'a:b:c', /id:secret/],
    ['an address that is not encrypted', { authorizeUrl: 'http://auth.example/auth' }, KEY, /not encrypted/],
  ])('refuses %s before anything is opened', async (_, auth, key, words) => {
    const server = await anOAuthServer(CLIENT);
    const { running } = await authorizing(server, auth, key);
    const { exit, err } = await running.ended;
    expect([exit, err]).toEqual([expect.any(Number), expect.stringMatching(words)]);
    expect(exit).not.toBe(0);
    expect(err).not.toContain('Open this address');
  });
});
