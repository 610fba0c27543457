import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/base/errors.ts';
import type { HttpRequest } from '../../../src/net/http-client.ts';
import { Budget } from '../../../src/outbox/budget.ts';
import type { ServiceRequest, ServiceWork } from '../../../src/payment/guards/service-work.ts';
import { CreateWatch } from '../../../src/service/create-watch.ts';
import { Poller, type PollerOptions } from '../../../src/service/poller.ts';
import { ServiceClient } from '../../../src/service/service-client.ts';
import { ServiceClock } from '../../../src/service/service-clock.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { MemoryOutboxStore } from '../outbox/memory-outbox-store.ts';
import { APPLIED } from '../outbox/scripted-service.ts';
import { ids, readableLog } from '../outbox/sender-harness.ts';
import { FakeHttp, type Reply } from './fake-http.ts';

const DEVICE = 'device-1';
type Answering = (request: HttpRequest) => Reply | AppError;

/** A service with a list of payments and a way to answer claims. */
function pollerOn(options: Partial<PollerOptions> = {}) {
  const clock = new VirtualClock();
  const { log, lines } = readableLog();
  const service: {
    list: unknown[];
    cancelled: unknown[];
    events: Answering;
    newest: Answering;
    claim: Answering;
    dateMs: () => number | null;
    listStatus: number;
  } = {
    list: [],
    cancelled: [],
    events: () => ({ status: 200, body: { data: [], has_more: false } }),
    newest: () => ({ status: 200, body: { data: [] }, dateMs: service.dateMs() }),
    claim: (request) => ({ status: 200, body: { data: claimed(request) }, dateMs: service.dateMs() }),
    dateMs: () => clock.now(),
    listStatus: 200,
  };
  const claimed = (request: HttpRequest) => {
    const id = request.path.split('/')[2];
    const listed = service.list.find((one) => (one as { id: string }).id.toLowerCase() === id?.toLowerCase());
    return { ...(listed as object), status: 'in_progress' };
  };
  const http = new FakeHttp(
    () => clock.now(),
    (request) => {
      if (request.method === 'POST') return service.claim(request);
      if (request.path === '/events') return service.events(request);
      if (request.query?.['status'] === undefined) return service.newest(request);
      const data = request.query?.['status'] === 'cancelled' ? service.cancelled : service.list;
      if (service.listStatus >= 400) return { status: service.listStatus, dateMs: service.dateMs() };
      return { status: service.listStatus, body: { data }, dateMs: service.dateMs() };
    },
  );
  const accepted: ServiceRequest[] = [];
  const cancelled: string[] = [];
  const ours = new Set<string>();
  const work: ServiceWork = {
    isOurs: (id) => ours.has(id),
    accept: (request) => void accepted.push(request),
    cancelled: (id) => void cancelled.push(id),
  };
  const place = new MemoryOutboxStore();
  const client = new ServiceClient({ http, log, credential: () => 'k' });
  const serviceTime = new ServiceClock(clock, log);
  const creates = new CreateWatch(clock);
  const budget = new Budget(clock);
  const poller = new Poller(
    { client, work, place, serviceTime, creates, budget, clock, ids, log },
    { agent: 'agent-1', deviceIds: [DEVICE], ...options },
  );
  const payment = (id: string, change: object = {}) => ({
    id,
    device_id: DEVICE,
    type: 'sale',
    status: 'requested',
    amount_minor: 1_234,
    currency: 'EUR',
    created_at: new Date(clock.now() - 2_000).toISOString(),
    ...change,
  });
  const claims = () => http.lines.filter((line) => line.startsWith('POST'));
  /** Requests for work: the list, and claims. */
  const asked = () =>
    http.requests.filter(({ method, query }) => method === 'POST' || query?.['status'] === 'requested');
  return {
    clock,
    http,
    service,
    work,
    accepted,
    cancelled,
    place,
    asked,
    ours,
    lines,
    creates,
    poller,
    payment,
    claims,
    serviceTime,
    budget,
  };
}

