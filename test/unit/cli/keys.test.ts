import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  CreateKey,
  KeyAudit,
  KeySummary,
  RevokeKey,
  RolledKey,
  RollKey,
} from '../../../src/api/contract/key.ts';
import { command, documentOf } from './command-line.ts';
import { AT, FakeDaemon, list, one, refusal } from './fake-daemon.ts';

const ID = '0199c0de-0000-7000-8000-0000000000b1';
const LATER = '2026-05-02T10:00:00.000Z';

function key(more: Partial<KeySummary> = {}): KeySummary {
  return KeySummary.parse({
    id: ID,
    object: 'api_key',
    name: 'till 3',
    scopes: ['payments:read', 'payments:write'],
    allow: [],
    status: 'active',
    stale: false,
    created_at: AT,
    expires_at: null,
    overlap_ends_at: null,
    revoked_at: null,
    last_used_at: null,
    ...more,
  } satisfies KeySummary);
}
const other = (number: number, more: Partial<KeySummary>) =>
  key({ id: `0199c0de-0000-7000-8000-0000000000c${number}`, ...more });

const ROLLED = RolledKey.parse({
  id: ID,
  key: `rk_sandbox_${'n'.repeat(32)}`,
  name: 'till 3',
  scopes: ['payments:read'],
  created_at: AT,
  expires_at: null,
  overlap_ends_at: LATER,
} satisfies RolledKey);

const TRAIL = [
  { event: 'rolled', by: 'Anna\u001b[31m', overlap_ends_at: LATER },
  { event: 'created', by: null, overlap_ends_at: null },
].map((entry) => KeyAudit.parse({ object: 'api_key_audit', key_id: ID, at: AT, caller: 'socket', ...entry }));

