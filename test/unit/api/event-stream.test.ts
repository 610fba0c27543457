import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { Event } from '../../../src/api/contract/event.ts';
import { EventStream, messageOfEvent } from '../../../src/api/stream/event-stream.ts';
import type { Sink } from '../../../src/api/stream/sink.ts';
import type { Clock } from '../../../src/base/clock.ts';
import { silentLog } from '../../../src/base/log.ts';
import { DEVICE_ID, type MemoryPayments } from './memory-payments.ts';
import { ask, KEYS, keyId, openShop, startShop } from './shop.ts';
import { type Message, StreamReader } from './stream-reader.ts';

const STREAM = '/v2/events/stream';
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function shop(options: Parameters<typeof startShop>[0] = {}) {
  const started = await startShop({ rateLimit: { perMinute: 60_000, burst: 500 }, ...options });
  stops.push(started.api.stop);
  return { url: started.api.url, payments: started.shop.payments, keys: started.shop.keys, api: started.api };
}

const sell = (payments: MemoryPayments, text = '') =>
  payments.create({
    deviceId: DEVICE_ID,
    amount: { minor: 100, currency: 'EUR' },
    invoiceId: null,
    reference: null,
    metadata: { text },
    after: null,
    caller: 'socket',
  });
const ids = (messages: readonly Message[]) => messages.flatMap(({ id }) => (id === undefined ? [] : [id]));
const logIds = (payments: MemoryPayments) => payments.log.map(({ id }) => id);