describe('Poller', () => {
  it("claims the work of its device, then hands it over with its age by the service's clock", async () => {
    const { clock, asked, service, accepted, poller, payment } = pollerOn();
    service.dateMs = () => clock.now() + 3_600_000;
    service.list = [
      payment('P', {
        created_at: new Date(clock.now() + 3_590_000).toISOString(),
        reference: 'R',
        metadata: { a: 1 },
      }),
    ];
    poller.start();
    await clock.advance(2);
    expect(asked().map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /terminal-payments',
      'POST /terminal-payments/P/claim',
    ]);
    expect(asked()[1]).toMatchObject({
      body: '{"agent":"agent-1"}',
      headers: { 'idempotency-key': 'P/claim' },
    });
    expect(accepted).toEqual([
      {
        serviceId: 'P',
        type: 'sale',
        parentId: null,
        deviceId: DEVICE,
        amount: { minor: 1_234, currency: 'EUR' },
        invoiceId: null,
        reference: 'R',
        metadata: { a: 1 },
        ageMs: 10_000,
      },
    ]);
    await poller.stop();
  });

  it('is a witness of the books where it could read the whole list of the newest payments, and not else', async () => {
    const { clock, service, poller, payment, work } = pollerOn();
    let witnessed = 0;
    Object.assign(work, {
      compared: () => {
        witnessed += 1;
      },
    });
    const metadata = { tilld: { agent: 'agent-1', attempt: 'a1' } };
    const unreadable = payment('P', { status: 'succeeded', metadata, amount_minor: '1234' });
    service.newest = () => ({ status: 200, body: { data: [unreadable] }, dateMs: clock.now() });
    poller.start();
    await clock.advance(2);
    await poller.stop();
    expect(witnessed).toBe(0);
    const whole = pollerOn();
    Object.assign(whole.work, {
      compared: () => {
        witnessed += 1;
      },
    });
    whole.poller.start();
    await whole.clock.advance(2);
    await whole.poller.stop();
    expect(witnessed).toBe(1);
  });

  it('takes ids in whatever letters the service writes them, and names them in canonical form from then on', async () => {
    const device = '0199c0de-00ab-7000-8000-0000000000d1';
    const { clock, service, accepted, poller, payment, claims } = pollerOn({ deviceIds: [device] });
    const [id, parent, invoice] = [1, 2, 3].map((no) => `0199c0de-00ab-7000-8000-00000000000${no}`);
    const written = {
      type: 'refund',
      device_id: device.toUpperCase(),
      invoice_id: ` ${invoice?.toUpperCase()} `,
      parent_id: parent?.toUpperCase(),
      reference: ' R 1 ',
    };
    service.list = [payment(`${id?.toUpperCase()}`, written)];
    poller.start();
    await clock.advance(30_000);
    service.list = [payment(`${id}`, written)];
    await clock.advance(30_000);
    expect(claims()).toEqual([`POST /terminal-payments/${id}/claim`]);
    expect(accepted).toMatchObject([
      { serviceId: id, parentId: parent, deviceId: device, invoiceId: invoice, reference: 'R 1' },
    ]);
    await poller.stop();
  });

  it('takes an invoice and a reference of nothing but blanks for none: they would make all such work one sale', async () => {
    const { clock, service, accepted, poller, payment } = pollerOn();
    service.list = [payment('P', { invoice_id: ' ', reference: ' ' })];
    poller.start();
    await clock.advance(1);
    expect(accepted).toMatchObject([{ serviceId: 'P', invoiceId: null, reference: null }]);
    await poller.stop();
  });

  it('hands work over once, however long the service goes on listing it', async () => {
    const { clock, service, accepted, poller, payment, claims } = pollerOn();
    service.list = [payment('P')];
    poller.start();
    await clock.advance(60_000);
    expect([claims().length, accepted.length]).toEqual([1, 1]);
    await poller.stop();
  });

  it('claims and hands over stale work too: the core lets it expire', async () => {
    const { clock, service, accepted, poller, payment } = pollerOn();
    service.list = [payment('P', { created_at: new Date(clock.now() - 3_600_000).toISOString() })];
    poller.start();
    await clock.advance(2);
    expect(accepted).toMatchObject([{ ageMs: 3_600_000 }]);
    await poller.stop();
  });

  it.each<[string, Answering]>([
    ['409', () => ({ status: 409, body: { error: { code: 'invalid_state', message: 'm' } } })],
    ['409 already exists', () => ({ status: 409, body: { error: { code: 'resource_already_exists' } } })],
    ['422 mismatch', () => ({ status: 422, body: { error: 'm', code: 'IDEMPOTENCY_KEY_MISMATCH' } })],
    ['404', () => ({ status: 404, body: { error: { code: 'resource_not_found' } } })],
    ['400', () => ({ status: 400, body: { error: { code: 'validation_error' } } })],
  ])('never touches work again whose claim got %s', async (_, claim) => {
    const { clock, service, accepted, poller, payment, claims } = pollerOn();
    service.list = [payment('P')];
    service.claim = claim;
    poller.start();
    await clock.advance(60_000);
    expect([claims().length, accepted.length]).toEqual([1, 0]);
    await poller.stop();
  });

  it.each<[string, Reply | AppError]>([
    ['silence', new AppError('NET_TIMEOUT', 'm', { context: { reached: 'unknown' } })],
    ['503', { status: 503, body: { error: { code: 'service_unavailable' } } }],
    ['in progress', { status: 409, body: { error: 'm', code: 'IDEMPOTENCY_KEY_IN_PROGRESS' } }],
    ['401', { status: 401, body: { error: { code: 'expired_api_key' } } }],
  ])(
    'runs nothing after %s to a claim, and asks again with the same key, also when the list shows it no more',
    async (_, answer) => {
      const { clock, http, service, accepted, poller, payment } = pollerOn();
      const listed = payment('P');
      service.list = [listed];
      let asked = 0;
      service.claim = () => {
        asked += 1;
        service.list = [];
        return asked === 1 ? answer : { status: 200, body: { data: { ...listed, status: 'in_progress' } } };
      };
      poller.start();
      await clock.advance(2);
      expect(accepted).toEqual([]);
      await clock.advance(10_000);
      expect(accepted).toMatchObject([{ serviceId: 'P' }]);
      const keys = http.requests
        .filter((request) => request.method === 'POST')
        .map((request) => request.headers?.['idempotency-key']);
      expect(keys).toEqual(['P/claim', 'P/claim']);
      await poller.stop();
    },
  );

  it('never asks for what is ours already, and hears it also after the claim', async () => {
    const { clock, service, accepted, ours, poller, payment, claims } = pollerOn();
    ours.add('echo');
    service.list = [payment('echo'), payment('late')];
    service.claim = (request) => {
      ours.add('late');
      return {
        status: 200,
        body: { data: payment(request.path.split('/')[2] ?? '', { status: 'in_progress' }) },
      };
    };
    poller.start();
    await clock.advance(20_000);
    expect(claims()).toEqual(['POST /terminal-payments/late/claim']);
    expect(accepted).toEqual([]);
    await poller.stop();
  });

  it.each([
    ['of another device', { device_id: 'other' }],
    ['that is a refund of nobody knows what', { type: 'refund' }],
    ['that is a void of nobody knows what', { type: 'void', parent_id: '' }],
    ['of a type nobody knows', { type: 'pre_authorisation' }],
    ['that is not requested any more', { status: 'cancelled' }],
    ['without an amount', { amount_minor: null }],
    ['without a currency', { currency: null }],
    ['in a currency nobody knows', { currency: 'XXX' }],
    ['of nothing', { amount_minor: 0 }],
    ['of half a cent', { amount_minor: 1.5 }],
    ['without a date', { created_at: null }],
    ['with a broken date', { created_at: 'yesterday' }],
    ['from the future', { created_at: '2099-01-01T00:00:00Z' }],
  ])('leaves work alone %s', async (_, change) => {
    const { clock, service, accepted, poller, payment, claims } = pollerOn();
    service.list = [payment('P', change)];
    poller.start();
    await clock.advance(20_000);
    expect([claims(), accepted]).toEqual([[], []]);
    await poller.stop();
  });

  it('runs nothing of a service that tells no date', async () => {
    const { clock, service, accepted, poller, payment, claims } = pollerOn();
    service.dateMs = () => null;
    service.list = [payment('P')];
    poller.start();
    await clock.advance(20_000);
    expect([claims(), accepted]).toEqual([[], []]);
    await poller.stop();
  });

  it.each([
    ['another device', { device_id: 'other' }],
    ['a final state', { status: 'cancelled' }],
    ['a refund', { type: 'refund', parent_id: 'S' }],
    ['something nobody knows', { type: 'pre_authorisation' }],
  ])('does not run a payment that the claim turns into %s', async (_, change) => {
    const { clock, service, accepted, lines, poller, payment } = pollerOn();
    const listed = payment('P');
    service.list = [listed];
    service.claim = () => ({ status: 200, body: { data: { ...listed, status: 'in_progress', ...change } } });
    poller.start();
    await clock.advance(20_000);
    expect(accepted).toEqual([]);
    expect(lines.filter((line) => line.level === 'error')).toHaveLength(1);
    await poller.stop();
  });

  it.each([
    ['another payment', { id: 'Q' }],
    ['a payment that still waits', { status: 'requested' }],
    ['a status that the contract does not have', { status: 'taken' }],
    ['another agent', { agent: 'agent-2' }],
  ])('takes an answer to a claim that shows %s for none, and asks again', async (_, change) => {
    const { clock, service, accepted, poller, payment, claims } = pollerOn();
    const listed = payment('P');
    service.list = [listed];
    let odd: object = change;
    service.claim = () => ({ status: 200, body: { data: { ...listed, status: 'in_progress', ...odd } } });
    poller.start();
    await clock.advance(20_000);
    expect(accepted).toEqual([]);
    expect(claims().length).toBeGreaterThan(1);
    odd = {};
    await clock.advance(10_000);
    expect(accepted).toMatchObject([{ serviceId: 'P' }]);
    await poller.stop();
  });

  it("takes the amount that the claim shows, which is newer than the list's", async () => {
    const { clock, service, accepted, poller, payment } = pollerOn();
    const listed = payment('P');
    service.list = [listed];
    service.claim = () => ({
      status: 200,
      body: { data: { ...listed, amount_minor: 99, status: 'in_progress' } },
    });
    poller.start();
    await clock.advance(2);
    expect(accepted).toMatchObject([{ amount: { minor: 99 } }]);
    await poller.stop();
  });

  it('discards what a poll shows of a device and amount while a create of ours is unanswered, and takes it up later', async () => {
    const { clock, service, accepted, creates, poller, payment, claims } = pollerOn();
    creates.begin('k', { deviceId: DEVICE, amountMinor: 1_234 });
    service.list = [payment('P'), payment('Q', { amount_minor: 5 })];
    poller.start();
    await clock.advance(10_000);
    expect(claims()).toEqual(['POST /terminal-payments/Q/claim']);
    creates.end('k', APPLIED);
    await clock.advance(10_000);
    expect(accepted.map((request) => request.serviceId)).toEqual(['Q', 'P']);
    await poller.stop();
  });

  it.each<['refund' | 'void', string | null, object]>([
    ['refund', 'S', { amount_minor: 500 }],
    ['void', 'S', {}],
  ])(
    'claims a %s as it claims a sale, and hands over which sale it belongs to, as the service names it',
    async (type, parentId, change) => {
      const { clock, service, accepted, poller, payment } = pollerOn();
      service.list = [payment('P', { type, parent_id: parentId, ...change })];
      poller.start();
      await clock.advance(2);
      expect(accepted).toMatchObject([{ serviceId: 'P', type, parentId, deviceId: DEVICE }]);
      await poller.stop();
    },
  );

  it.each([
    ['a sale', { type: 'sale' }],
    ['a void', { type: 'void' }],
    ['the refund of another sale', { parent_id: 'Q' }],
  ])('does not run a refund that the claim turns into %s', async (_, change) => {
    const { clock, service, accepted, lines, poller, payment } = pollerOn();
    const listed = payment('P', { type: 'refund', parent_id: 'S' });
    service.list = [listed];
    service.claim = () => ({ status: 200, body: { data: { ...listed, status: 'in_progress', ...change } } });
    poller.start();
    await clock.advance(20_000);
    expect(accepted).toEqual([]);
    expect(lines.filter((line) => line.level === 'error')).toHaveLength(1);
    await poller.stop();
  });

  it('discards a listed refund while one of ours of that sale is unanswered, and takes it up later', async () => {
    const { clock, service, accepted, creates, poller, payment, claims } = pollerOn();
    creates.begin('k', { type: 'refund', parentIds: ['ours', 'S'] });
    service.list = [
      payment('P', { type: 'refund', parent_id: 'S' }),
      payment('Q', { type: 'refund', parent_id: 'T' }),
    ];
    poller.start();
    await clock.advance(10_000);
    expect(claims()).toEqual(['POST /terminal-payments/Q/claim']);
    creates.end('k', APPLIED);
    await clock.advance(10_000);
    expect(accepted.map((request) => request.serviceId)).toEqual(['Q', 'P']);
    await poller.stop();
  });

  it('never runs work that the service cancelled before the answer to the claim came', async () => {
    const { clock, service, accepted, cancelled, poller, payment } = pollerOn();
    service.list = [payment('P')];
    service.claim = () => new AppError('NET_TIMEOUT', 'm', { context: { reached: 'unknown' } });
    poller.start();
    await clock.advance(1_000);
    service.list = [];
    const event = { id: 'evt_1', type: 'terminal_payment.cancelled', data: { id: 'P' } };
    service.events = () => ({ status: 200, body: { data: [event], has_more: false } });
    await clock.advance(40_000);
    expect(cancelled).toEqual(['P']);
    service.claim = () => ({ status: 200, body: { data: payment('P', { status: 'in_progress' }) } });
    await clock.advance(40_000);
    expect(accepted).toEqual([]);
    await poller.stop();
  });

  it('asks again when the core could not store claimed work, and lets the other work go on', async () => {
    const { clock, service, work, accepted, poller, payment, claims } = pollerOn();
    let full = true;
    work.accept = (request) => {
      if (full && request.serviceId === 'P') throw new AppError('STORAGE_FULL', 'full');
      accepted.push(request);
    };
    service.list = [payment('P'), payment('Q')];
    poller.start();
    await clock.advance(2);
    expect(accepted.map((request) => request.serviceId)).toEqual(['Q']);
    full = false;
    await clock.advance(10_000);
    expect(accepted.map((request) => request.serviceId)).toEqual(['Q', 'P']);
    expect(claims().filter((line) => line.includes('/P/')).length).toBeGreaterThan(1);
    await poller.stop();
  });

  describe('compares what the service knows of this agent with the books', () => {
    const reportedBy = (attempt: string, changes: object = {}) => ({
      status: 'succeeded',
      metadata: { tilld: { agent: 'agent-1', attempt, ...changes } },
    });

    /** What the core heard, and when it was asked: before any claim. */
    function watched(options: Partial<PollerOptions> = {}) {
      const on = pollerOn(options);
      const unknown: unknown[] = [];
      on.work.unknownAttempt = (...seen) => void unknown.push([...seen, on.claims().length]);
      return { ...on, unknown };
    }

    it('before the first claim: each payment that it reported is named to the core with its age', async () => {
      const { clock, service, poller, payment, unknown, claims } = watched();
      service.list = [payment('W')];
      const newest = [
        payment('P', reportedBy('a1')),
        payment('Q', { ...reportedBy('a2'), created_at: 'never' }),
        payment('R', { status: 'succeeded', metadata: { tilld: { agent: 'agent-2', attempt: 'b' } } }),
        payment('S', { metadata: { tilld: 'x' } }),
        payment('T', reportedBy('a3', { attempt: 7 })),
        payment('U', { metadata: null }),
      ];
      service.newest = () => ({ status: 200, body: { data: newest }, dateMs: clock.now() });
      poller.start();
      await clock.advance(2);
      expect(unknown).toEqual([
        ['P', 'a1', 2_000, 0],
        ['Q', 'a2', null, 0],
      ]);
      expect(claims()).toEqual(['POST /terminal-payments/W/claim']);
      await poller.stop();
    });

    it('and claims nothing when the core takes no work after it', async () => {
      const { clock, service, poller, payment, work, claims } = watched();
      let takes = true;
      work.mayTake = () => takes;
      work.unknownAttempt = () => {
        takes = false;
      };
      service.list = [payment('W')];
      service.newest = () => ({
        status: 200,
        body: { data: [payment('P', reportedBy('a1'))] },
        dateMs: clock.now(),
      });
      poller.start();
      await clock.advance(30_000);
      expect(claims()).toEqual([]);
      await poller.stop();
    });

    it('and claims nothing as long as it is not answered', async () => {
      const { clock, service, poller, payment, claims } = watched();
      service.list = [payment('W')];
      service.newest = () => ({ status: 503, body: {} });
      poller.start();
      await clock.advance(30_000);
      expect(claims()).toEqual([]);
      service.newest = () => ({ status: 200, body: { data: [] } });
      await clock.advance(30_000);
      expect(claims()).toHaveLength(1);
      await poller.stop();
    });

    it('but a service that has no such list is no reason to take no work', async () => {
      const { clock, service, poller, payment, claims } = watched();
      service.list = [payment('W')];
      service.newest = () => ({
        status: 400,
        body: { error: { type: 'x', code: 'parameter_missing', message: 'm' } },
      });
      poller.start();
      await clock.advance(10_000);
      expect(claims()).toHaveLength(1);
      await poller.stop();
    });

    it('again after each interruption of the line, and not in between', async () => {
      const { clock, http, poller } = watched();
      const compared = () =>
        http.requests.filter(
          ({ path, query }) => path === '/terminal-payments' && query?.['status'] === undefined,
        );
      poller.start();
      await clock.advance(60_000);
      expect(compared()).toHaveLength(1);
      poller.lineRestored();
      await clock.advance(60_000);
      expect(compared()).toHaveLength(2);
      await poller.stop();
    });
  });

  it('claims under the name of the agent and of the machine and folder that it runs on', async () => {
    const { clock, http, service, poller, payment } = pollerOn({ instance: '0a1b2c3d4e5f' });
    service.list = [payment('W')];
    poller.start();
    await clock.advance(2);
    const claim = http.requests.find(({ method }) => method === 'POST');
    expect(JSON.parse(claim?.body ?? '')).toEqual({ agent: 'agent-1/0a1b2c3d4e5f' });
    await poller.stop();
  });

  it('polls at once when it is poked and the budget has room', async () => {
    const { clock, asked, poller } = pollerOn({ intervalMs: 60_000, cancelIntervalMs: 600_000 });
    poller.start();
    await clock.advance(20_000);
    const before = asked().length;
    poller.poke();
    await clock.advance(2);
    expect(asked().length).toBe(before + 1);
    await poller.stop();
  });

  it('polls at its interval, not much later, and never over a quarter of the budget', async () => {
    const { clock, http, asked, poller } = pollerOn();
    poller.start();
    await clock.advance(60_000);
    const calm = http.requests.length;
    expect(calm).toBeGreaterThanOrEqual(11);
    // One of them is the comparison with the books at the start.
    expect(calm).toBeLessThanOrEqual(18);
    expect(asked().length).toBeGreaterThanOrEqual(calm * 0.6);
    for (let count = 0; count < 600; count += 1) {
      poller.poke();
      await clock.advance(100);
    }
    expect(http.requests.length - calm).toBeLessThanOrEqual(18);
    await poller.stop();
  });

  it('polls on as usual when its key is refused, so that it is taken again soon, and slowly after ten minutes', async () => {
    const { clock, http, service, poller } = pollerOn();
    service.listStatus = 401;
    poller.start();
    await clock.advance(120_000);
    expect(http.requests.length).toBeGreaterThan(24);
    await clock.advance(600_000);
    const before = http.requests.length;
    await clock.advance(120_000);
    expect(http.requests.length - before).toBeLessThanOrEqual(3);
    service.listStatus = 200;
    await clock.advance(75_000);
    service.listStatus = 401;
    const anew = http.requests.length;
    await clock.advance(60_000);
    expect(http.requests.length - anew).toBeGreaterThan(10);
    await poller.stop();
  });

  it('stops in the middle of a poll, twice without harm, and leaves no timer', async () => {
    const { clock, http, poller } = pollerOn();
    poller.start();
    await clock.advance(10_000);
    await poller.stop();
    await poller.stop();
    const before = http.requests.length;
    await clock.advance(60_000);
    expect(http.requests.length).toBe(before);
    expect(clock.pending).toEqual([]);
  });
});
