import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { deliver } from '../../../src/hub/alerts/deliver.ts';
import { networksOf } from '../../../src/hub/alerts/networks.ts';
import type { Beat } from '../../../src/hub/beat.ts';
import { HubMetrics } from '../../../src/hub/metrics/hub-metrics.ts';
import { tenantId } from '../../../src/hub/shops/invite.ts';
import { live, pass, testBeat } from '../../fleet/alerts.ts';
import { type Operator, type Reply, Shop, type TestHub, testHub } from '../../fleet/hub.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into any message.
  readonly body: any;
}

/** A receiver on loopback, written from the description of Standard Webhooks. */
class Receiver {
  readonly received: Received[] = [];
  /** What it answers next. */
  status = 204;
  headers: Record<string, string> = {};
  #server: Server | undefined;
  #port = 0;

  async start(): Promise<string> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        this.received.push({ headers: request.headers, text, body: JSON.parse(text) });
        response.writeHead(this.status, this.headers).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    const address = server.address();
    this.#port = typeof address === 'object' && address !== null ? address.port : 0;
    this.#server = server;
    return `http://127.0.0.1:${this.#port}/hook?a=1`;
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
  }
}

function isSigned({ headers, text }: Received): boolean {
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`;
  const expected = createHmac('sha256', Buffer.alloc(32, 7)).update(content).digest('base64');
  return headers['webhook-signature'] === `v1,${expected}`;
}

describe('the delivery of alerts to webhooks', () => {
  let test: TestHub;
  let beat: Beat;
  let admin: Operator;
  let tenant: string;
  let receiver: Receiver;
  let url: string;
  beforeAll(async () => {
    test = await testHub();
    beat = testBeat(test.database);
  }, 120_000);
  afterAll(() => test.stop());
  beforeEach(async () => {
    tenant = `Bakery ${randomUUID()}`;
    await test.tenant(tenant);
    admin = await test.operator(tenant, 'admin');
    receiver = new Receiver();
    url = await receiver.start();
    await put('alert-destinations/chat', { kind: 'webhook', url, secret: SECRET });
    await put('alert-rules/cannot_sell', {
      kind: 'cannot_sell',
      destinations: ['chat'],
      severity: 'critical',
    });
  });
  afterEach(() => receiver.stop());

  const put = async (path: string, body: object) =>
    expect([path, (await admin.ask('PUT', `/v1/${path}`, { body })).body.error]).toEqual([path, undefined]);
  async function failing(name: string): Promise<Shop> {
    const shop = new Shop(test.send);
    expect((await shop.join(await test.invite(tenant, name))).status).toBe(201);
    const reasons = [{ code: 'no_terminal', message: 'No terminal\nis connected.' }];
    await shop.exchange({ state: { can_sell: false, reasons } }, test.now);
    return shop;
  }
  const alerts = async () => (await admin.ask('GET', '/v1/alerts')).body.data;
  const destination = async () => (await admin.ask('GET', '/v1/alert-destinations/chat')).body.data;

  it('says once which shop, what, since when, whether customers are affected and what to do; and once that it is over', async () => {
    const shop = await failing('Berlin 1');
    await live(test.database, beat, 1);
    for (let turn = 0; turn < 3; turn += 1) await beat.deliver();
    const [alert] = await alerts();
    expect(receiver.received).toHaveLength(1);
    const [raised] = receiver.received as [Received];
    expect(isSigned(raised)).toBe(true);
    expect(raised.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'tillhub' });
    expect(Math.abs(Number(raised.headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(60);
    expect(raised.body).toMatchObject({
      type: 'alert.raised',
      timestamp: alert.raised_at,
      data: {
        ...{
          id: alert.id,
          shop: 'Berlin 1',
          agent_id: alert.agent_id,
          rule: 'cannot_sell',
          kind: 'cannot_sell',
        },
        ...{
          severity: 'critical',
          since: alert.since,
          raised_at: alert.raised_at,
          ended_at: null,
          details: { reasons: ['No terminal\nis connected.'] },
        },
        title: '[critical] Berlin 1: takes no payments',
        text: expect.stringMatching(
          /^Berlin 1: takes no payments\nSince \d{4}-\d\d-\d\d \d\d:\d\d UTC, by .*cannot_sell\.\n.*customers cannot pay.*ask the shop[^\n]*\n- No terminal\\u000ais connected\.$/,
        ),
      },
    });
    await shop.exchange({ state: { can_sell: true } }, test.now);
    await live(test.database, beat, 1);
    await beat.deliver();
    await beat.deliver();
    expect(receiver.received.map(({ body }) => body.type)).toEqual(['alert.raised', 'alert.ended']);
    expect(receiver.received[1]?.body.data).toMatchObject({
      id: alert.id,
      text: expect.stringContaining('It is over since'),
    });
    expect((await alerts())[0].deliveries).toEqual([
      { destination: 'chat', event: 'raised', attempts: 1, state: 'delivered', error: null },
      { destination: 'chat', event: 'ended', attempts: 1, state: 'delivered', error: null },
    ]);
  });

  it('is made once by two hubs of one database', async () => {
    const beats = [beat, testBeat(test.database), testBeat(test.database)];
    for (let no = 0; no < 30; no += 1) await failing(`Shop ${no}`);
    await pass(test.database, 1);
    await Promise.all(beats.map((one) => one.evaluate()));
    // Each hub has looked at the rows before another one has taken them.
    await sql`CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.2); RETURN NULL; END $$`.execute(
      test.database,
    );
    await sql`CREATE TRIGGER linger BEFORE UPDATE ON alert_delivery FOR EACH STATEMENT EXECUTE FUNCTION linger()`.execute(
      test.database,
    );
    await Promise.all([...beats, ...beats].map((one) => one.deliver()));
    await sql`DROP TRIGGER linger ON alert_delivery`.execute(test.database);
    expect(receiver.received).toHaveLength(30);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(30);
    expect((await alerts()).length).toBe(30);
  });

  it('is tried again with the same id and the same bytes until it is taken', async () => {
    await failing('Berlin 1');
    await live(test.database, beat, 1);
    receiver.status = 500;
    await beat.deliver();
    await beat.deliver();
    expect(receiver.received).toHaveLength(1);
    await receiver.stop();
    await pass(test.database, 2);
    await beat.deliver();
    expect(await destination()).toMatchObject({
      waiting: 1,
      given_up: 0,
      last_error: expect.stringMatching(/ECONNREFUSED/),
    });
    expect((await alerts())[0].deliveries).toMatchObject([{ attempts: 2, state: 'waiting' }]);
    await receiver.start();
    receiver.status = 204;
    await pass(test.database, 1);
    await beat.deliver();
    expect(receiver.received).toHaveLength(1);
    await pass(test.database, 2);
    await beat.deliver();
    const [first, second] = receiver.received as [Received, Received];
    expect(second.text).toBe(first.text);
    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id']);
    expect(isSigned(second)).toBe(true);
    expect(await destination()).toMatchObject({ waiting: 0, given_up: 0, last_error: null });
  });

  it('is given up after a day, and shown', async () => {
    await failing('Berlin 1');
    await live(test.database, beat, 1);
    receiver.status = 410;
    let attempts = 0;
    for (let hours = 0; hours < 26; hours += 1) {
      await beat.deliver();
      attempts = receiver.received.length;
      await pass(test.database, 76);
    }
    expect(attempts).toBeGreaterThan(15);
    await beat.deliver();
    expect(receiver.received).toHaveLength(attempts);
    expect(await destination()).toMatchObject({ waiting: 0, given_up: 1, last_error: 'it answered 410' });
    expect((await alerts())[0].deliveries).toEqual([
      { destination: 'chat', event: 'raised', attempts, state: 'given_up', error: 'it answered 410' },
    ]);
  });

  it('goes out again where a hub was killed before it noted the answer, and one receiver holds up no other', async () => {
    const other = new Receiver();
    const otherUrl = await other.start();
    onTestFinished(() => other.stop());
    await put('alert-destinations/other', { kind: 'webhook', url: otherUrl, secret: SECRET });
    await put('alert-rules/cannot_sell', { kind: 'cannot_sell', destinations: ['chat', 'other'] });
    await failing('Berlin 1');
    await live(test.database, beat, 1);
    await receiver.stop();
    await beat.deliver();
    expect(other.received).toHaveLength(1);
    await receiver.start();
    await test.database
      .updateTable('alert_delivery')
      .set({ next_at: new Date(Date.now() + 300_000), delivered_at: null })
      .execute();
    await beat.deliver();
    expect(receiver.received).toHaveLength(0);
    await pass(test.database, 6);
    await beat.deliver();
    expect([receiver.received.length, other.received.length]).toEqual([1, 2]);
    expect(other.received[1]?.headers['webhook-id']).toBe(other.received[0]?.headers['webhook-id']);
  });

  it('is counted, what failed apart', async () => {
    const metrics = new HubMetrics({ database: test.database, now: Date.now });
    const deps = { metrics, mayReach: networksOf('127.0.0.1'), sendMail: null };
    const id = await tenantId(test.database, tenant);
    const counted = () => deliver(test.database, id, deps, new AbortController().signal);
    await failing('Berlin 1');
    await live(test.database, beat, 1);
    receiver.status = 503;
    await counted();
    receiver.status = 200;
    await pass(test.database, 2);
    await counted();
    const { text } = await metrics.read();
    expect(text).toContain('tillhub_alert_messages_total{outcome="delivered"} 1\n');
    expect(text).toContain('tillhub_alert_messages_total{outcome="failed"} 1\n');
  });

  it('follows no redirect', async () => {
    const other = new Receiver();
    const location = await other.start();
    onTestFinished(() => other.stop());
    receiver.status = 307;
    receiver.headers = { location };
    const tested = await admin.ask('POST', '/v1/alert-destinations/chat/test');
    expect(tested.body.data).toEqual({
      delivered: false,
      error: 'it answered 307: redirects are not followed',
    });
    expect([receiver.received.length, other.received.length]).toEqual([1, 0]);
  });

  it('can be tried: the answer says what happened, the audit who did it', async () => {
    const tested = await admin.ask('POST', '/v1/alert-destinations/chat/test');
    expect([tested.status, tested.body]).toEqual([200, { data: { delivered: true, error: null } }]);
    const [message] = receiver.received as [Received];
    expect(isSigned(message)).toBe(true);
    expect(message.body).toMatchObject({
      type: 'alert.raised',
      data: { kind: 'test', shop: null, severity: 'info' },
    });
    expect(message.body.data.text).toContain('nothing is to be done');
    await receiver.stop();
    expect((await admin.ask('POST', '/v1/alert-destinations/chat/test')).body.data).toMatchObject({
      delivered: false,
    });
    const { body } = await admin.ask('GET', '/v1/audit-entries?limit=2');
    expect(body.data.map(({ action }: Reply['body']) => action)).toEqual(
      Array(2).fill('alert_destination_tested'),
    );
    expect((await admin.ask('POST', '/v1/alert-destinations/none/test')).status).toBe(404);
    const viewer = await test.operator(tenant, 'operator');
    expect((await viewer.ask('POST', '/v1/alert-destinations/chat/test')).status).toBe(403);
  });

  it('shows its secret to none, and its whole address to administrators', async () => {
    const viewer = await test.operator(tenant, 'viewer');
    const hidden = await viewer.ask('GET', '/v1/alert-destinations/chat');
    expect(hidden.body.data.url).toBe(`${new URL(url).origin}/…`);
    expect((await destination()).url).toBe(url);
    const again = { kind: 'webhook', url };
    await put('alert-destinations/chat', again);
    await put('alert-destinations/chat', { ...again, secret: SECRET });
    const shown = [
      await admin.ask('GET', '/v1/alert-destinations'),
      await admin.ask('GET', '/v1/audit-entries?limit=500'),
      await viewer.ask('GET', '/v1/alert-destinations'),
    ].map(({ body }) => JSON.stringify(body));
    for (const text of shown) expect(text).not.toContain(SECRET.slice(6, 20));
    expect(shown[1]).not.toContain('/hook');
    expect(shown[1]?.match(/alert_destination_changed/g)).toHaveLength(1);
    const other = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
    await put('alert-destinations/chat', { ...again, secret: other });
    await admin.ask('POST', '/v1/alert-destinations/chat/test');
    expect(isSigned(receiver.received.at(-1) as Received)).toBe(false);
    expect((await admin.ask('DELETE', '/v1/alert-destinations/chat')).body.error.code).toBe(
      'destination_in_use',
    );
    await put('alert-rules/cannot_sell', { kind: 'cannot_sell' });
    expect((await admin.ask('DELETE', '/v1/alert-destinations/chat')).status).toBe(200);
    expect((await admin.ask('GET', '/v1/alert-destinations/chat')).status).toBe(404);
  });

  it('refuses addresses and recipients that are none', async () => {
    const refused = async (body: object) => {
      const reply = await admin.ask('PUT', '/v1/alert-destinations/odd', { body });
      return [reply.status, reply.body.error?.code];
    };
    for (const odd of [
      ...[
        'ftp://chat.example/x',
        'http://chat.example/x',
        'https://user:pass@chat.example/',
        'javascript:alert(1)',
      ],
      ...[
        'https://chat.example/a b',
        'https://chat.example/\r\nhost: evil',
        '//chat.example',
        '',
        'https://',
      ],
      ...[
        'http://127.0.0.1.chat.example/',
        'http://localhost@chat.example/',
        `https://chat.example/${'x'.repeat(2_100)}`,
      ],
      'https://chat.example/\u202egpj',
    ])
      expect([odd, ...(await refused({ kind: 'webhook', url: odd, secret: SECRET }))]).toEqual([
        odd,
        400,
        'request_invalid',
      ]);
    const webhook = { kind: 'webhook', url: 'https://chat.example/x' };
    for (const secret of ['', 'whsec_', 'whsec_short', SECRET.slice(6), `${SECRET}\n`])
      expect(await refused({ ...webhook, secret })).toEqual([400, 'request_invalid']);
    expect(await refused(webhook)).toEqual([422, 'destination_invalid']);
    expect(await refused({ ...webhook, secret: SECRET, recipients: ['a@b.example'] })).toEqual([
      400,
      'request_invalid',
    ]);
    for (const recipient of [
      'a',
      'a@b.example,c@d.example',
      'a@b.example\r\nBcc: c@d.example',
      'A <a@b.example>',
      '',
    ])
      expect(await refused({ kind: 'email', recipients: [recipient] })).toEqual([400, 'request_invalid']);
    expect(await refused({ kind: 'email', recipients: [] })).toEqual([400, 'request_invalid']);
    expect(await refused({ kind: 'email' })).toEqual([400, 'request_invalid']);
    expect(await refused({ kind: 'email', recipients: ['a@b.example'], secret: SECRET })).toEqual([
      400,
      'request_invalid',
    ]);
  });
});

describe('the addresses that webhooks may have', () => {
  it('are those of the internet, and networks that are named; keys of clouds are never in reach', () => {
    const none = networksOf('');
    const all = networksOf('0.0.0.0/0, ::/0,');
    for (const address of ['93.184.216.34', '2606:2800:220:1::1'])
      expect([address, none(address), all(address)]).toEqual([address, true, true]);
    for (const address of [
      '10.0.0.1',
      '127.0.0.1',
      '::1',
      '192.168.1.1',
      '::ffff:10.0.0.1',
      'fd00::1',
      '100.64.0.1',
    ])
      expect([address, none(address), all(address)]).toEqual([address, false, true]);
    for (const address of [
      ...[
        '169.254.169.254',
        '::ffff:169.254.169.254',
        'fe80::1',
        'fd00:ec2::254',
        '0.0.0.0',
        '::',
        '224.0.0.1',
        'ff02::1',
      ],
      'x',
    ])
      expect([address, none(address), all(address)]).toEqual([address, false, false]);
    expect(networksOf('10.1.0.0/16')('10.2.0.1')).toBe(false);
    expect(() => networksOf('intranet')).toThrow('--webhook-networks intranet');
  });
});
