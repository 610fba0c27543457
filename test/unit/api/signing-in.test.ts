import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PageDeps } from '../../../src/api/ports.ts';
import { type Answer, ask } from './page-request.ts';
import { SessionMemory } from './session-memory.ts';
import { openShop, startShop } from './shop.ts';

const FILE = {
  path: '/',
  mediaType: 'text/html; charset=utf-8',
  text: '<!doctype html>',
  release: 'r1',
  etag: '"one"',
  policy: "default-src 'none'",
} as const;

const NEVER = { state: 'never', startedAt: null, endedAt: null, failure: null, findings: [] } as const;
/** A log, figures and a doctor that have nothing to tell. */
const NOTHING_TO_SHOW = {
  log: { tail: () => [] },
  series: { payments: () => [], syncs: () => [] },
  doctor: { examine: () => NEVER, last: () => NEVER },
  virtualTerminals: null,
};

type Started = Awaited<ReturnType<typeof startShop>>;

describe('signing in at the pages', () => {
  let started: Started;
  const sessions = new SessionMemory();
  beforeEach(async () => {
    const shop = openShop();
    const pages: PageDeps = {
      ...NOTHING_TO_SHOW,
      files: [FILE, { ...FILE, path: '/console/app/main.js', mediaType: 'text/javascript', text: 'main()' }],
      sessions,
    };
    started = await startShop({}, { ...shop, deps: { ...shop.deps, pages } });
  });
  afterEach(() => started.api.stop());

  const code = async (role?: string) => {
    const body = JSON.stringify(role === undefined ? {} : { role });
    const { json } = await ask(started.socketPath, { method: 'POST', path: '/v2/sign-in-codes', body });
    return String(json.data.code);
  };
  const signIn = (text: string) =>
    ask(started.api.url, {
      method: 'POST',
      path: '/v2/sessions',
      body: JSON.stringify({ code: text }),
    });
  const credentialsOf = ({ headers, json }: Answer) => ({
    cookie: String(headers['set-cookie']).split(';')[0] ?? '',
    'x-tilld-page': String(json.data.proof),
  });
  const as = async (role: string) => credentialsOf(await signIn(await code(role)));
  const call = (headers: Record<string, string>, path: string, method = 'GET', body?: string) =>
    ask(started.api.url, { method, path, headers, ...(body === undefined ? {} : { body }) });

  it('takes a code of 8 digits once, and sets a cookie that no script and no other site can use', async () => {
    const text = await code();
    expect(text).toMatch(/^\d{8}$/);
    const answer = await signIn(text);
    expect(answer.status).toBe(201);
    expect(String(answer.headers['set-cookie'])).toMatch(
      /^tilld-\d+=[\w-]{32}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/,
    );
    expect((await signIn(text)).json.error.code).toBe('sign_in_code_invalid');
  });

  it('makes codes on the unix socket only', async () => {
    const { status } = await ask(started.api.url, { method: 'POST', path: '/v2/sign-in-codes', body: '{}' });
    expect(status).toBe(403);
  });

  it('refuses the seventh try in a row, right or wrong', async () => {
    const text = await code();
    for (let count = 0; count < 6; count += 1) expect((await signIn('00000000')).status).toBe(401);
    expect((await signIn(text)).status).toBe(429);
  });

  it('opens nothing with one half of a session', async () => {
    const credentials = await as('staff');
    const { cookie, 'x-tilld-page': proof } = credentials;
    expect((await call(credentials, '/v2/terminal-payments')).status).toBe(200);
    expect((await call({ cookie }, '/v2/terminal-payments')).status).toBe(401);
    expect((await call({ 'x-tilld-page': proof }, '/v2/terminal-payments')).status).toBe(401);
    const other = await as('staff');
    expect(
      (await call({ cookie, 'x-tilld-page': other['x-tilld-page'] }, '/v2/terminal-payments')).status,
    ).toBe(401);
  });

  it('ends with sign out, for good', async () => {
    const credentials = await as('staff');
    expect((await call(credentials, '/v2/sessions/current')).json.data.role).toBe('staff');
    expect((await call(credentials, '/v2/sessions/current', 'DELETE')).status).toBe(200);
    expect((await call(credentials, '/v2/sessions/current')).json.error.code).toBe('session_invalid');
  });

  it.each([
    ['staff', '/v2/status', 'GET', 200],
    ['staff', '/v2/keys', 'GET', 403],
    ['ops', '/v2/keys', 'GET', 403],
    ['staff', '/v2/webhook-endpoints', 'POST', 403],
    ['staff', '/v2/terminal-payments/0199c0de-0000-7000-8000-000000000101/refund', 'POST', 403],
    ['lead', '/v2/terminal-payments/0199c0de-0000-7000-8000-000000000101/refund', 'POST', 404],
    ['staff', '/v2/terminal-devices/0199c0de-0000-7000-8000-000000000101/end-of-day', 'POST', 403],
    ['lead', '/v2/terminal-devices/0199c0de-0000-7000-8000-000000000101/adopt', 'POST', 403],
  ])('lets %s at %s %s only as far as the role goes', async (role, path, method, status) => {
    const answer = await call(await as(role), path, method, method === 'GET' ? undefined : '{}');
    expect(answer.status).toBe(status);
  });

  it('serves the page to anybody with its policy, and 304 to who has it', async () => {
    const { status, headers, text } = await ask(started.api.url, { path: '/' });
    expect({ status, text }).toEqual({ status: 200, text: FILE.text });
    expect(headers).toMatchObject({
      etag: '"one"',
      'content-security-policy': FILE.policy,
      'cache-control': 'no-cache',
    });
    const again = await ask(started.api.url, { path: '/', headers: { 'if-none-match': '"one"' } });
    expect(again.status).toBe(304);
    const { status: none } = await ask(started.api.url, { path: '/console/../package.json' });
    expect(none).toBe(404);
  });

  it('lets a browser keep the files of this release, and gives a page of an earlier one those of this, to be asked for again', async () => {
    const at = (path: string) => ask(started.api.url, { path });
    const kept = await at('/pages/r1/console/app/main.js');
    expect(kept).toMatchObject({ status: 200, text: 'main()' });
    expect(kept.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    for (const path of ['/console/app/main.js', '/pages/r0/console/app/main.js']) {
      const { status, text, headers } = await at(path);
      expect({ status, text, kept: headers['cache-control'] }).toEqual({
        status: 200,
        text: 'main()',
        kept: 'no-cache',
      });
    }
    for (const path of [
      '/pages/r1/',
      '/pages/r1/console/app',
      '/pages/r1/pages/r1/console/app/main.js',
      '/pages/',
    ])
      expect((await at(path)).status, path).toBe(404);
  });

  it('lets a link of another site lead to the page, but to nothing else, and not into a frame', async () => {
    const visit = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    };
    const at = async (path: string, headers: Record<string, string>) =>
      (await ask(started.api.url, { path, headers })).status;
    expect(await at('/', visit)).toBe(200);
    expect(await at('/', { ...visit, 'sec-fetch-dest': 'iframe' })).toBe(403);
    expect(await at('/healthz', visit)).toBe(403);
  });
});