describe('the event stream', () => {
  it('sends what happens from now on, each with id, type and envelope', async () => {
    const { url, payments } = await shop();
    sell(payments);
    const reader = await StreamReader.open(url, STREAM);
    sell(payments);
    const messages = await reader.until((all) => ids(all).length === 1);
    const message = messages.find(({ id }) => id !== undefined);
    expect(message).toMatchObject({ id: payments.log[1]?.id, event: 'terminal_payment.requested' });
    expect(Event.parse(message?.data)).toMatchObject({ id: message?.id, type: message?.event });
    reader.close();
  });

  it.each([
    ['Last-Event-ID', (id: string) => [STREAM, { 'last-event-id': id }] as const],
    ['starting_after', (id: string) => [`${STREAM}?starting_after=${id}`, {}] as const],
    [
      'Last-Event-ID before starting_after',
      (id: string) => [`${STREAM}?starting_after=evt_0`, { 'last-event-id': id }] as const,
    ],
  ])('resumes with %s: everything newer, then live, without gap or duplicate', async (_name, from) => {
    const { url, payments } = await shop();
    for (let index = 0; index < 130; index += 1) sell(payments);
    const [path, headers] = from(payments.log[2]?.id ?? '');
    const opening = StreamReader.open(url, path, headers);
    for (let index = 0; index < 20; index += 1) {
      sell(payments);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const reader = await opening;
    sell(payments);
    await reader.until((all) => ids(all).includes(payments.log.at(-1)?.id ?? ''));
    expect(ids(reader.messages)).toEqual(logIds(payments).slice(3));
    reader.close();
  });

  it('survives cuts at any moment when the reader resumes behind what it saw', async () => {
    const { url, payments } = await shop();
    sell(payments);
    const seen = [payments.log[0]?.id ?? ''];
    for (let round = 0; round < 8; round += 1) {
      const reader = await StreamReader.open(url, STREAM, { 'last-event-id': seen.at(-1) ?? '' });
      for (let index = 0; index <= round; index += 1) sell(payments);
      await reader.until((all) => ids(all).length > 0);
      reader.close();
      await reader.ended;
      seen.push(...ids(reader.messages));
      sell(payments);
    }
    const last = await StreamReader.open(url, STREAM, { 'last-event-id': seen.at(-1) ?? '' });
    await last.until((all) => ids(all).includes(payments.log.at(-1)?.id ?? ''));
    expect([...seen, ...ids(last.messages)]).toEqual(logIds(payments));
    last.close();
  });

  it('shows progress without an id, and never repeats it', async () => {
    const { url, payments } = await shop();
    const { attempt } = sell(payments);
    const reader = await StreamReader.open(url, STREAM);
    payments.note(attempt.id, 'Insert card');
    const messages = await reader.until((all) =>
      all.some(({ event }) => event === 'terminal_payment.progress'),
    );
    const progress = messages.find(({ event }) => event === 'terminal_payment.progress');
    expect(progress).toEqual({
      event: 'terminal_payment.progress',
      data: {
        payment_id: attempt.id,
        device_id: DEVICE_ID,
        text: 'Insert card',
        at: '1970-01-01T00:00:00.005Z',
      },
    });
    reader.close();
  });

  it('beats while nothing happens, and ends when its key is revoked', async () => {
    const { url, keys } = await shop({ stream: { heartbeatMs: 20 } });
    const reader = await StreamReader.open(url, STREAM);
    await reader.until((all) => all.filter(({ comment }) => comment === 'heartbeat').length >= 2);
    keys.endNow(keyId('full'));
    await reader.ended;
    expect((await ask(url, { path: STREAM })).status).toBe(401);
  });

  it('is limited in number, and gives its place back', async () => {
    const { url, payments } = await shop({ maxStreams: 1 });
    const reader = await StreamReader.open(url, STREAM);
    expect(await ask(url, { path: STREAM })).toMatchObject({
      status: 503,
      json: { error: { code: 'service_unavailable' } },
    });
    reader.close();
    await reader.ended;
    while (payments.listeners.size > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const next = await StreamReader.open(url, STREAM);
    expect(next.status).toBe(200);
    next.close();
  });

  it('ends when the agent stops', async () => {
    const { url, api, payments } = await shop();
    const reader = await StreamReader.open(url, STREAM);
    await api.stop();
    await reader.ended;
    expect(payments.listeners.size).toBe(0);
  });

  it('cuts off a reader that takes nothing', async () => {
    const { url, payments } = await shop({ stream: { stallMs: 50 } });
    sell(payments);
    for (let index = 0; index < 2_000; index += 1) sell(payments, 'x'.repeat(7_000));
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname, () => {
      const from = payments.log[0]?.id;
      socket.write(
        `GET ${STREAM}?starting_after=${from} HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${KEYS.full}\r\n\r\n`,
      );
    });
    socket.pause();
    socket.on('error', () => undefined);
    const closed = new Promise((resolve) => {
      socket.once('close', resolve);
    });
    while (payments.listeners.size === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    while (payments.listeners.size > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    socket.resume();
    await closed;
    expect((await ask(url, { path: '/v2/events?limit=1' })).status).toBe(200);
  });
});

describe('one reader below HTTP', () => {
  const timers = new Map<string, () => void>();
  const clock: Clock = {
    now: () => 0,
    monotonic: () => 0,
    timer: (name, _ms, fn) => {
      timers.set(name, fn);
      return { stop: () => timers.delete(name) };
    },
  };

  function open(limits = { heartbeatMs: 1, maxBufferedBytes: 10_000, stallMs: 1 }) {
    timers.clear();
    const { payments, deps } = openShop();
    const { devices } = deps;
    let drain: () => void = () => undefined;
    const state = { text: '', buffered: 0, cut: false, ended: false };
    const sink: Sink = {
      write: (text) => {
        state.text += text;
        state.buffered += text.length;
      },
      get buffered() {
        return state.buffered;
      },
      onDrain: (listener) => {
        drain = listener;
      },
      onClose: () => undefined,
      end: () => {
        state.ended = true;
      },
      cut: () => {
        state.cut = true;
      },
    };
    const first = sell(payments) && payments.log[0]?.id;
    const stream = new EventStream({ payments, devices, clock, log: silentLog }, sink, {
      after: first ?? null,
      limits,
      stillAllowed: () => true,
      textOf: (event) => messageOfEvent(event, devices),
    });
    const takeAll = () => {
      state.buffered = 0;
      drain();
    };
    return { payments, stream, state, takeAll };
  }

  const sent = (text: string) => [...text.matchAll(/^id: (.*)$/gm)].map((match) => match[1]);

  it('keeps a bounded amount in memory and goes on where it stopped', () => {
    const { payments, stream, state, takeAll } = open();
    stream.start();
    for (let index = 0; index < 200; index += 1) sell(payments, 'x'.repeat(500));
    expect(state.buffered).toBeLessThan(10_000 + 3_000);
    payments.note('a', 'dropped, because the reader is behind');
    expect(state.text).not.toContain('dropped');
    for (let index = 0; index < 100; index += 1) takeAll();
    expect(sent(state.text)).toEqual(logIds(payments).slice(1));
    expect(state.cut).toBe(false);
  });

  it('is cut when nothing was taken for the stall time, and not when everything was', () => {
    const { stream, state, takeAll } = open();
    stream.start();
    takeAll();
    expect(timers.has('event stream stall')).toBe(false);
    timers.get('event stream heartbeat')?.();
    timers.get('event stream stall')?.();
    expect(state).toMatchObject({ cut: true });
  });

  it('a reader that fails is cut, and the writer of payments does not notice', () => {
    const { payments, stream, state } = open();
    stream.start();
    payments.events = () => {
      throw new Error('disk');
    };
    expect(() => sell(payments)).not.toThrow();
    expect(state.cut).toBe(true);
    expect(payments.listeners.size).toBe(0);
  });
});
