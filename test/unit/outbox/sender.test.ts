import { describe, expect, it } from 'vitest';
import type { Answer, PaymentAtService } from '../../../src/outbox/report-port.ts';
import { APPLIED, found, LOST, no, OFFLINE, shown, unavailable } from './scripted-service.ts';
import { CREATE, HOUR, RESULT, senderOn } from './sender-harness.ts';

const live = (clock: { now(): number }) => ({ createdAt: clock.now() });

describe('Outbox sender', () => {
  it('reports the create, then the result, each once and under its own key', async () => {
    const { clock, store, port, sender } = senderOn();
    store.add({ ...CREATE, ...live(clock) });
    store.add({ ...RESULT, ...live(clock) });
    sender.start();
    await clock.advance(10_000);
    expect(port.calls).toEqual([
      { what: 'create', body: CREATE.body, key: 'key-c' },
      { what: 'result', id: 'A', body: RESULT.body, key: 'key-r' },
    ]);
    expect(store.writes).toEqual(['begin c', 'done c', 'begin r', 'done r']);
    await sender.stop();
  });

  it('sends nothing and writes nothing while the disk is in trouble, and goes on when it is mended', async () => {
    const { clock, store, port, disk, sender } = senderOn();
    disk.shortage = { kind: 'disk_full', message: 'The disk is full.' };
    store.add({ ...RESULT, ...live(clock) });
    sender.start();
    await clock.advance(60_000);
    expect([port.calls, store.writes, store.row('r').state]).toEqual([[], [], 'pending']);
    disk.shortage = null;
    await clock.advance(2_000);
    expect([port.sequence, store.row('r').state]).toEqual(['result', 'done']);
    await sender.stop();
  });

  it('leaves nothing that is done to a sync that nobody waits for', async () => {
    const { clock, store, sender } = senderOn();
    store.add({ ...RESULT, ...live(clock) });
    sender.start();
    await clock.advance(1);
    expect([store.row('r').state, store.isUnsynced]).toEqual(['done', false]);
    await sender.stop();
  });

  it('makes what is done while it asks for a sign of life safe at once', async () => {
    const { clock, store, port, sender } = senderOn();
    let answered: (answer: Answer<PaymentAtService>) => void = () => undefined;
    const late = () => new Promise<Answer<PaymentAtService>>((resolve) => (answered = resolve));
    const never = () => new Promise<Answer<PaymentAtService>>(() => undefined);
    port.otherwise = APPLIED;
    port.sends.push(late, OFFLINE);
    port.pings.push(never);
    store.add({ ...RESULT, ...live(clock) });
    sender.start();
    await clock.advance(1);
    store.add({ ...RESULT, id: 'r2', attemptId: 'B', ...live(clock) });
    await clock.advance(5_000);
    expect(port.calls.at(-1)?.what).toBe('ping');
    answered(APPLIED);
    await clock.advance(1);
    expect([store.row('r').state, store.isUnsynced]).toEqual(['done', false]);
    await sender.stop();
  });

  it('goes at once when it is poked, and within a second when nobody pokes', async () => {
    const { clock, store, port, sender } = senderOn();
    sender.start();
    await clock.advance(100);
    store.add({ ...RESULT, ...live(clock) });
    sender.poke();
    await clock.advance(1);
    expect(port.sequence).toBe('result');
    store.add({ ...RESULT, id: 'r2', attemptId: 'B', ...live(clock) });
    await clock.advance(1_000);
    expect(port.sequence).toBe('result result');
    await sender.stop();
  });

  it('repeats an unanswered report under the same key and body until it is answered', async () => {
    const { clock, store, port, sender } = senderOn();
    port.sends.push(LOST, LOST);
    store.add({ ...RESULT, ...live(clock) });
    sender.start();
    await clock.advance(1);
    expect(store.row('r')).toMatchObject({
      state: 'pending',
      unanswered: true,
      tries: 1,
      lastError: 'unavailable unknown',
    });
    await clock.advance(20_000);
    expect(store.row('r').state).toBe('done');
    expect(new Set(port.calls.map((call) => JSON.stringify([call.key, call.body]))).size).toBe(1);
    await sender.stop();
  });

  it('never has one row on its way twice, however often it is poked', async () => {
    const { clock, store, port, sender } = senderOn();
    let release: (answer: Answer<PaymentAtService>) => void = () => undefined;
    port.sends.push(
      () =>
        new Promise<Answer<PaymentAtService>>((resolve) => {
          release = resolve;
        }),
    );
    store.add({ ...RESULT, ...live(clock) });
    sender.start();
    for (let count = 0; count < 5; count += 1) {
      sender.poke();
      await clock.advance(1_000);
    }
    expect(port.calls).toHaveLength(1);
    release(APPLIED);
    await clock.advance(5_000);
    expect(store.writes).toEqual(['begin r', 'done r']);
    await sender.stop();
  });

  it('lets a report that does not get through hold up its own attempt only', async () => {
    const { clock, store, port, sender } = senderOn();
    port.otherwise = (call) => (call.key === 'key-c' ? no('refused', 409) : APPLIED);
    for (let count = 0; count < 20; count += 1)
      port.lookUps.push({ kind: 'no_answer', answer: no('refused', 400) });
    store.add({ ...CREATE, ...live(clock) });
    store.add({ ...RESULT, ...live(clock) });
    store.add({ ...RESULT, id: 'r2', attemptId: 'B', createdAt: clock.now() - 1 });
    sender.start();
    await clock.advance(30_000);
    expect([store.row('c').state, store.row('r').state, store.row('r2').state]).toEqual([
      'pending',
      'pending',
      'done',
    ]);
    expect(port.calls.filter((call) => call.key === 'key-r')).toEqual([]);
    await sender.stop();
  });

  it('keeps rows that wait for their back-off from hiding the rows behind them', async () => {
    const { clock, store, port, sender } = senderOn();
    port.otherwise = (call) =>
      call.key === 'key-last' ? APPLIED : { kind: 'conflict_in_progress', retryAfterMs: 600_000 };
    for (let count = 0; count < 60; count += 1)
      store.add({ ...RESULT, id: `r${count}`, attemptId: `A${count}`, createdAt: clock.now() });
    store.add({ ...RESULT, id: 'last', attemptId: 'Z', createdAt: clock.now() - 1 });
    sender.start();
    await clock.advance(5_000);
    expect(store.row('last').state).toBe('done');
    await sender.stop();
  });

  it('honours Retry-After of a row', async () => {
    const { clock, store, port, sender } = senderOn();
    port.sends.push(unavailable('unknown', 30_000));
    store.add({ ...RESULT, ...live(clock) });
    sender.start();
    await clock.advance(29_000);
    expect(port.calls).toHaveLength(1);
    await clock.advance(2_500);
    expect(store.row('r').state).toBe('done');
    await sender.stop();
  });

  it('stops for everybody on a 429 until Retry-After is over, and forgets nothing', async () => {
    const { clock, store, port, sender } = senderOn();
    port.sends.push({ kind: 'rate_limited', retryAfterMs: 20_000 });
    store.add({ ...RESULT, ...live(clock) });
    sender.start();
    await clock.advance(1);
    store.add({ ...RESULT, id: 'r2', attemptId: 'B', ...live(clock) });
    await clock.advance(19_000);
    expect(port.calls).toHaveLength(1);
    await clock.advance(10_000);
    expect(store.summary()).toMatchObject({ pending: 0, parked: 0 });
    await sender.stop();
  });

  it('tries the body without metadata once after a 400, under the same key, and remembers it across a restart', async () => {
    const { clock, store, port, sender } = senderOn();
    port.sends.push(no('refused', 400), OFFLINE);
    store.add({ ...CREATE, ...live(clock) });
    sender.start();
    await clock.advance(1);
    await sender.stop();
    expect(store.row('c').lastError).toMatch(/^plain_body: /);
    sender.start();
    await clock.advance(20_000);
    const plain = { id: 'A', amount_minor: 1 };
    expect(port.calls.filter((call) => call.what === 'create').map((call) => [call.key, call.body])).toEqual([
      ['key-c', CREATE.body],
      ['key-c', plain],
      ['key-c', plain],
    ]);
    expect(store.row('c').state).toBe('done');
    await sender.stop();
  });

  it('parks with a reason, an alarm and a task for a person after a final no', async () => {
    const { clock, store, port, sender, lines } = senderOn();
    port.sends.push(no('refused', 422, 'too_much'));
    store.add({ ...RESULT, ...live(clock) });
    sender.start();
    await clock.advance(10_000);
    expect(store.row('r')).toMatchObject({ state: 'parked', lastError: 'refused: 422 too_much no' });
    expect(store.tasks.has('A')).toBe(true);
    expect(lines.filter((line) => line.level === 'error')).toHaveLength(1);
    expect(port.calls).toHaveLength(1);
    await sender.stop();
  });

  it('stores the id that the service gave the payment and uses it for the result', async () => {
    const { clock, store, port, sender } = senderOn();
    port.sends.push({ kind: 'applied', value: { id: 'S', status: 'requested', authCode: null } });
    store.add({ ...CREATE, ...live(clock) });
    store.add({ ...RESULT, ...live(clock) });
    sender.start();
    await clock.advance(5_000);
    expect(store.serviceIdOf('A')).toBe('S');
    expect(port.calls.at(-1)).toMatchObject({ what: 'result', id: 'S' });
    await sender.stop();
  });

  it.each([
    ['refused key', no('unauthorised', 401)],
    ['missing scope', no('forbidden', 403)],
  ])(
    'stops on a %s with one alarm, keeps everything, tries again slowly, and at once when the key is taken',
    async (_, answer) => {
      const { clock, store, port, sender, lines } = senderOn();
      port.otherwise = answer;
      for (let count = 0; count < 10; count += 1)
        store.add({ ...RESULT, id: `r${count}`, attemptId: `A${count}`, ...live(clock) });
      sender.start();
      await clock.advance(29_000);
      const first = port.calls.length;
      expect(first).toBeLessThanOrEqual(4);
      await clock.advance(10 * 60_000);
      expect(port.calls.length - first).toBeLessThanOrEqual(6);
      expect(store.summary()).toMatchObject({ pending: 10, parked: 0 });
      expect(lines.filter((line) => line.level === 'error')).toHaveLength(1);
      for (const calls = port.calls.length; port.calls.length === calls; ) await clock.advance(1_000);
      port.otherwise = APPLIED;
      sender.keyChanged();
      await clock.advance(3_000);
      expect(store.summary().pending).toBe(0);
      await sender.stop();
    },
  );

  it('touches no row while the line is down: it asks for a sign of life first', async () => {
    const { clock, store, port, sender } = senderOn();
    port.otherwise = OFFLINE;
    for (let count = 0; count < 50; count += 1)
      store.add({ ...RESULT, id: `r${count}`, attemptId: `A${count}`, ...live(clock) });
    sender.start();
    await clock.advance(60 * 60_000);
    expect(store.writes.filter((write) => write.startsWith('begin')).length).toBeLessThanOrEqual(4);
    port.otherwise = APPLIED;
    sender.lineRestored();
    await clock.advance(3_000);
    expect(store.summary().pending).toBe(0);
    await sender.stop();
  });

  it.each([
    ['at once when nothing leaves', OFFLINE, 1],
    ['after three when nothing is answered', LOST, 3],
  ])('stops touching rows %s', async (_, answer, begun) => {
    const { clock, store, port, sender } = senderOn({ concurrency: 1 });
    port.otherwise = answer;
    for (let count = 0; count < 50; count += 1)
      store.add({ ...RESULT, id: `r${count}`, attemptId: `A${count}`, ...live(clock) });
    sender.start();
    await clock.advance(60_000);
    expect(store.writes.filter((write) => write.startsWith('begin'))).toHaveLength(begun);
    expect(port.calls.at(-1)?.what).toBe('ping');
    await sender.stop();
  });

  it("learns the service's clock before it uses a first key", async () => {
    const { clock, store, port, sender, serviceTime } = senderOn();
    let known: number | null = null;
    serviceTime.now = () => known;
    port.pings.push(OFFLINE, () => {
      known = 1_000;
      return APPLIED;
    });
    store.add({ ...RESULT, ...live(clock) });
    sender.start();
    await clock.advance(10_000);
    expect(port.sequence).toBe('ping ping result');
    expect(store.row('r').firstUsedAt).toBe(1_000);
    await sender.stop();
  });

  it('falls back to its own clock for a service that tells no date, and asks once only', async () => {
    const { clock, store, port, sender, serviceTime } = senderOn();
    serviceTime.now = () => null;
    store.add({ ...RESULT, ...live(clock) });
    sender.start();
    await clock.advance(5_000);
    store.add({ ...RESULT, id: 'r2', attemptId: 'B', ...live(clock) });
    await clock.advance(5_000);
    expect(port.sequence).toBe('ping result result');
    await sender.stop();
  });

  it('leaves payments started here pending, with one alarm, when creating is switched off; work of the service is reported', async () => {
    const { clock, store, port, sender, lines } = senderOn({ createLocal: false });
    for (let count = 0; count < 50; count += 1) {
      store.add({ ...CREATE, id: `c${count}`, attemptId: `A${count}`, ...live(clock) });
      store.add({ ...RESULT, id: `r${count}`, attemptId: `A${count}`, ...live(clock) });
    }
    store.add({ ...RESULT, id: 'work', attemptId: 'W', createdAt: 0 });
    sender.start();
    await clock.advance(60_000);
    expect(port.calls.map((call) => call.key)).toEqual(['key-work']);
    expect(store.summary()).toMatchObject({ pending: 100, parked: 0 });
    expect(lines.filter((line) => line.level === 'warn')).toHaveLength(1);
    await sender.stop();
  });

  it('sends fresh outcomes before the backlog, which gets what is left of the budget', async () => {
    const { clock, store, port, sender } = senderOn({ perMinute: 60, burst: 10 });
    for (let count = 0; count < 100; count += 1)
      store.add({ ...RESULT, id: `old${count}`, attemptId: `O${count}`, createdAt: clock.now() - HOUR });
    sender.start();
    await clock.advance(30_000);
    const before = port.calls.length;
    expect(before).toBeGreaterThanOrEqual(30);
    expect(before).toBeLessThanOrEqual(41);
    store.add({ ...RESULT, id: 'new', attemptId: 'N', ...live(clock) });
    sender.poke();
    await clock.advance(1);
    expect(port.calls.at(-1)?.key).toBe('key-new');
    await sender.stop();
  });

  it('stops in the middle of a request without a word about it: the row stays unanswered', async () => {
    const { clock, store, port, sender } = senderOn();
    port.sends.push(() => new Promise<Answer<PaymentAtService>>(() => undefined));
    store.add({ ...RESULT, ...live(clock) });
    sender.start();
    await clock.advance(1);
    await sender.stop();
    await sender.stop();
    expect(store.writes).toEqual(['begin r']);
    expect(store.row('r')).toMatchObject({ state: 'pending', unanswered: true });
    expect(clock.pending).toEqual([]);
  });

  it('gives a request up that outlives its deadline, and keeps the row', async () => {
    const { clock, store, port, sender } = senderOn({ deliveryMs: 5_000 });
    port.sends.push(() => new Promise<Answer<PaymentAtService>>(() => undefined));
    store.add({ ...RESULT, ...live(clock) });
    sender.start();
    await clock.advance(15_000);
    expect(store.row('r')).toMatchObject({ state: 'done', tries: 2 });
    await sender.stop();
  });

  it('sends nothing when it cannot write down that the key is used', async () => {
    const { clock, store, port, sender, lines } = senderOn();
    store.beginTry = () => {
      throw new Error('disk full');
    };
    store.add({ ...RESULT, ...live(clock) });
    sender.start();
    await clock.advance(5_000);
    expect(port.calls).toEqual([]);
    expect(lines.some((line) => line.level === 'error' && line.fields['error'] === 'disk full')).toBe(true);
    await sender.stop();
  });
});

