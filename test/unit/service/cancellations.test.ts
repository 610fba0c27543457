import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/base/errors.ts';
import type { HttpRequest } from '../../../src/net/http-client.ts';
import { Budget } from '../../../src/outbox/budget.ts';
import { Cancellations } from '../../../src/service/cancellations.ts';
import { PaymentLists } from '../../../src/service/payment-lists.ts';
import { ServiceClient } from '../../../src/service/service-client.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { MemoryOutboxStore } from '../outbox/memory-outbox-store.ts';
import { readableLog } from '../outbox/sender-harness.ts';
import { FakeHttp, type Reply } from './fake-http.ts';

const signal = new AbortController().signal;
const cancelled = (event: string, payment: unknown, type = 'terminal_payment.cancelled') => ({
  id: event,
  type,
  created: '2026-01-05T09:00:00Z',
  data: payment === null ? null : { id: payment },
});
const page = (data: unknown[], has_more = false): Reply => ({
  status: 200,
  body: { object: 'list', data, has_more },
});
const UNKNOWN_CURSOR: Reply = { status: 400, body: { error: { code: 'resource_missing', message: 'm' } } };
const MISSING_SCOPE: Reply = {
  status: 403,
  body: { error: { code: 'insufficient_permissions', message: 'm' } },
};

/** A service with a feed and a list of cancelled payments; `feed` is asked with the cursor. */
function listening(cursor: string | null = null) {
  const clock = new VirtualClock();
  const { log, lines } = readableLog();
  const service: { feed: (cursor: string | undefined) => Reply | AppError; list: Reply } = {
    feed: () => page([]),
    list: page([]),
  };
  const answer = ({ path, query }: HttpRequest) =>
    path === '/events' ? service.feed(query?.['starting_after'] as string | undefined) : service.list;
  const http = new FakeHttp(() => clock.now(), answer);
  const client = new ServiceClient({ http, log, credential: () => 'k' });
  const notified: string[] = [];
  const work = { cancelled: (id: string) => void notified.push(id) };
  const place = new MemoryOutboxStore();
  place.cursor = cursor;
  const budget = new Budget(clock);
  const lists = new PaymentLists({ client, budget, log }, ['d1', 'd2']);
  const cancellations = new Cancellations({ client, lists, work, place, budget, clock, log });
  cancellations.start();
  const look = async (times: number) => {
    for (let count = 0; count < times; count += 1) {
      await cancellations.look(signal);
      await clock.advance(12_000);
    }
  };
  /** What was asked: `list`, or `after` and the cursor. */
  const asked = () =>
    http.requests.map(({ path, query }) =>
      path === '/events' ? `after ${query?.['starting_after'] ?? 'nothing'}` : `list ${query?.['status']}`,
    );
  return { clock, http, service, work, notified, place, lines, look, asked, cancellations };
}

