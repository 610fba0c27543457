import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/base/errors.ts';
import { hmacSha256 } from '../../../src/runtime/hmac.ts';
import { aMoneyDatabase } from '../../support/money-database.ts';
import { HOUR, hooks, MINUTE } from './hooks.ts';

const RESET = new AppError('NET_UNREACHABLE', 'the connection failed (ECONNRESET)');
const SCHEDULE = [0, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 8 * HOUR, 24 * HOUR];

describe('the dispatcher', () => {
  it('sends an event once, signed over the bytes that it sends, and notes the acknowledgement', async () => {
    const { register, happen, clock, sent, delivery, stop } = hooks();
    const { secret } = register('a');
    happen('evt_1');
    await clock.advance(100);
    const seconds = Math.floor((sent[0]?.at ?? 0) / 1000);
    const v1 = hmacSha256(secret, `${seconds}.{"id":"evt_1"}`);
    expect(sent).toMatchObject([{ event: 'evt_1', signature: `t=${seconds},v1=${v1}` }]);
    expect(delivery('evt_1')).toMatchObject({
      attempts: 1,
      responseStatus: 200,
      status: { name: 'delivered' },
    });
    await clock.advance(48 * HOUR);
    expect(sent).toHaveLength(1);
    await stop();
  });

  it('makes six attempts at exactly 0, 5 min, 30 min, 2 h, 8 h and 24 h after the delivery was made, then none', async () => {
    const { register, happen, clock, sent, receivers, delivery, stop } = hooks();
    receivers.set('https://a.example/', (_post, count) => (count % 2 === 0 ? RESET : 503));
    register('a');
    happen('evt_1');
    await clock.advance(100);
    await clock.advance(72 * HOUR);
    const { createdAt, status, attempts, lastError } = delivery('evt_1');
    expect(sent.map(({ at }) => at - createdAt)).toEqual(SCHEDULE);
    expect({ status: status, attempts, lastError }).toMatchObject({
      status: { name: 'failed' },
      attempts: 6,
      lastError: 'the connection failed (ECONNRESET)',
    });
    await stop();
  });

  it('gives an endpoint what happens from its creation on, each event once', async () => {
    const { register, happen, clock, sent, stop } = hooks();
    happen('evt_before_any');
    register('a');
    happen('evt_1');
    register('b');
    happen('evt_2');
    await clock.advance(100);
    const seenBy = (name: string) =>
      sent.filter(({ url }) => url === `https://${name}.example/`).map(({ event }) => event);
    expect(seenBy('a')).toEqual(['evt_1', 'evt_2']);
    expect(seenBy('b')).toEqual(['evt_2']);
    await stop();
  });

  it('sends to an endpoint only what it subscribed to, by the words that stood when it happened', async () => {
    const { register, happen, clock, sent, service, stop } = hooks();
    const { id } = register('a', ['terminal_payment.declined']);
    happen('evt_paid');
    service.update(id, { events: ['terminal_payment.succeeded'] });
    happen('evt_declined', 'terminal_payment.declined');
    happen('evt_paid_later');
    await clock.advance(100);
    expect(sent.map(({ event }) => event)).toEqual(['evt_paid_later']);
    await stop();
  });

  it('writes nothing while there is no endpoint, and nothing for what nobody wants', async () => {
    const { happen, clock, database, register, stop } = hooks();
    happen('evt_1');
    const edition = database.writeCounter;
    await clock.advance(MINUTE);
    expect(database.writeCounter).toBe(edition);
    register('a', ['settlement.created']);
    await clock.advance(MINUTE);
    happen('evt_2');
    const later = database.writeCounter;
    await clock.advance(MINUTE);
    expect(database.writeCounter).toBe(later);
    await stop();
  });

  it('gives everything to one endpoint at once while the other one hangs', async () => {
    const { register, happen, clock, sent, receivers, stop } = hooks();
    receivers.set('https://dead.example/', () => 'hangs');
    register('dead');
    register('good');
    for (let number = 0; number < 30; number += 1) happen(`evt_${number}`);
    await clock.advance(100);
    expect(sent.filter(({ url }) => url === 'https://good.example/').map(({ event }) => event)).toEqual(
      Array.from({ length: 30 }, (_, number) => `evt_${number}`),
    );
    expect(sent.filter(({ url }) => url === 'https://dead.example/')).toHaveLength(1);
    await clock.advance(10_000);
    expect(sent.filter(({ url }) => url === 'https://dead.example/').map(({ event }) => event)).toEqual([
      'evt_0',
      'evt_1',
    ]);
    await stop();
  });

  it('holds no later event behind one that fails', async () => {
    const { register, happen, clock, sent, receivers, stop } = hooks();
    receivers.set('https://a.example/', ({ body }) => (body.includes('evt_1') ? 500 : 200));
    register('a');
    happen('evt_1');
    happen('evt_2');
    await clock.advance(100);
    expect(sent.map(({ event }) => event)).toEqual(['evt_1', 'evt_2']);
    await clock.advance(5 * MINUTE);
    expect(sent.map(({ event }) => event)).toEqual(['evt_1', 'evt_2', 'evt_1']);
    await stop();
  });

  it('has at most eight requests under way, one per endpoint, and gives each endpoint its turn', async () => {
    const { register, happen, clock, receivers, sent, stop } = hooks();
    const names = Array.from({ length: 12 }, (_, number) => `e${number}`);
    for (const name of names) {
      receivers.set(`https://${name}.example/`, () => 'hangs');
      register(name);
    }
    happen('evt_1');
    happen('evt_2');
    await clock.advance(100);
    expect(sent).toHaveLength(8);
    await clock.advance(10_000);
    expect(new Set(sent.map(({ url }) => url)).size).toBe(12);
    await stop();
  });

  it('breaks an attempt off after ten seconds and says so', async () => {
    const { register, happen, clock, receivers, delivery, stop } = hooks();
    receivers.set('https://a.example/', () => 'hangs');
    register('a');
    happen('evt_1');
    await clock.advance(10_500);
    expect(delivery('evt_1')).toMatchObject({ attempts: 1, lastError: 'no answer within 10 s' });
    await stop();
  });

  it('signs with the new secret from the next attempt on', async () => {
    const { register, happen, clock, receivers, sent, service, stop } = hooks();
    receivers.set('https://a.example/', (_post, count) => (count === 1 ? 500 : 200));
    const { id, secret } = register('a');
    happen('evt_1');
    await clock.advance(100);
    const rolled = service.rollSecret(id).secret;
    await clock.advance(5 * MINUTE);
    const signedBy = (key: string, number: number) => {
      const { at = 0, signature } = sent[number] ?? {};
      const seconds = Math.floor(at / 1000);
      return signature === `t=${seconds},v1=${hmacSha256(key, `${seconds}.{"id":"evt_1"}`)}`;
    };
    expect([signedBy(secret, 0), signedBy(rolled, 1), signedBy(secret, 1)]).toEqual([true, true, false]);
    await stop();
  });

  it('sends nothing to an endpoint that is deleted in the middle: what was pending has failed', async () => {
    const { register, happen, clock, receivers, sent, delivery, service, stop } = hooks();
    receivers.set('https://a.example/', () => 500);
    const { id } = register('a');
    happen('evt_1');
    await clock.advance(100);
    service.remove(id);
    await clock.advance(48 * HOUR);
    expect(sent).toHaveLength(1);
    expect(delivery('evt_1')).toMatchObject({
      status: { name: 'failed' },
      lastError: 'the endpoint was deleted',
    });
    await stop();
  });

  it('keeps what is pending of a disabled endpoint: enabled again in time it goes at once', async () => {
    const { register, happen, clock, receivers, sent, delivery, service, stop } = hooks();
    receivers.set('https://a.example/', (_post, count) => (count === 1 ? 500 : 200));
    const { id } = register('a');
    happen('evt_1');
    await clock.advance(100);
    service.update(id, { status: 'disabled' });
    happen('evt_2');
    await clock.advance(3 * HOUR);
    expect(sent).toHaveLength(1);
    service.update(id, { status: 'enabled' });
    await clock.advance(100);
    expect(sent.map(({ event }) => event)).toEqual(['evt_1', 'evt_1']);
    expect(delivery('evt_1').status.name).toBe('delivered');
    await stop();
  });

  it('gives up what a disabled endpoint left pending once its 24 hours are over, also when it is started every day', async () => {
    const { register, happen, clock, receivers, delivery, service, stop, restart } = hooks();
    receivers.set('https://a.example/', () => 500);
    const { id } = register('a');
    happen('evt_1');
    await clock.advance(100);
    service.update(id, { status: 'disabled' });
    await stop();
    await clock.advance(12 * HOUR);
    restart();
    await clock.advance(12 * HOUR);
    service.tidy();
    expect(delivery('evt_1').status.name).toBe('pending');
    await clock.advance(2 * HOUR);
    expect(service.tidy()).toMatchObject({ expired: 1 });
    expect(delivery('evt_1')).toMatchObject({ status: { name: 'failed' }, attempts: 1 });
    await stop();
  });

  it('sends again what is redelivered, with the same event id and six attempts of its own', async () => {
    const { register, happen, clock, receivers, sent, delivery, service, stop } = hooks();
    receivers.set('https://a.example/', () => 500);
    register('a');
    happen('evt_1');
    await clock.advance(100);
    await clock.advance(72 * HOUR);
    const failed = delivery('evt_1');
    const again = service.redeliver(failed.id);
    expect(again.id).not.toBe(failed.id);
    await clock.advance(100);
    await clock.advance(72 * HOUR);
    expect(sent.map(({ event }) => event)).toEqual(Array.from({ length: 12 }, () => 'evt_1'));
    expect(delivery('evt_1')).toMatchObject({ id: again.id, attempts: 6, status: { name: 'failed' } });
    await stop();
  });

  it('fails what belongs to an event that is not kept any more, without asking anybody', async () => {
    const { register, happen, clock, sent, delivery, stop } = hooks({ bodyOf: () => null });
    register('a');
    happen('evt_1');
    await clock.advance(100);
    expect(sent).toEqual([]);
    expect(delivery('evt_1')).toMatchObject({
      status: { name: 'failed' },
      lastError: expect.stringContaining('not kept'),
    });
    await stop();
  });

  it('takes an event that cannot be rendered for a failed attempt, and is not kept busy by it', async () => {
    let tries = 0;
    const bodyOf = () => {
      tries += 1;
      throw new Error('a broken snapshot');
    };
    const { register, happen, clock, delivery, stop } = hooks({ bodyOf });
    register('a');
    happen('evt_1');
    await clock.advance(MINUTE);
    expect(tries).toBe(1);
    expect(delivery('evt_1')).toMatchObject({ attempts: 1, lastError: 'a broken snapshot' });
    await stop();
  });

  it('checks the address again before each attempt', async () => {
    const { register, happen, clock, sent, database, delivery, stop } = hooks();
    register('a');
    database.run("UPDATE webhook_endpoints SET url = 'http://a.example/'");
    happen('evt_1');
    await clock.advance(100);
    expect(sent).toEqual([]);
    expect(delivery('evt_1')).toMatchObject({
      attempts: 1,
      lastError: expect.stringContaining('must be https'),
    });
    await stop();
  });
});