describe('Look-up before sending', () => {
  it('an earlier unanswered try is not forgotten when a later one cannot leave', async () => {
    const { clock, store, port, sender } = senderOn();
    port.sends.push(LOST, OFFLINE);
    port.pings.push(OFFLINE, OFFLINE, OFFLINE);
    store.add({ ...RESULT, ...live(clock) });
    sender.start();
    await clock.advance(2_500);
    expect(store.row('r')).toMatchObject({ tries: 2, lastError: 'unavailable no', unanswered: true });
    await sender.stop();
  });

  it('a first try that cannot leave is not unanswered', async () => {
    const { clock, store, port, sender } = senderOn();
    port.otherwise = OFFLINE;
    store.add({ ...RESULT, ...live(clock) });
    sender.start();
    await clock.advance(500);
    expect(store.row('r')).toMatchObject({ tries: 1, unanswered: false });
    await sender.stop();
  });

  it.each([
    ['unanswered before a restart', { firstUsedAt: Date.UTC(2026, 0, 5, 8, 59), unanswered: true, tries: 1 }],
    ['first used over 23 h ago', { firstUsedAt: Date.UTC(2026, 0, 4, 9, 59, 59), tries: 1 }],
  ])('a row %s that the service shows is done without another request', async (_, used) => {
    const { clock, store, port, sender } = senderOn();
    port.lookUps.push(found('succeeded', '42'));
    store.add({ ...RESULT, ...used });
    sender.start();
    await clock.advance(5_000);
    expect(port.sequence).toBe('lookUp');
    expect(store.row('r').state).toBe('done');
    await sender.stop();
  });

  it("an open payment gets the result under the row's own key", async () => {
    const { clock, store, port, sender } = senderOn();
    port.lookUps.push(found('in_progress'));
    store.add({ ...RESULT, firstUsedAt: 0, tries: 1 });
    sender.start();
    await clock.advance(5_000);
    expect(port.calls).toMatchObject([
      { what: 'lookUp', id: 'A' },
      { what: 'result', key: 'key-r' },
    ]);
    await sender.stop();
  });

  it('a create that is proved absent is sent with its own key, a result is parked and nothing is created', async () => {
    const { clock, store, port, sender, lines } = senderOn();
    port.lookUps.push({ kind: 'absent' }, { kind: 'absent' });
    store.add({ ...CREATE, attemptId: 'B', firstUsedAt: 0, tries: 1 });
    store.add({ ...RESULT, firstUsedAt: 0, tries: 1 });
    sender.start();
    await clock.advance(5_000);
    expect(port.calls.filter((call) => call.what !== 'lookUp')).toMatchObject([
      { what: 'create', key: 'key-c' },
    ]);
    expect(store.row('r')).toMatchObject({ state: 'parked' });
    expect(lines.filter((line) => line.level === 'error')).toHaveLength(1);
    await sender.stop();
  });

  it.each([
    ['gives ids of its own and had forgotten the key', 'theirs', 25, true, ['B']],
    ['honours our ids', 'B', 25, true, []],
    ['still knows the key', 'theirs', 1, true, []],
    ['had answered the first one', 'theirs', 25, false, []],
  ] as const)(
    'a create that is sent again: a person looks whether it is there twice only where the service %s',
    async (_title, id, hours, unanswered, asked) => {
      const { clock, store, port, sender } = senderOn();
      await clock.advance(1);
      port.lookUps.push({ kind: 'absent' });
      port.sends.push(shown('in_progress', null, id));
      store.add({ ...CREATE, attemptId: 'B', firstUsedAt: clock.now() - hours * HOUR, tries: 1, unanswered });
      sender.start();
      await clock.advance(5_000);
      expect(store.row('c')).toMatchObject({ state: 'done' });
      expect([...store.tasks.keys()]).toEqual(asked);
      await sender.stop();
    },
  );

  it('a 404 that proves nothing stops everything and keeps everything', async () => {
    const { clock, store, port, sender, lines } = senderOn();
    for (let count = 0; count < 10; count += 1) port.lookUps.push({ kind: 'hidden' });
    store.add({ ...CREATE, firstUsedAt: 0, tries: 1 });
    store.add({ ...RESULT, attemptId: 'B', firstUsedAt: 0, tries: 1, createdAt: -1 });
    sender.start();
    await clock.advance(20_000);
    expect(port.calls.every((call) => call.what === 'lookUp')).toBe(true);
    expect(store.summary()).toMatchObject({ pending: 2, parked: 0 });
    expect(lines.filter((line) => line.level === 'error')).toHaveLength(1);
    await sender.stop();
  });

  it('an earlier unanswered try is not forgotten when a later one is refused for the key', async () => {
    const { clock, store, port, sender } = senderOn();
    port.sends.push(LOST, no('unauthorised', 401));
    store.add({ ...RESULT, ...live(clock) });
    sender.start();
    await clock.advance(5_000);
    await sender.stop();
    expect(store.row('r')).toMatchObject({ state: 'pending', unanswered: true });
    port.lookUps.push(found('succeeded', '42'));
    sender.keyChanged();
    sender.start();
    await clock.advance(60_000);
    expect(port.sequence).toBe('result result lookUp');
    await sender.stop();
  });
});