describe('What the service cancelled', () => {
  it('is told of sales, refunds and voids, with and without the prefix of its name; other events are passed by', async () => {
    const { service, notified, place, look } = listening();
    service.feed = () =>
      page([
        cancelled('evt_1', 'S'),
        cancelled('evt_2', 'R', 'terminal_refund.cancelled'),
        cancelled('evt_3', 'V', 'billing.terminal_void.cancelled'),
        cancelled('evt_4', 'X', 'terminal_payment.succeeded'),
        cancelled('evt_5', 'X', 'subscription.cancelled'),
      ]);
    await look(2);
    expect(notified).toEqual(['S', 'R', 'V']);
    expect(place.cursor).toBe('evt_5');
  });

  it('is read from where it was read to, also after a restart', async () => {
    const { service, asked, notified, look } = listening('evt_7');
    service.feed = (after) => page(after === 'evt_7' ? [cancelled('evt_8', 'P')] : []);
    await look(4);
    expect(asked()).toEqual(['list cancelled', 'after evt_7', 'after evt_8', 'after evt_8']);
    expect(notified).toEqual(['P']);
  });

  it('is told once, however often the service shows it', async () => {
    const { service, notified, look } = listening();
    service.list = page([{ id: 'P', status: 'cancelled' }]);
    service.feed = () => page([cancelled('evt_1', 'P'), cancelled('evt_1', 'P')], true);
    await look(10);
    expect(notified).toEqual(['P']);
  });

  it('is heard hours late', async () => {
    const { clock, service, notified, look, cancellations } = listening();
    await look(3);
    await clock.advance(7 * 3_600_000);
    service.feed = () => page([cancelled('evt_1', 'P')]);
    await look(2);
    expect(notified).toEqual(['P']);
    expect([cancellations.wasCancelled('P'), cancellations.wasCancelled('Q')]).toEqual([true, false]);
  });

  it('is looked up in the list in turn with the feed, as long as the feed is behind', async () => {
    const { service, asked, notified, look } = listening();
    service.list = page([{ id: 'L', status: 'cancelled' }]);
    let next = 0;
    service.feed = () => page([cancelled(`evt_${++next}`, `P${next}`)], next < 3);
    await look(8);
    expect(asked()).toEqual([
      'list cancelled',
      'after nothing',
      'list cancelled',
      'after evt_1',
      'list cancelled',
      'after evt_2',
      'after evt_3',
      'after evt_4',
    ]);
    expect(notified).toEqual(['L', 'P1', 'P2', 'P3', 'P4', 'P5']);
  });

  it.each<[string, Reply]>([
    ['400', UNKNOWN_CURSOR],
    ['404', { status: 404, body: { error: { code: 'resource_missing', message: 'm' } } }],
  ])(
    'is found in the list when the service does not know our place any more (%s), and in the feed from its beginning',
    async (_, reply) => {
      const { service, asked, notified, place, look } = listening('evt_gone');
      service.feed = (after) =>
        after === 'evt_gone' ? reply : page([cancelled('evt_1', 'P')], after === undefined);
      await look(2);
      service.list = page([{ id: 'L', status: 'cancelled' }]);
      await look(3);
      expect(asked()).toEqual([
        'list cancelled',
        'after evt_gone',
        'list cancelled',
        'after nothing',
        'list cancelled',
      ]);
      expect(notified).toEqual(['L', 'P']);
      expect(place.cursor).toBe('evt_1');
    },
  );

  it.each<[string, Reply]>([
    ['a key without the scope', MISSING_SCOPE],
    ['a service without a feed', { status: 404, body: { error: 'Not Found' } }],
    ['a feed nobody has built', { status: 501, body: { error: { code: 'not_implemented', message: 'm' } } }],
    ['a feed of lines without an id', page([{ type: 'terminal_payment.cancelled' }])],
  ])(
    'is found in the list alone with %s, with one warning; the feed is tried again after ten minutes',
    async (_, reply) => {
      const { clock, service, asked, notified, lines, look } = listening();
      service.feed = () => reply;
      await look(20);
      expect(asked().filter((line) => line.startsWith('after'))).toHaveLength(1);
      service.list = page([{ id: 'L', status: 'cancelled' }]);
      await look(1);
      expect(notified).toEqual(['L']);
      const warned = lines.filter((line) => line.message.startsWith('the service shows us no events'));
      expect(warned).toHaveLength(1);
      await clock.advance(600_000);
      await look(2);
      expect(asked().filter((line) => line.startsWith('after'))).toHaveLength(2);
    },
  );

  it('passes what cannot be read by, with a warning, and goes on behind it', async () => {
    const { service, notified, place, lines, look } = listening();
    const broken = [
      null,
      7,
      { id: 'evt_0' },
      cancelled('evt_1', null),
      cancelled('evt_2', 7),
      cancelled('evt_3', ''),
    ];
    service.feed = () => page([...broken, cancelled('evt_4', 'P')]);
    await look(2);
    expect([notified, place.cursor]).toEqual([['P'], 'evt_4']);
    expect(lines.filter((line) => line.level === 'warn')).toHaveLength(4);
  });

  it('is told again when it could not be taken in: our place does not move', async () => {
    const { service, work, notified, place, look, cancellations } = listening();
    const take = work.cancelled;
    work.cancelled = () => {
      throw new AppError('STORAGE_FULL', 'full');
    };
    service.feed = () => page([cancelled('evt_1', 'P')]);
    await look(2);
    expect([notified, place.cursor, cancellations.wasCancelled('P')]).toEqual([[], null, false]);
    work.cancelled = take;
    await look(2);
    expect([notified, place.cursor]).toEqual([['P'], 'evt_1']);
  });

  it('is taken from the list now and then although the feed has nothing to say', async () => {
    const { service, notified, look } = listening();
    await look(3);
    service.list = page([{ id: 'L', status: 'cancelled' }]);
    await look(25);
    expect(notified).toEqual(['L']);
  });

  it.each<[string, Reply | AppError]>([
    ['503', { status: 503, body: { error: { code: 'service_unavailable' } } }],
    ['silence', new AppError('NET_TIMEOUT', 'm', { context: { reached: 'unknown' } })],
    ['a portal', { status: 200, body: 'html' }],
  ])('waits after %s: our place stays, and the feed is asked again', async (_, reply) => {
    const { service, notified, place, look } = listening('evt_1');
    service.feed = () => reply;
    await look(4);
    expect([notified, place.cursor]).toEqual([[], 'evt_1']);
    service.feed = () => page([cancelled('evt_2', 'P')]);
    await look(2);
    expect([notified, place.cursor]).toEqual([['P'], 'evt_2']);
  });
});
