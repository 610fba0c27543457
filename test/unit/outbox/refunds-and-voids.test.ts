import { describe, expect, it } from 'vitest';
import { APPLIED, found, no } from './scripted-service.ts';
import { CREATE, REFUND, REFUND_RESULT, RESULT, senderOn } from './sender-harness.ts';

describe('Reports of refunds and voids', () => {
  it.each(['refund', 'void'] as const)(
    "tell a %s under the service's id of its sale, and its result under the service's id of itself",
    async (operation) => {
      const { clock, store, port, sender } = senderOn();
      port.sends.push({ kind: 'applied', value: { id: 'S', status: 'requested', authCode: null } }, APPLIED, {
        kind: 'applied',
        value: { id: 'T', status: 'requested', authCode: null },
      });
      for (const row of [CREATE, RESULT]) store.add({ ...row, createdAt: clock.now() });
      for (const row of [REFUND, REFUND_RESULT]) store.add({ ...row, operation, createdAt: clock.now() });
      sender.start();
      await clock.advance(10_000);
      expect(port.calls).toMatchObject([
        { what: 'create', key: 'key-c' },
        { what: 'result', id: 'S', key: 'key-r' },
        { what: operation, parent: { attemptId: 'A', paymentId: 'S' }, key: 'key-gc', body: REFUND.body },
        { what: 'result', id: 'T', key: 'key-gr' },
      ]);
      expect(store.serviceIdOf('G')).toBe('T');
      await sender.stop();
    },
  );

  it('name a sale by our id where the service took it', async () => {
    const { clock, store, port, sender } = senderOn();
    store.add({ ...REFUND, createdAt: clock.now() });
    sender.start();
    await clock.advance(5_000);
    expect(port.calls).toMatchObject([{ what: 'refund', parent: { attemptId: 'A', paymentId: 'A' } }]);
    await sender.stop();
  });

  it('park a refund whose sale the service does not have: asked a few times, looked up each time, never created', async () => {
    const { clock, store, port, sender, lines } = senderOn();
    for (let tries = 0; tries < 6; tries += 1) {
      port.sends.push(no('not_found', 404));
      port.lookUps.push({ kind: 'absent' });
    }
    store.add({ ...REFUND, createdAt: clock.now() });
    store.add({ ...REFUND_RESULT, createdAt: clock.now() });
    sender.start();
    await clock.advance(900_000);
    expect(port.sequence).toBe(Array(6).fill('refund lookUp').join(' '));
    expect(port.calls[1]).toMatchObject({ id: 'G' });
    expect([store.row('gc').state, store.row('gr').state]).toEqual(['parked', 'pending']);
    expect(store.row('gc').lastError).toMatch(/^parent_not_at_service: 404/);
    expect(store.tasks.has('G')).toBe(true);
    expect(lines.filter((line) => line.level === 'error')).toHaveLength(1);
    await sender.stop();
  });

  it('look a refund up before they tell it again after a restart without an answer', async () => {
    const { clock, store, port, sender } = senderOn();
    port.lookUps.push(found('requested', null, 'T'));
    store.add({ ...REFUND, createdAt: clock.now(), firstUsedAt: clock.now(), unanswered: true, tries: 1 });
    sender.start();
    await clock.advance(5_000);
    expect(port.calls).toMatchObject([{ what: 'lookUp', id: 'G' }]);
    expect([store.row('gc').state, store.serviceIdOf('G')]).toEqual(['done', 'T']);
    await sender.stop();
  });

  it('try the body without metadata once after a 400, under the same key', async () => {
    const { clock, store, port, sender } = senderOn();
    port.sends.push(no('refused', 400));
    store.add({ ...REFUND, createdAt: clock.now() });
    sender.start();
    await clock.advance(5_000);
    expect(port.calls).toMatchObject([
      { what: 'refund', key: 'key-gc', body: REFUND.body },
      { what: 'refund', key: 'key-gc' },
    ]);
    expect(port.calls[1]?.body).toEqual({ id: 'G', amount_minor: 1 });
    await sender.stop();
  });

  it('wait while creating at the service is switched off: a refund that is told there is started there', async () => {
    const { clock, store, port, sender } = senderOn({ createLocal: false });
    store.add({ ...REFUND, createdAt: clock.now() });
    store.add({ ...REFUND_RESULT, createdAt: clock.now() });
    sender.start();
    await clock.advance(10_000);
    expect(port.calls).toEqual([]);
    await sender.stop();
  });

  it('never go while a report of the sale is parked, and go when it is done', async () => {
    const { clock, store, port, sender } = senderOn();
    port.sends.push(no('refused', 402));
    store.add({ ...RESULT, createdAt: clock.now() });
    store.add({ ...REFUND, createdAt: clock.now() });
    sender.start();
    await clock.advance(30_000);
    expect(port.sequence).toBe('result');
    store.done('r', null);
    sender.poke();
    await clock.advance(1);
    expect(port.sequence).toBe('result refund');
    await sender.stop();
  });
});
