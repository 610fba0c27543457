import { execFileSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { PageDeps } from '../../../src/api/ports.ts';
import { SqlitePeopleStore } from '../../../src/store/people/sqlite-people-store.ts';
import { SqliteSessionStore } from '../../../src/store/people/sqlite-session-store.ts';
import { SqliteSignInStore } from '../../../src/store/people/sqlite-sign-in-store.ts';
import { folderOfFile } from '../../support/folders.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { Authenticator, type Mischief } from './authenticator.ts';
import { type Answer, ask } from './page-request.ts';
import { openShop, type Shop, startShop } from './shop.ts';

type Started = Awaited<ReturnType<typeof startShop>>;
type Headers = Readonly<Record<string, string>>;
const PIN = '402917';
/** As many as node has for hashes and files, when the environment does not say otherwise. */
const THREADS = Number(process.env['UV_THREADPOOL_SIZE'] ?? 4);

describe('signing in without a shell', () => {
  let started: Started;
  let shop: Shop;
  let clock: VirtualClock;
  let origin: string;
  let anna: string;
  beforeEach(async () => {
    shop = openShop();
    clock = new VirtualClock(Date.UTC(2026, 10, 26));
    const pages: PageDeps = { files: [], sessions: new SqliteSessionStore(shop.books) };
    const people = new SqlitePeopleStore(shop.books);
    const signIn = new SqliteSignInStore(shop.books);
    const clocked = { ...shop.deps, pages, people, signIn, clock };
    started = await startShop({}, { ...shop, deps: clocked });
    origin = started.api.url.replace('127.0.0.1', 'localhost');
    anna = (await socket('POST', '/v2/people', { name: 'Anna', role: 'lead' })).json.data.id;
  });
  afterEach(() => started.api.stop());

  const socket = (method: string, path: string, body?: unknown) =>
    ask(started.socketPath, { method, path, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  const page = (method: string, path: string, body?: unknown, headers: Headers = {}) =>
    ask(started.api.url, {
      method,
      path,
      headers: { host: new URL(origin).host, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const cookieOf = ({ headers }: Answer) => String(headers['set-cookie']).split(';')[0] ?? '';
  const credentialsOf = (answer: Answer): Headers => ({
    cookie: cookieOf(answer),
    'x-tilld-page': String(answer.json.data.proof),
  });
  const byCode = async (person = 'Anna') => {
    const { json } = await socket('POST', '/v2/sign-in-codes', { person });
    return credentialsOf(await page('POST', '/v2/sessions', { code: json.data.code }));
  };
  const codeOf = (answer: Answer) => [answer.status, answer.json.error?.code ?? answer.json.data?.role];

  describe('with a passkey', () => {
    const registered = async (key = new Authenticator(), mischief: Mischief = {}) => {
      const credentials = await byCode();
      const { json } = await page('POST', '/v2/passkey-challenges', {}, credentials);
      const answer = key.create(json.data.challenge, origin, mischief);
      return { key, credentials, added: await page('POST', '/v2/passkeys', answer, credentials) };
    };
    const challenge = async () => (await page('POST', '/v2/sign-in-challenges', {})).json.data.challenge;
    const signIn = async (key: Authenticator, mischief: Mischief = {}, text?: string) =>
      page('POST', '/v2/sessions', { passkey: key.get(text ?? (await challenge()), origin, mischief) });

    it('a person is signed in under their own name and role', async () => {
      const { key, added } = await registered();
      expect(added.status).toBe(201);
      const answer = await signIn(key);
      expect(codeOf(answer)).toEqual([201, 'lead']);
      const { json } = await page('GET', '/v2/sessions/current', undefined, credentialsOf(answer));
      expect(json.data.person).toEqual({ id: anna, name: 'Anna' });
      const [entry] = (await socket('GET', '/v2/audit')).json.data;
      expect(entry).toMatchObject({ event: 'signed_in', who: 'Anna', details: { way: 'passkey' } });
    });

    it.each<[string, Mischief]>([
      ['of another page', { origin: 'https://evil.example' }],
      ['for another host', { rpId: 'evil.example' }],
      ['that did not check who holds it', { unverified: true }],
      ['to a challenge that nobody set', { challenge: Buffer.alloc(32, 7).toString('base64url') }],
      ['with a forged signature', { signature: Buffer.alloc(70, 48) }],
    ])('an answer %s opens nothing', async (_name, mischief) => {
      const { key } = await registered();
      expect(codeOf(await signIn(key, mischief))).toEqual([401, 'sign_in_code_invalid']);
      const again = await registered(new Authenticator(), mischief);
      if (mischief.signature === undefined) expect(again.added.status).toBeGreaterThanOrEqual(400);
    });

    it('an answer opens once, within five minutes, and a counter that goes back opens nothing', async () => {
      const { key } = await registered();
      const text = await challenge();
      expect(codeOf(await signIn(key, {}, text))).toEqual([201, 'lead']);
      expect(codeOf(await signIn(key, {}, text))).toEqual([401, 'sign_in_code_invalid']);
      const late = await challenge();
      await clock.advance(300_001);
      expect(codeOf(await signIn(key, {}, late))).toEqual([401, 'sign_in_code_invalid']);
      expect(codeOf(await signIn(key, { counter: 1 }))).toEqual([401, 'sign_in_code_invalid']);
      expect(codeOf(await signIn(key))).toEqual([201, 'lead']);
    });

    it('a stranger who asks for hundreds of challenges takes none from a person', async () => {
      const { key } = await registered();
      const text = await challenge();
      for (let count = 0; count < 500; count += 1) await page('POST', '/v2/sign-in-challenges', {});
      expect(codeOf(await signIn(key, {}, text))).toEqual([201, 'lead']);
    });

    it('a passkey that was removed, of a person who was disabled, or of no one opens nothing', async () => {
      const { key, credentials } = await registered();
      expect((await page('DELETE', `/v2/passkeys/${key.id}`, undefined, credentials)).json.data).toEqual([]);
      expect(codeOf(await signIn(key))).toEqual([401, 'sign_in_code_invalid']);
      const other = await registered();
      await socket('POST', `/v2/people/${anna}/disable`);
      expect(codeOf(await signIn(other.key))).toEqual([401, 'sign_in_code_invalid']);
      expect(codeOf(await signIn(new Authenticator()))).toEqual([401, 'sign_in_code_invalid']);
    });

    it('a passkey that is removed while its answer is verified opens nothing', async () => {
      const { key, credentials } = await registered();
      const text = await challenge();
      const free = occupyThreads();
      const signing = signIn(key, {}, text);
      await wait(50);
      expect((await page('DELETE', `/v2/passkeys/${key.id}`, undefined, credentials)).status).toBe(200);
      free();
      expect(codeOf(await signing)).toEqual([401, 'sign_in_code_invalid']);
    });

    it('an answer that another program of this machine had signed at its own port opens nothing', async () => {
      const { key } = await registered();
      const passkey = key.get(await challenge(), 'http://localhost:9999');
      const answer = await page('POST', '/v2/sessions', { passkey }, { host: 'localhost:9999' });
      expect(codeOf(answer)).toEqual([421, 'misdirected_request']);
    });

    it('challenges of one moment give no person more than sixteen', async () => {
      const credentials = await byCode();
      const make = () => page('POST', '/v2/passkey-challenges', {}, credentials);
      const made = [];
      for (let count = 0; count < 17; count += 1) made.push((await make()).json.data.challenge);
      const added = [];
      for (const one of made)
        added.push(await page('POST', '/v2/passkeys', new Authenticator().create(one, origin), credentials));
      expect(added.filter(({ status }) => status === 201)).toHaveLength(16);
      expect(added.at(-1)?.json.error.code).toBe((await make()).json.error.code);
    });

    it('is added and removed by its own person alone', async () => {
      const { key } = await registered();
      await socket('POST', '/v2/people', { name: 'Berta', role: 'ops' });
      const berta = await byCode('Berta');
      expect((await page('DELETE', `/v2/passkeys/${key.id}`, undefined, berta)).status).toBe(404);
      const { json } = await page('POST', '/v2/passkey-challenges', {}, berta);
      const stolen = await page('POST', '/v2/passkeys', key.create(json.data.challenge, origin), berta);
      expect(stolen.json.error.code).toBe('passkey_refused');
      const shared = credentialsOf(
        await page('POST', '/v2/sessions', {
          code: (await socket('POST', '/v2/sign-in-codes', { role: 'ops' })).json.data.code,
        }),
      );
      expect((await page('POST', '/v2/passkey-challenges', {}, shared)).status).toBe(403);
    });
  });

  describe('what changes how a person signs in', () => {
    const changes: readonly (readonly [string, string, object | undefined])[] = [
      ['POST', '/v2/passkey-challenges', {}],
      ['PUT', '/v2/pin', { pin: PIN }],
      ['DELETE', '/v2/passkeys/x', undefined],
    ];

    it.each<readonly [string, string, object | undefined]>(changes)(
      'wants a fresh sign-in: %s %s',
      async (method, path, body) => {
        const credentials = await byCode();
        await clock.advance(11 * 60_000);
        const answer = await page(method, path, body, credentials);
        expect(codeOf(answer)).toEqual([403, 'sign_in_not_fresh']);
        expect((await page('GET', '/v2/sessions/current', undefined, credentials)).status).toBe(200);
        expect(codeOf(await page(method, path, body, await byCode()))[1]).not.toBe('sign_in_not_fresh');
      },
    );

    it('refuses a passkey that was begun in time and comes when the sign-in is old', async () => {
      const credentials = await byCode();
      await clock.advance(9 * 60_000);
      const { json } = await page('POST', '/v2/passkey-challenges', {}, credentials);
      await clock.advance(2 * 60_000);
      const answer = new Authenticator().create(json.data.challenge, origin, {});
      expect(codeOf(await page('POST', '/v2/passkeys', answer, credentials))).toEqual([
        403,
        'sign_in_not_fresh',
      ]);
    });

    it('ends every other session of that person, and of no one else', async () => {
      await socket('POST', '/v2/people', { name: 'Olga', role: 'ops' });
      const [elsewhere, here, olga] = [await byCode(), await byCode(), await byCode('Olga')];
      const state = async (credentials: Headers) =>
        (await page('GET', '/v2/sessions/current', undefined, credentials)).status;
      expect((await page('PUT', '/v2/pin', { pin: PIN }, here)).status).toBe(200);
      expect([await state(elsewhere), await state(here), await state(olga)]).toEqual([401, 200, 200]);
    });
  });

  describe('with a PIN', () => {
    const paired = async (name = 'tablet', headers: Headers = {}) => {
      const { json } = await socket('POST', '/v2/pairing-codes');
      return cookieOf(await page('POST', '/v2/paired-devices', { code: json.data.code, name }, headers));
    };
    const withPin = async (pin = PIN) => page('PUT', '/v2/pin', { pin }, await byCode());
    const signIn = (cookie: string, pin = PIN, person = anna) =>
      page('POST', '/v2/sessions', { person, pin }, { cookie });

    it('a person is signed in on a paired browser, and on no other', async () => {
      await withPin();
      const cookie = await paired();
      expect((await page('GET', '/v2/sign-in-options', undefined, { cookie })).json.data).toMatchObject({
        device: { name: 'tablet' },
        people: [{ id: anna, name: 'Anna' }],
      });
      expect(codeOf(await signIn(cookie))).toEqual([201, 'lead']);
      const stranger = { device: null, people: [], shop_url: null };
      for (const wrong of ['', cookie.replace(/.$/, '~'), 'tilld-device-1=x']) {
        expect((await page('GET', '/v2/sign-in-options', undefined, { cookie: wrong })).json.data).toEqual(
          stranger,
        );
        expect(codeOf(await signIn(wrong))).toEqual([401, 'sign_in_code_invalid']);
      }
    });

    it('the sixth try waits for the person and for the device, longer each time, and for no other', async () => {
      await withPin();
      await socket('POST', '/v2/people', { name: 'Berta', role: 'staff' });
      const berta = (await socket('GET', '/v2/people')).json.data[1].id;
      await page('PUT', '/v2/pin', { pin: '820461' }, await byCode('Berta'));
      const [one, other] = [await paired('one'), await paired('other')];
      for (let time = 0; time < 5; time += 1)
        expect(codeOf(await signIn(one, '000123'))).toEqual([401, 'sign_in_code_invalid']);
      expect(codeOf(await signIn(one))).toEqual([429, 'sign_in_paused']);
      expect(codeOf(await signIn(other))).toEqual([429, 'sign_in_paused']);
      expect(codeOf(await signIn(one, '820461', berta))).toEqual([429, 'sign_in_paused']);
      expect(codeOf(await signIn(other, '820461', berta))).toEqual([201, 'staff']);
      await clock.advance(30_000);
      expect(codeOf(await signIn(one, '000123'))).toEqual([401, 'sign_in_code_invalid']);
      await clock.advance(59_000);
      const early = await signIn(one);
      expect([early.status, early.headers['retry-after']]).toEqual([429, '1']);
      await clock.advance(1_000);
      expect(codeOf(await signIn(one))).toEqual([201, 'lead']);
      for (let time = 0; time < 4; time += 1) await signIn(one, '000123');
      expect(codeOf(await signIn(one))).toEqual([201, 'lead']);
    });

    it('tries at the same moment are as many as tries in a row', async () => {
      await withPin();
      const cookie = await paired();
      const tries = await Promise.all(Array.from({ length: 20 }, () => signIn(cookie, '000123')));
      expect(tries.filter(({ status }) => status === 401)).toHaveLength(5);
    });

    it('a device that is withdrawn is signed out at once, and opens nothing any more', async () => {
      await withPin();
      const cookie = await paired();
      const credentials = credentialsOf(await signIn(cookie));
      const other = await byCode();
      const [device] = (await socket('GET', '/v2/paired-devices')).json.data;
      await socket('POST', `/v2/paired-devices/${device.id}/withdraw`);
      expect((await page('GET', '/v2/sessions/current', undefined, credentials)).status).toBe(401);
      expect((await page('GET', '/v2/sessions/current', undefined, other)).status).toBe(200);
      expect(codeOf(await signIn(cookie))).toEqual([401, 'sign_in_code_invalid']);
    });

    it.each(['a passkey', 'a code', 'a code before it was paired'])(
      'a device that is withdrawn is signed out, too, where %s signed in: a lost tablet stays out',
      async (way) => {
        const key = new Authenticator();
        const own = await byCode();
        const { json } = await page('POST', '/v2/passkey-challenges', {}, own);
        await page('POST', '/v2/passkeys', key.create(json.data.challenge, origin), own);
        const code = async () =>
          (await socket('POST', '/v2/sign-in-codes', { person: 'Anna' })).json.data.code;
        const answer = async () =>
          key.get((await page('POST', '/v2/sign-in-challenges', {})).json.data.challenge, origin);
        const before = await byCode();
        const cookie = await paired('tablet', before);
        const body = way === 'a passkey' ? { passkey: await answer() } : { code: await code() };
        const credentials = way.endsWith('paired')
          ? before
          : credentialsOf(await page('POST', '/v2/sessions', body, { cookie }));
        expect((await page('GET', '/v2/sessions/current', undefined, credentials)).status).toBe(200);
        const [device] = (await socket('GET', '/v2/paired-devices')).json.data;
        await socket('POST', `/v2/paired-devices/${device.id}/withdraw`);
        expect((await page('GET', '/v2/sessions/current', undefined, credentials)).status).toBe(401);
        expect((await page('GET', '/v2/sessions/current', undefined, own)).status).toBe(200);
      },
    );

    it.each(['the device is withdrawn', 'the person sets another one'])(
      'a PIN that is checked while %s opens nothing that stays open',
      async (what) => {
        await withPin();
        const cookie = await paired();
        const [device] = (await socket('GET', '/v2/paired-devices')).json.data;
        const free = occupyThreads();
        const signing = signIn(cookie);
        const tries = () => shop.books.all('SELECT * FROM sign_in_tries').length;
        await vi.waitFor(() => expect(tries()).toBeGreaterThan(0), { timeout: 15_000, interval: 2 });
        if (what === 'the device is withdrawn')
          await socket('POST', `/v2/paired-devices/${device.id}/withdraw`);
        else shop.books.run("UPDATE pins SET hash = 'another'");
        free();
        expect(codeOf(await signing)).toEqual([401, 'sign_in_code_invalid']);
      },
    );

    it('PINs of one moment take one thread of the process: terminals and files have the others', async () => {
      const credentials = await byCode();
      let [started, set] = [0, 0];
      const put = async () => {
        started += 1;
        await page('PUT', '/v2/pin', { pin: PIN }, credentials);
        set += 1;
      };
      const all = Array.from({ length: 16 }, put);
      await vi.waitFor(() => expect(set).toBeGreaterThan(0), { timeout: 15_000, interval: 2 });
      const before = set;
      await stat('.');
      expect([started, set - before < 4]).toEqual([16, true]);
      await Promise.all(all);
    });

    it('a paired browser has in the audit trail who made its code', async () => {
      await socket('POST', '/v2/people', { name: 'Olga', role: 'ops' });
      const { json } = await page('POST', '/v2/pairing-codes', undefined, await byCode('Olga'));
      await page('POST', '/v2/paired-devices', { code: json.data.code, name: 'tablet' });
      const [entry] = (await socket('GET', '/v2/audit')).json.data;
      expect(entry).toMatchObject({ event: 'device_paired', name: 'tablet', who: 'Olga' });
    });

    it('a pairing code is good once, for five minutes', async () => {
      const { json } = await socket('POST', '/v2/pairing-codes');
      const pair = (code: string) => page('POST', '/v2/paired-devices', { code, name: 'tablet' });
      expect((await pair(json.data.code)).status).toBe(201);
      expect((await pair(json.data.code)).status).toBe(401);
      const late = (await socket('POST', '/v2/pairing-codes')).json.data.code;
      await clock.advance(300_001);
      expect((await pair(late)).status).toBe(401);
      const signInCode = (await socket('POST', '/v2/sign-in-codes', {})).json.data.code;
      expect((await pair(signInCode)).status).toBe(401);
    });

    it.each(['12345', '1234567890123', 'abcdef', '111111', '123456', '987654', '890123', '１２３４５６'])(
      '%s is refused as a PIN',
      async (pin) => {
        expect((await withPin(pin)).status).toBe(400);
      },
    );

    it('neither PIN nor secret is in the books', async () => {
      await withPin();
      const cookie = await paired();
      const rows = ['pins', 'paired_devices', 'audit_trail', 'sign_in_tries'].flatMap((name) =>
        shop.books.all(`SELECT * FROM ${name}`),
      );
      expect(rows.length).toBeGreaterThan(4);
      for (const secret of [PIN, cookie.split('=')[1] ?? ''])
        expect(JSON.stringify(rows)).not.toContain(secret);
    });
  });
});

/** Keeps the threads that check PINs and signatures, each at a pipe that nothing writes to, until the returned function frees them. */
function occupyThreads(): () => void {
  const pipe = join(folderOfFile('tilld-threads-'), 'pipe');
  execFileSync('mkfifo', [pipe]);
  const readers = Array.from({ length: THREADS }, () => open(pipe, 'r'));
  let isFree = false;
  const free = () => {
    if (isFree) return;
    isFree = true;
    const writer = openSync(pipe, 'r+');
    void Promise.all(readers)
      .then((opened) => Promise.all(opened.map((reader) => reader.close())))
      .finally(() => closeSync(writer));
  };
  onTestFinished(free);
  return free;
}
