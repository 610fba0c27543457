import { describe, expect, it, onTestFinished } from 'vitest';
import type { OAuthClient, OAuthTokens } from '../../../src/integration/connector.ts';
import { type AccessTokensOptions, createAccessTokens } from '../../../src/net/oauth-tokens.ts';
import { createSourceHttp } from '../../../src/net/source-http.ts';
import { anOAuthServer, type OAuthServerOptions } from '../../support/oauth-server.ts';

const CLIENT = { id: 'till 1', secret: 'a+secret/with%signs' };
const FOREVER = new AbortController().signal;

interface LineOptions extends Partial<OAuthServerOptions> {
  readonly client?: Partial<OAuthClient>;
}

/** A line to a source behind an authorisation server; what is kept survives a new line. */
async function aLine(setup: LineOptions = {}) {
  const server = await anOAuthServer({ ...CLIENT, ...setup });
  const client: OAuthClient = {
    ...CLIENT,
    tokenUrl: `${server.url}/token`,
    authorizeUrl: '',
    issuer: '',
    grant: setup.refreshToken === undefined ? 'client_credentials' : 'refresh_token',
    sends: 'basic',
    scope: '',
    parameters: {},
    refreshToken: setup.refreshToken ?? '',
    ...setup.client,
  };
  const kept: { tokens: OAuthTokens | null; failure: Error | null } = { tokens: null, failure: null };
  const logged: string[] = [];
  const write = (...line: readonly unknown[]) => void logged.push(JSON.stringify(line));
  const log = { trace: write, debug: write, info: write, warn: write, error: write, child: () => log };
  const time = { ahead: 0 };
  const secrets = [CLIENT.secret, client.refreshToken].filter((text) => text !== '');
  const options: AccessTokensOptions = {
    client,
    secrets,
    store: {
      read: () => kept.tokens,
      keep: (tokens) => {
        if (kept.failure) throw kept.failure;
        kept.tokens = tokens;
      },
    },
    allowPlainHttp: false,
    now: () => Date.now() + time.ahead,
    log,
  };
  const open = () => {
    const tokens = createAccessTokens(options);
    const access = { baseUrl: server.url, headers: {}, query: {}, secrets, oauth: client };
    const line = createSourceHttp({ access, tokens, log, retry: { retries: 0 } });
    onTestFinished(() => line.close());
    return (signal = FOREVER) => line.request({ path: '/people?page=1' }, signal);
  };
  return { server, kept, logged, time, open, ask: open(), tokens: createAccessTokens(options) };
}