describe('tillctl keys', () => {
  let daemon: FakeDaemon;
  let keys: KeySummary[];
  beforeEach(async () => {
    keys = [key()];
    daemon = await new FakeDaemon()
      .on('GET /v2/keys', () => list(keys))
      .on(`GET /v2/keys/${ID}/audit`, () => list(TRAIL))
      .on(`POST /v2/keys/${ID}/roll`, () => one(ROLLED))
      .on(`POST /v2/keys/${ID}/revoke`, () => one(key({ status: 'revoked', revoked_at: AT })))
      .on('POST /v2/keys', () => one({ ...ROLLED, overlap_ends_at: undefined }, 201))
      .start();
  });
  afterEach(() => daemon.remove());
  const tillctl = (...words: readonly string[]) => command(['--socket', daemon.socket, 'keys', ...words]);

  it('list shows one line for each with its state, and only what was asked for', async () => {
    keys = [
      key(),
      other(1, { name: 'rolling', overlap_ends_at: LATER, stale: true }),
      other(2, { name: 'old', stale: true, last_used_at: AT }),
      other(3, { name: 'past', status: 'expired', expires_at: AT }),
      other(4, { name: 'gone', status: 'revoked', revoked_at: AT, allow: ['10.0.0.0/8'] }),
    ];
    const { out } = await tillctl('list', '--status', 'active', '--stale');
    const lines = out.split('\n');
    expect(lines[0]).toMatch(/^NAME +ID +SCOPES +CREATED +EXPIRES +LAST USED +STATE/);
    expect(lines[1]).toMatch(
      new RegExp(
        `^till 3 +${ID} +payments:read payments:write +\\d{4}-\\d\\d-\\d\\d \\S+ +never +never +active$`,
      ),
    );
    expect(lines[2]).toContain('rolling until 2026-05-02 ');
    expect(lines[3]).toMatch(/ stale$/);
    expect(lines[4]).toMatch(/ expired$/);
    expect(lines[5]).toMatch(/ revoked +10\.0\.0\.0\/8$/);
    expect(daemon.seen[0]?.path).toBe('/v2/keys?limit=100&offset=0&status=active&stale=true');
  });

  it('list gathers every page, for people and as one document', async () => {
    const all = Array.from({ length: 130 }, (_, index) =>
      key({ id: `0199c0de-0000-7000-8000-${String(index).padStart(12, '0')}` }),
    );
    daemon.on('GET /v2/keys', ({ path }) => {
      const offset = Number(new URL(path, 'http://x').searchParams.get('offset'));
      const data = all.slice(offset, offset + 100);
      return { status: 200, body: { object: 'list', data, has_more: offset + 100 < 130, url: '/v2/keys' } };
    });
    expect((await tillctl('list')).out.trimEnd().split('\n')).toHaveLength(131);
    expect(documentOf((await tillctl('list', '--json')).out)).toEqual({
      object: 'list',
      data: all,
      has_more: false,
      url: '/v2/keys',
    });
  });

  it('says so when there is none', async () => {
    keys = [];
    expect((await tillctl('list', '--stale')).out).toBe(
      'There are no keys that were not used for 90 days.\n',
    );
  });

  it.each([ID, ID.toUpperCase(), 'till 3'])(
    'roll %s shows the new key once and says what becomes of the one before',
    async (word) => {
      const ran = await tillctl('roll', word, '--overlap', '48', '--by', 'Anna');
      expect(ran.exit).toBe(0);
      expect(ran.out).toContain(ROLLED.key);
      expect(ran.out).toContain('until 2026-05-02 ');
      expect(RollKey.parse(daemon.seen.at(-1)?.body)).toEqual({ overlap_hours: 48, by: 'Anna' });
      const json = await tillctl('roll', word, '--json');
      expect(documentOf(json.out)).toEqual({ data: ROLLED });
      expect(RollKey.parse(daemon.seen.at(-1)?.body)).toEqual({ overlap_hours: 24 });
    },
  );

  it('roll without an overlap says that the one before works no longer', async () => {
    daemon.on(`POST /v2/keys/${ID}/roll`, () => one({ ...ROLLED, overlap_ends_at: null }));
    expect((await tillctl('roll', ID, '--overlap', '0')).out).toMatch(/the key before works +no longer/);
  });

  it('roll whose answer is lost says how to get it, and is the same request when it is said again', async () => {
    daemon.on(`POST /v2/keys/${ID}/roll`, () => 'destroy');
    const ran = await tillctl('roll', ID, '--json');
    expect(ran.exit).toBe(3);
    const { details } = (documentOf(ran.out) as { error: { details: { idempotency_key: string } } }).error;
    expect(ran.err).toContain(`--idempotency-key ${details.idempotency_key}`);
    expect(ran.err).toContain('AT ONCE');
    daemon.on(`POST /v2/keys/${ID}/roll`, () => one(ROLLED));
    expect((await tillctl('roll', ID, '--idempotency-key', details.idempotency_key)).exit).toBe(0);
    const asked = daemon.requests(`POST /v2/keys/${ID}/roll`);
    expect(asked.map(({ headers }) => headers['idempotency-key'])).toEqual(
      Array(2).fill(details.idempotency_key),
    );
    expect(asked[1]?.body).toEqual(asked[0]?.body);
  });

  it('revoke ends the key that is meant, and says what it is now', async () => {
    const ran = await tillctl('revoke', 'till 3', '--by', 'Anna');
    expect([ran.exit, ran.out]).toEqual([0, expect.stringContaining('revoked')]);
    expect(RevokeKey.parse(daemon.seen.at(-1)?.body)).toEqual({ by: 'Anna' });
    expect(documentOf((await tillctl('revoke', ID, '--json')).out)).toMatchObject({
      data: { status: 'revoked' },
    });
  });

  it('audit shows what was done and by whom, without control characters', async () => {
    const { out } = await tillctl('audit', 'till 3');
    expect(out.split('\n')[1]).toMatch(/rolled +socket +Anna·\[31m +the secret before ends 2026-05-02/);
    expect(out).not.toContain('\u001b');
    expect(documentOf((await tillctl('audit', ID, '--json')).out)).toMatchObject({
      object: 'list',
      data: TRAIL,
    });
  });

  it('create names who does it', async () => {
    await tillctl('create', '--scope', 'payments:read', '--by', 'Anna');
    expect(CreateKey.parse(daemon.seen[0]?.body)).toMatchObject({ by: 'Anna' });
  });

  it('a name means the living key, also when revoked ones had it before', async () => {
    keys = [
      other(1, { status: 'revoked', revoked_at: AT }),
      key(),
      other(2, { status: 'revoked', revoked_at: AT }),
    ];
    expect((await tillctl('roll', 'till 3')).exit).toBe(0);
    expect(daemon.requests(`POST /v2/keys/${ID}/roll`)).toHaveLength(1);
  });

  it.each(['roll', 'revoke', 'audit'])(
    '%s asks which one is meant where several have the name, and does nothing',
    async (verb) => {
      keys = [key(), other(1, {})];
      const ran = await tillctl(verb, 'till 3', '--json');
      expect(ran.exit).toBe(2);
      expect(documentOf(ran.out)).toMatchObject({ error: { code: 'usage' } });
      for (const { id } of keys) expect(ran.err).toContain(id);
      expect(daemon.seen.every(({ method, path }) => method === 'GET' && path.startsWith('/v2/keys?'))).toBe(
        true,
      );
    },
  );

  it.each(['roll', 'revoke', 'audit'])('%s of what is not there ends 1', async (verb) => {
    const ran = await tillctl(verb, 'till 4', '--json');
    expect(ran.exit).toBe(1);
    expect(documentOf(ran.out)).toMatchObject({ error: { code: 'resource_not_found' } });
  });

  it.each(['roll', 'revoke', 'audit'])(
    '%s of a key itself is refused before anything is asked, and does not repeat it',
    async (verb) => {
      const ran = await tillctl(verb, ROLLED.key, '--json');
      expect(ran.exit).toBe(2);
      expect(ran.out + ran.err).not.toContain(ROLLED.key);
      expect(daemon.seen).toEqual([]);
    },
  );

  it.each([
    ['an overlap of more than a week', ['roll', ID, '--overlap', '169']],
    ['an overlap that is no number', ['roll', ID, '--overlap', 'long']],
    ['nobody as who does it', ['revoke', ID, '--by', ' ']],
    ['nobody as who rolls it', ['roll', ID, '--by', '']],
    ['nobody as who makes it', ['create', '--scope', 'payments:read', '--by', '']],
    ['a status that does not exist', ['list', '--status', 'lost']],
    ['no key', ['roll']],
    ['no verb', []],
  ])('%s ends 2 and asks nothing', async (_what, words) => {
    const ran = await tillctl(...words, '--json');
    expect(ran.exit).toBe(2);
    expect(documentOf(ran.out)).toMatchObject({ error: { code: 'usage' } });
    expect(daemon.seen).toEqual([]);
  });

  it('a refusal is printed as it came', async () => {
    daemon.on(`POST /v2/keys/${ID}/roll`, () => refusal(409, 'invalid_status', 'This API key is revoked'));
    const ran = await tillctl('roll', ID, '--json');
    expect([ran.exit, documentOf(ran.out)]).toMatchObject([1, { error: { code: 'invalid_status' } }]);
  });
});
