import { describe, expect, it } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import type { HttpReply, HttpRequest } from '../../../src/net/http-client.ts';
import type { ServiceRequest, ServiceWork } from '../../../src/payment/guards/service-work.ts';
import { createServiceConnection } from '../../../src/service/service-connection.ts';
import type { LinkReason } from '../../../src/service/service-health.ts';
import { createServiceLink } from '../../../src/service/service-link.ts';
import { COUNTER } from '../../simulation/month/quick-shop.ts';
import { Random, seededIds } from '../../simulation/random.ts';
import { SERVICE_KEY, SimService } from '../../simulation/service.ts';
import { PartClock, SimClock, Wall } from '../../simulation/sim-clock.ts';
import { Trace } from '../../simulation/trace.ts';
import { MemoryOutboxStore } from '../outbox/memory-outbox-store.ts';

const AGENT = 'agent-1';
const SALE = '0199c0de-0000-7000-8000-00000000000a';
const REFUND = '0199c0de-0000-7000-8000-00000000000b';
const LOST = '0199c0de-0000-7000-8000-00000000000c';
const SIGNED = { 'service-version': '2026-05-01' };
const HTML = '<html>please sign in</html>';

type Answer = Pick<HttpReply, 'status' | 'text' | 'headers'>;
/** An answer that the service never sees asked for, or what becomes of its own on the way. */
type Foreign = Answer | ((own: HttpReply) => HttpReply);

/** What answers, and why the link is down then. */
const FOREIGN: readonly (readonly [string, LinkReason, Foreign])[] = [
  ['a sign-in page', 'captive_portal', { status: 200, text: HTML, headers: { 'content-type': 'text/html' } }],
  [
    'a way to a sign-in page',
    'captive_portal',
    { status: 302, text: '', headers: { location: 'http://x/' } },
  ],
  ['the 511 of a network', 'captive_portal', { status: 511, text: HTML, headers: {} }],
  ['foreign JSON', 'wrong_host', { status: 200, text: '{"status":"please sign in"}', headers: {} }],
  ['an empty list of another host', 'wrong_host', { status: 200, text: '{"data":[]}', headers: {} }],
  ['no body', 'wrong_host', { status: 200, text: '', headers: {} }],
  ['no body under the version', 'wrong_host', { status: 204, text: '', headers: SIGNED }],
  [
    'JSON of another kind under the version',
    'wrong_host',
    { status: 200, text: '{"ok":1}', headers: SIGNED },
  ],
  ['a proxy’s 401', 'wrong_host', { status: 401, text: '', headers: { 'www-authenticate': 'Basic' } }],
  ['a proxy’s 403', 'wrong_host', { status: 403, text: HTML, headers: {} }],
  ['a foreign 404', 'wrong_host', { status: 404, text: '{"error":"Not Found"}', headers: {} }],
  ['a foreign 409', 'wrong_host', { status: 409, text: '{"error":{"code":"conflict"}}', headers: {} }],
  [
    'a foreign 422',
    'wrong_host',
    { status: 422, text: '{"error":"x","code":"IDEMPOTENCY_KEY_MISMATCH"}', headers: {} },
  ],
  ['a gateway’s 429', 'wrong_host', { status: 429, text: HTML, headers: { 'retry-after': '1' } }],
  [
    'its own words in another version',
    'wrong_host',
    (own) => ({ ...own, headers: { ...own.headers, 'service-version': '2027-01-01' } }),
  ],
  ['its own words without its version', 'wrong_host', (own) => ({ ...own, headers: {} })],
];

type Shop = ReturnType<typeof shop>;

/** A request, and what must not have happened while it is answered by another. */
const REQUESTS: readonly (readonly [string, RegExp, (at: Shop) => void])[] = [
  ['the list of work', /^GET \/terminal-payments requested$/, ({ accepted }) => expect(accepted).toEqual([])],
  ['a claim', /^POST .*\/claim/, ({ accepted }) => expect(accepted).toEqual([])],
  ['the create of a sale', /^POST \/terminal-payments $/, (at) => at.expectPending(`create-${SALE}`)],
  ['a result', /^POST .*\/result/, (at) => at.expectPending(`result-${SALE}`)],
  ['the create of a refund', /^POST .*\/refund/, (at) => at.expectPending(`create-${REFUND}`)],
  ['a look-up', /^GET \/terminal-payments\/./, (at) => at.expectPending(`create-${LOST}`)],
  ['a look-up’s witness', /^GET \/terminal-devices\/./, (at) => at.expectPending(`create-${LOST}`)],
  [
    'events and cancelled payments',
    /^GET \/(events|terminal-payments cancelled)/,
    ({ cancelled }) => expect(cancelled).toEqual([]),
  ],
  [
    'every request',
    /./,
    (at) => {
      expect([at.accepted, at.cancelled]).toEqual([[], []]);
      for (const { id } of at.store.rows) at.expectPending(id);
    },
  ],
];