describe('a source behind an authorisation server', () => {
  it('is asked with a token that is fetched once, and fetched again before it ends', async () => {
    const { server, time, ask } = await aLine({ lifeS: 600 });
    for (let times = 0; times < 3; times += 1) expect((await ask()).status).toBe(200);
    expect(server.asked.count).toBe(1);
    time.ahead = 539_000;
    await ask();
    expect(server.asked.count).toBe(1);
    time.ahead = 541_000;
    expect((await ask()).status).toBe(200);
    expect(server.asked.count).toBe(2);
  });

  it('is asked by many at once with one request for a token, also after a refusal', async () => {
    const { server, ask } = await aLine({ refreshToken: 'the-first-refresh-token' });
    await Promise.all([ask(), ask(), ask(), ask()]);
    expect(server.asked).toEqual({ count: 1, most: 1 });
    server.expire();
    const replies = await Promise.all([ask(), ask(), ask(), ask()]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(server.asked).toEqual({ count: 2, most: 1 });
  });

  it('that refuses a token late is asked with the one that came meanwhile', async () => {
    const { server, tokens } = await aLine({ refreshToken: 'the-first-refresh-token' });
    const first = await tokens.current(FOREVER);
    const second = await tokens.renewed(first, FOREVER);
    expect(await tokens.renewed(first, FOREVER)).toBe(second);
    expect(server.asked.count).toBe(2);
  });

  it('is asked again once after a refusal, and no more', async () => {
    const { server, ask } = await aLine({ lifeS: 0 });
    expect((await ask()).status).toBe(401);
    expect(server.asked.count).toBe(2);
  });

  it('that forgets a token whose end the clock does not show is asked with another one', async () => {
    const { server, time, ask } = await aLine();
    await ask();
    server.expire();
    time.ahead = -30 * 86_400_000;
    expect((await ask()).status).toBe(200);
    expect(server.asked.count).toBe(2);
  });

  it('sends the next refresh token, also after a restart', async () => {
    const { server, kept, open, ask } = await aLine({ refreshToken: 'the-first-refresh-token' });
    await ask();
    expect(kept.tokens?.refreshToken).toMatch(/^refresh-token-1/);
    server.expire();
    expect((await open()()).status).toBe(200);
    expect(kept.tokens?.refreshToken).toMatch(/^refresh-token-2/);
  });

  it('keeps a refresh token whose caller has gone', async () => {
    const { kept, ask } = await aLine({ refreshToken: 'the-first-refresh-token' });
    const stop = new AbortController();
    const asked = ask(stop.signal);
    setTimeout(() => stop.abort(new Error('it stops')), 5);
    await expect(asked).rejects.toThrow('it stops');
    await expect.poll(() => kept.tokens?.refreshToken).toMatch(/^refresh-token-1/);
    expect((await ask()).status).toBe(200);
  });

  it('uses tokens that cannot be stored, and stores the next ones', async () => {
    const { server, kept, ask } = await aLine({ refreshToken: 'the-first-refresh-token' });
    kept.failure = new Error('the disk is full');
    expect((await ask()).status).toBe(200);
    server.expire();
    kept.failure = null;
    expect((await ask()).status).toBe(200);
    expect(kept.tokens?.refreshToken).toMatch(/^refresh-token-2/);
  });

  it('uses tokens that cannot be stored, and stores them as soon as it can: a restart needs them', async () => {
    const { server, kept, open, ask } = await aLine({ refreshToken: 'the-first-refresh-token' });
    kept.failure = new Error('the disk is full');
    expect((await ask()).status).toBe(200);
    kept.failure = null;
    expect((await ask()).status).toBe(200);
    expect((await open()()).status).toBe(200);
    expect(server.asked.count).toBe(1);
  });

  it.each([null, 0, -5, 'soon', '', {}, true])(
    'that says %j of the end of a token loses no refresh token, and is not asked for a token each time',
    async (life) => {
      const { server, kept, tokens } = await aLine({ refreshToken: 'the-first-refresh-token' });
      const given = { access_token: 'x', token_type: 'Bearer', refresh_token: 'r-token-2', expires_in: life };
      server.faults.push({ status: 200, body: JSON.stringify(given) });
      expect(await tokens.current(FOREVER)).toBe('x');
      expect(await tokens.current(FOREVER)).toBe('x');
      expect(kept.tokens?.refreshToken).toBe('r-token-2');
      expect(server.asked.count).toBe(1);
    },
  );

  it.each([1e12, 1e300, '3600'])('that says %j of the end of a token is asked again then', async (life) => {
    const { server, kept, tokens } = await aLine();
    const given = { access_token: 'x', token_type: 'Bearer', expires_in: life };
    server.faults.push({ status: 200, body: JSON.stringify(given) });
    expect(await tokens.current(FOREVER)).toBe('x');
    expect(await tokens.current(FOREVER)).toBe('x');
    expect(kept.tokens?.renewAt).toBeGreaterThan(Date.now());
  });

  it('that says with a good status what is wrong is quoted', async () => {
    const { server, ask } = await aLine({ refreshToken: 'the-first-refresh-token' });
    server.faults.push({ status: 200, body: '{"ok":false,"error":"invalid_grant"}' });
    await expect(ask()).rejects.toMatchObject({
      code: 'SOURCE_UNAUTHORISED',
      message: expect.stringMatching(/invalid_grant.*tillctl rotate PROVIDER --api-key-file FILE/),
    });
    server.faults.push({ status: 200, body: '{"error":"server_error","error_description":"try later"}' });
    await expect(ask()).rejects.toMatchObject({
      code: 'SOURCE_REFUSED',
      message: expect.stringContaining('server_error: try later'),
    });
  });

  it('whose answer is huge or does not end fails with its code', async () => {
    const { server, ask } = await aLine();
    server.faults.push({ status: 200, body: JSON.stringify({ access_token: 'x'.repeat(1_000_000) }) });
    await expect(ask()).rejects.toMatchObject({ code: 'SOURCE_MALFORMED' });
    expect((await ask()).status).toBe(200);
  });

  it('whose answer with the next refresh token is lost ends with words that say so', async () => {
    const { server, ask } = await aLine({ refreshToken: 'the-first-refresh-token' });
    server.faults.push('lost');
    await expect(ask()).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
    await expect(ask()).rejects.toMatchObject({
      code: 'SOURCE_UNAUTHORISED',
      message: expect.stringMatching(/invalid_grant.*tillctl rotate PROVIDER --api-key-file FILE/),
    });
  });

  it.each([
    ['', /tillctl rotate PROVIDER --api-key-file FILE$/],
    ['https://auth.example/auth', /tillctl authorize PROVIDER --api-key-file FILE$/],
  ])('that says very much still leaves room for what is to be done (%j)', async (authorizeUrl, next) => {
    const { server, ask } = await aLine({
      refreshToken: 'the-first-refresh-token',
      client: { authorizeUrl },
    });
    const error_description = 'The token is not known. '.repeat(40);
    server.faults.push({ status: 400, body: JSON.stringify({ error: 'invalid_grant', error_description }) });
    await expect(ask()).rejects.toMatchObject({ message: expect.stringMatching(next) });
  });

  it('that withdrew its authorisation is refused, and said to be', async () => {
    const { server, ask } = await aLine({ refreshToken: 'the-first-refresh-token' });
    await ask();
    server.revoke();
    await expect(ask()).rejects.toMatchObject({ code: 'SOURCE_UNAUTHORISED' });
  });

  it.each([
    ['a secret that is wrong', { client: { secret: 'wrong' } }, 'SOURCE_UNAUTHORISED', /refuses: /],
    [
      'a grant that it does not know',
      { client: { grant: 'refresh_token', refreshToken: 'r-token-1' } as const },
      'SOURCE_REFUSED',
      /unsupported_grant_type/,
    ],
  ])('with %s', async (_, setup, code, words) => {
    const { ask } = await aLine(setup);
    await expect(ask()).rejects.toMatchObject({ code, message: expect.stringMatching(words) });
  });

  it.each([
    [{ status: 500 }, 'SOURCE_UNAVAILABLE'],
    [{ status: 503, body: 'no JSON' }, 'SOURCE_UNAVAILABLE'],
    [{ status: 429, headers: { 'retry-after': '7' } }, 'SOURCE_RATE_LIMITED'],
    [{ status: 200, body: '{"token_type":"Bearer"}' }, 'SOURCE_MALFORMED'],
    [{ status: 200, body: '<html>' }, 'SOURCE_MALFORMED'],
    [{ status: 200, body: '{"access_token":"x","token_type":"mac"}' }, 'SOURCE_MALFORMED'],
    [{ status: 400, body: '{"error":"invalid_scope"}' }, 'SOURCE_REFUSED'],
    [{ status: 204 }, 'SOURCE_MALFORMED'],
  ])('whose token endpoint answers %o fails with its code, and works afterwards', async (fault, code) => {
    const { server, ask } = await aLine();
    server.faults.push(fault);
    await expect(ask()).rejects.toMatchObject({ code });
    expect((await ask()).status).toBe(200);
  });

  it.each([301, 302, 307, 308])(
    'follows no redirect (%i) of the token endpoint: the secret goes nowhere else',
    async (status) => {
      const elsewhere = await anOAuthServer(CLIENT);
      const { server, ask } = await aLine();
      server.faults.push({ status, headers: { location: `${elsewhere.url}/token` } });
      await expect(ask()).rejects.toMatchObject({
        code: 'SOURCE_MALFORMED',
        message: expect.stringContaining('redirects'),
      });
      expect(elsewhere.asked.count).toBe(0);
    },
  );

  it('is refused where the secret would travel unencrypted', async () => {
    const setup = { client: { tokenUrl: 'http://auth.example/token' } };
    await expect(aLine(setup)).rejects.toMatchObject({ code: 'SOURCE_REFUSED' });
  });

  it('leaves no secret in errors, answers that failed and the log', async () => {
    const { server, logged, ask } = await aLine({ refreshToken: 'the-first-refresh-token' });
    const errors: string[] = [];
    const errorText = async () =>
      ask().then(
        ({ status, text, url }) => void (status >= 400 && errors.push(text, url ?? '')),
        (error: Error) => void errors.push(error.message, JSON.stringify(error), String(error.cause)),
      );
    await errorText();
    server.faults.push({
      status: 400,
      body: JSON.stringify({ error: 'x', error_description: [...server.texts].join(' ') }),
    });
    server.expire();
    await errorText();
    server.faults.push('lost');
    await errorText();
    await errorText();
    expect(errors.length).toBeGreaterThan(3);
    const all = [...errors, ...logged].join('\n');
    for (const text of server.texts) expect(all).not.toContain(text);
  });
});