describe('the dispatcher and its disk', () => {
  it('notes nothing and sends nothing while there is no room, and everything once there is', async () => {
    const room = { there: true };
    const { register, happen, clock, sent, database, stop } = hooks({ mayWrite: () => room.there });
    register('a');
    room.there = false;
    happen('evt_1');
    const edition = database.writeCounter;
    await clock.advance(HOUR);
    expect([sent.length, database.writeCounter]).toEqual([0, edition]);
    room.there = true;
    await clock.advance(2_000);
    expect(sent).toHaveLength(1);
    await stop();
  });

  it('asks a receiver once, however often its outcome cannot be written, and notes it when it can', async () => {
    const { register, happen, clock, sent, store, delivery, stop } = hooks();
    register('a');
    const update = store.updateDelivery.bind(store);
    store.updateDelivery = () => {
      throw new AppError('STORAGE_FULL', 'the disk is full');
    };
    happen('evt_1');
    await clock.advance(MINUTE);
    expect(sent).toHaveLength(1);
    expect(delivery('evt_1').status.name).toBe('pending');
    store.updateDelivery = update;
    await clock.advance(2_000);
    expect(delivery('evt_1')).toMatchObject({ attempts: 1, status: { name: 'delivered' } });
    expect(sent).toHaveLength(1);
    await stop();
  });
});