/** The real link beside the real stand-in of the service; another host answers the requests that match `captured`. */
function shop(captured: RegExp, foreign: Foreign) {
  const time = new SimClock();
  const clock = new PartClock(time, new Wall());
  const ids = (stream: string) => seededIds(new Random(1, stream), { now: () => time.now });
  const broken: string[] = [];
  const service = new SimService(
    {
      honoursOurId: true,
      keepsMetadata: true,
      refusesUnknownFields: true,
      devices: [{ id: COUNTER.id, name: COUNTER.name }],
      plan: 'enterprise',
    },
    {
      clock,
      ids: ids('service'),
      random: new Random(1, 'line'),
      trace: new Trace(time, false),
      fault: () => undefined,
      accuse: (_, text) => broken.push(text),
    },
  );
  const store = new MemoryOutboxStore();
  const accepted: ServiceRequest[] = [];
  const cancelled: string[] = [];
  const work: ServiceWork = {
    isOurs: (_, metadata) => metadata['tilld'] !== undefined,
    accept: (request) => void accepted.push(request),
    cancelled: (id) => void cancelled.push(id),
  };
  const line = { isCaptured: true, captures: 0 };
  const through = service.connect(() => false);
  const connection = createServiceConnection(
    {
      connect: () => ({
        request: async (request) => {
          if (!line.isCaptured || !captured.test(nameOf(request))) return through.request(request);
          line.captures += 1;
          if (typeof foreign === 'function') return foreign(await through.request(request));
          return { ...foreign, dateMs: time.now };
        },
        close: () => through.close(),
      }),
      credential: () => SERVICE_KEY,
      clock,
      log: silentLog,
    },
    { budget: { perMinute: 6_000, burst: 200 } },
  );
  const link = createServiceLink(
    { connection, store, work, clock, ids: ids('agent'), log: silentLog },
    { agent: AGENT, deviceIds: [COUNTER.id], createLocal: true },
  );
  const reasons = new Set<LinkReason | null>();
  link.health.subscribe({ changed: ({ reason }) => reasons.add(reason) });
  const expectPending = (id: string) => expect(store.row(id)).toMatchObject({ id, state: 'pending' });
  return { time, service, store, accepted, cancelled, line, link, reasons, broken, expectPending };
}

function nameOf({ method, path, query }: HttpRequest): string {
  const status = String(query?.['status'] ?? '');
  return `${method} ${path}${path === '/terminal-payments' ? ` ${status}` : ''}`;
}

/** A sale and its refund that ended here, a sale whose create was sent before a restart, work and a cancel of the back office. */
async function busy({ store, service, time }: Shop): Promise<void> {
  const common = { createdAt: time.now };
  const metadata = (attempt: string) => ({ tilld: { agent: AGENT, attempt } });
  const sale = (id: string) => ({
    id,
    device_id: COUNTER.id,
    amount_minor: 1_234,
    currency: 'EUR',
    metadata: metadata(id),
  });
  const row = (kind: 'create' | 'result', attemptId: string, body: object, more = {}) =>
    store.add({ ...common, id: `${kind}-${attemptId}`, attemptId, kind, body: { ...body }, ...more });
  const below = { operation: 'refund', parentId: SALE } as const;
  row('create', SALE, sale(SALE));
  row('result', SALE, { status: 'succeeded', auth_code: '42', metadata: metadata(SALE) });
  row('create', REFUND, { id: REFUND, amount_minor: 5, metadata: metadata(REFUND) }, below);
  row('result', REFUND, { status: 'succeeded', metadata: metadata(REFUND) }, below);
  row('create', LOST, sale(LOST), { firstUsedAt: time.now, unanswered: true, tries: 1 });
  row('result', LOST, { status: 'succeeded', metadata: metadata(LOST) });
  await service.ask({ device_id: COUNTER.id, amount_minor: 77, currency: 'EUR' }, null);
}

describe.each(REQUESTS)('An answer that is not the service’s, to %s,', (_, captured, expectNothing) => {
  it.each(FOREIGN)('is no answer: %s', async (_name, reason, foreign) => {
    const at = shop(captured, foreign);
    await busy(at);
    at.link.start();
    await at.time.advance(2_000);
    if (captured.test('GET /events')) at.service.cancelSomething();
    await at.time.advance(30_000);
    expect(at.line.captures).toBeGreaterThan(0);
    expectNothing(at);
    expect(at.store.summary().parked).toBe(0);
    expect(at.reasons).toContain(reason);
    expect(at.reasons).not.toContain('key');

    at.line.isCaptured = false;
    await at.time.advance(180_000);
    expect(at.store.summary()).toMatchObject({ pending: 0, parked: 0 });
    expect(at.link.health.view).toEqual({ state: 'online', reason: null });
    const reported = at.service.payments.filter(({ askedBy }) => askedBy === 'client');
    expect(reported.map(({ id, status }) => [id, status]).toSorted()).toEqual(
      [SALE, REFUND, LOST].map((id) => [id, 'succeeded']),
    );
    if (captured.test('GET /events')) expect(at.cancelled).toHaveLength(1);
    else expect(at.accepted).toMatchObject([{ amount: { minor: 77 } }]);
    expect(at.broken).toEqual([]);
    await at.link.stop();
  });
});
