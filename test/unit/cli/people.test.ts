import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AuditTrailEntry, Person } from '../../../src/api/contract/person.ts';
import { SignInCode } from '../../../src/api/contract/session.ts';
import { command, documentOf } from './command-line.ts';
import { AT, FakeDaemon, list, one } from './fake-daemon.ts';

const ID = '0199c0de-0000-7000-8000-0000000000b1';

function person(more: Partial<Person> = {}): Person {
  return Person.parse({
    id: ID,
    object: 'person',
    name: 'Anna',
    role: 'lead',
    status: 'active',
    system_user: 'anna',
    created_at: AT,
    disabled_at: null,
    ...more,
  } satisfies Person);
}

const ENTRY = AuditTrailEntry.parse({
  object: 'audit_entry',
  seq: 7,
  at: AT,
  event: 'person_added',
  subject: ID,
  name: 'Anna\u001b[31m',
  who: 'Olga',
  from: '192.168.1.9',
  details: {},
} satisfies AuditTrailEntry);

const CODE = SignInCode.parse({
  code: '12345678',
  role: 'lead',
  person: 'Anna',
  url: 'http://127.0.0.1:8480',
  expires_at: AT,
} satisfies SignInCode);

describe('tillctl people', () => {
  let daemon: FakeDaemon;
  let people: Person[];
  beforeEach(async () => {
    const gone = person({ id: ID.replace('b1', 'b2'), status: 'disabled', disabled_at: AT });
    people = [person(), gone];
    daemon = await new FakeDaemon()
      .on('GET /v2/people', () => list(people))
      .on('GET /v2/audit', () => list([ENTRY]))
      .on(`POST /v2/people/${ID}/disable`, () => one(person({ status: 'disabled', disabled_at: AT })))
      .on('POST /v2/people', () => one(person(), 201))
      .on('POST /v2/sign-in-codes', () => one(CODE, 201))
      .start();
  });
  afterEach(() => daemon.remove());
  const tillctl = (...words: readonly string[]) => command(['--socket', daemon.socket, ...words]);

  it('add says what it made, and the command that lets them in, which works as it is', async () => {
    const { out, err } = await tillctl('people', 'add', 'Anna', '--role', 'lead', '--user', 'anna');
    expect(out).toMatch(/^Anna +lead +active +anna /m);
    expect(daemon.seen[0]?.body).toEqual({ name: 'Anna', role: 'lead', system_user: 'anna' });
    expect(err).toContain('tillctl sign-in --person "Anna"');
    const code = await tillctl('sign-in', '--person', 'Anna');
    expect(code.out).toMatch(/person +Anna/);
    expect(daemon.seen.at(-1)?.body).toEqual({ role: 'staff', person: 'Anna' });
    expect((await tillctl('sign-in', '--person', '')).exit).toBe(1);
    await tillctl('sign-in', '--person', 'anna');
    expect(daemon.seen.at(-1)?.body).toEqual({ role: 'staff', person: 'Anna' });
  });

  it.each([
    [['', '--role', 'staff'], 'the name'],
    [['a'.repeat(65)], 'the name'],
    [['Anna', '--user', 'an na'], '--user'],
    [['Anna', '--role', 'root'], '--role'],
  ])('add refuses %j, and sends nothing', async (words, message) => {
    const { exit, err } = await tillctl('people', 'add', ...words);
    expect([exit, err]).toEqual([2, expect.stringContaining(message)]);
    expect(daemon.seen).toEqual([]);
  });

  it('list shows who may sign in and who may not', async () => {
    const { out } = await tillctl('people', 'list');
    expect(out.split('\n').slice(1, 3)).toEqual([
      expect.stringMatching(/^Anna +lead +active +anna/),
      expect.stringMatching(/^Anna +lead +disabled /),
    ]);
  });

  it.each(['Anna', 'ANNA', ID])('disable finds the one who may sign in by %s', async (word) => {
    expect((await tillctl('people', 'disable', word)).exit).toBe(0);
    expect(daemon.seen.at(-1)?.path).toBe(`/v2/people/${ID}/disable`);
  });

  it('disable names the list where there is no such person', async () => {
    const { exit, err } = await tillctl('people', 'disable', 'Zoe');
    expect([exit, err]).toEqual([1, expect.stringContaining('tillctl people list')]);
  });

  it('devices pair, paired and withdraw', async () => {
    const device = {
      id: ID,
      object: 'paired_device',
      name: 'tablet',
      status: 'paired',
      paired_at: AT,
      withdrawn_at: null,
    } as const;
    daemon
      .on('POST /v2/pairing-codes', () =>
        one({ code: '12345678', url: 'https://till.example/#/pair', trust: null, expires_at: AT }, 201),
      )
      .on('GET /v2/paired-devices', () => list([device]))
      .on(`POST /v2/paired-devices/${ID}/withdraw`, () =>
        one({ ...device, status: 'withdrawn', withdrawn_at: AT }),
      );
    expect((await tillctl('devices', 'pair')).out).toMatch(
      /1234 5678[\s\S]*https:\/\/till\.example\/#\/pair/,
    );
    expect((await tillctl('devices', 'paired')).out).toMatch(/^tablet +paired /m);
    expect((await tillctl('devices', 'withdraw', 'tablet')).out).toMatch(/^tablet +withdrawn /m);
    expect((await tillctl('devices', 'withdraw', 'phone')).exit).toBe(1);
  });

  it('devices pair says what the device must trust first, and what the page of trust must show', async () => {
    const trust = { url: 'http://shop.local:8443/trust', fingerprint: 'AB:CD' };
    daemon.on('POST /v2/pairing-codes', () =>
      one({ code: '12345678', url: 'https://shop.local:8443/#/pair', trust, expires_at: AT }, 201),
    );
    const { out, err } = await tillctl('devices', 'pair');
    expect(out).toMatch(/trust first +http:\/\/shop\.local:8443\/trust\n *fingerprint +AB:CD/);
    expect(err).toContain('Install nothing whose SHA-256 fingerprint is not the one above');
  });

  it('audit shows who did what from where, one line each', async () => {
    const { out } = await tillctl('people', 'audit');
    expect(out).toContain('person_added');
    expect(out).toMatch(/Olga +192\.168\.1\.9/);
    expect(out).not.toContain('\u001b');
    expect(documentOf((await tillctl('--json', 'people', 'audit')).out)).toMatchObject({
      data: [{ seq: 7 }],
    });
  });
});