describe('the dispatcher and time', () => {
  it('makes an attempt that was missed while tilld was off once, at once; the later ones keep their distance, six in all', async () => {
    const { register, happen, clock, sent, receivers, delivery, stop, restart } = hooks();
    receivers.set('https://a.example/', () => 500);
    register('a');
    happen('evt_1');
    await clock.advance(MINUTE);
    await stop();
    await clock.advance(100 * HOUR);
    restart();
    const back = clock.now();
    await clock.advance(100);
    await clock.advance(72 * HOUR);
    const gaps = [0, 25 * MINUTE, 115 * MINUTE, 475 * MINUTE, 1435 * MINUTE];
    expect(sent.slice(1).map(({ at }) => at - back)).toEqual(gaps);
    expect(delivery('evt_1')).toMatchObject({ attempts: 6, status: { name: 'failed' } });
    await stop();
  });

  it.each([
    ['forwards by ten years', 10 * 365 * 24 * HOUR],
    ['backwards by ten years', -10 * 365 * 24 * HOUR],
  ])('makes six attempts within two days when the clock is set %s in the middle', async (_name, ms) => {
    const { register, happen, clock, sent, receivers, delivery, stop } = hooks();
    receivers.set('https://a.example/', () => 500);
    register('a');
    happen('evt_1');
    await clock.advance(10 * MINUTE);
    clock.jumpWallClock(ms);
    await clock.advance(48 * HOUR);
    expect(sent).toHaveLength(6);
    expect(delivery('evt_1')).toMatchObject({ attempts: 6, status: { name: 'failed' } });
    await stop();
  });

  it('waits no longer than the schedule says when it is started with a clock that has gone back', async () => {
    const { register, happen, clock, sent, receivers, stop, restart } = hooks();
    receivers.set('https://a.example/', () => 500);
    register('a');
    happen('evt_1');
    await clock.advance(MINUTE);
    await stop();
    clock.jumpWallClock(-50 * 365 * 24 * HOUR);
    restart();
    await clock.advance(6 * MINUTE);
    expect(sent).toHaveLength(2);
    await stop();
  });
});

describe('the place in the feed', () => {
  it('is moved with the deliveries in one transaction: a write that fails half-way leaves both for the next round', async () => {
    const { register, happen, clock, store, sent, stop } = hooks();
    register('a');
    const insert = store.insertDelivery.bind(store);
    let broken = true;
    store.insertDelivery = (delivery) => {
      insert(delivery);
      if (broken && delivery.eventId === 'evt_2') throw new AppError('STORAGE_FULL', 'the disk is full');
    };
    happen('evt_1');
    happen('evt_2');
    await clock.advance(500);
    expect(sent).toEqual([]);
    broken = false;
    await clock.advance(2_000);
    expect(sent.map(({ event }) => event)).toEqual(['evt_1', 'evt_2']);
    await stop();
  });

  it('survives a stop between an event and its delivery: nothing is missed, nothing is doubled', async () => {
    const database = aMoneyDatabase();
    const { register, happen, clock, sent, stop, restart } = hooks({}, database);
    register('a');
    happen('evt_1');
    await clock.advance(100);
    happen('evt_2');
    await stop();
    happen('evt_3');
    restart();
    await clock.advance(100);
    expect(sent.map(({ event }) => event)).toEqual(['evt_1', 'evt_2', 'evt_3']);
    await stop();
  });

  it('is read to its end in pages, events in their order', async () => {
    const { register, happen, clock, sent, stop, restart } = hooks();
    register('a');
    await stop();
    for (let number = 0; number < 120; number += 1) happen(`evt_${number}`);
    restart();
    await clock.advance(5_000);
    expect(sent.map(({ event }) => event)).toEqual(
      Array.from({ length: 120 }, (_, number) => `evt_${number}`),
    );
    await stop();
  });
});
