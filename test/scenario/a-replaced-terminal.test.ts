import { describe, expect, it } from 'vitest';
import { DEVICE_ID } from '../support/attempts.ts';
import { Shop } from '../support/shop.ts';

const LEAD = { by: 'Ada', reason: 'asked the acquirer', shown: 'nothing on that day', lead: true } as const;
const NEW_TERMINAL = { serial: '17F00002', terminalId: '52500099' } as const;

/** A shop whose terminal dies for good in a payment, right after it was charged. */
async function withDoubt(): Promise<{ shop: Shop; id: string }> {
  const shop = await Shop.open();
  shop.terminal.inject({ when: 'result_acknowledged', do: 'power_loss', ms: 86_400_000 });
  const { id } = shop.sell({ reference: 'BASKET' });
  await shop.until(() => shop.attempt(id).state.name === 'in_doubt', 60_000);
  return { shop, id };
}

async function replaced(): Promise<{ shop: Shop; id: string }> {
  const { shop, id } = await withDoubt();
  shop.plugIn(NEW_TERMINAL);
  await shop.clock.runUntil(shop.operations.adopt(DEVICE_ID, 'Ada'));
  await shop.until(() => shop.attempt(id).releasedAt !== null, 60_000);
  return { shop, id };
}

const openTasks = (shop: Shop) => shop.operations.tasks({ open: true, limit: 10 });

describe('a terminal that is replaced in the middle of a doubt', () => {
  it('leaves the doubt to a person, with a task that does not expire; the new one sells', async () => {
    const { shop, id } = await replaced();
    expect(shop.attempt(id)).toMatchObject({
      state: { name: 'in_doubt' },
      needsPerson: true,
      reason: {
        code: 'terminal_replaced',
        message:
          'The terminal 17F00001 that took this payment was replaced before it reported how the payment ended.',
      },
    });
    expect(openTasks(shop)).toMatchObject([{ kind: 'terminal_replaced', attemptId: id }]);
    expect((await shop.settle(shop.sell({ amount: { minor: 700, currency: 'EUR' } }).id)).state.name).toBe(
      'succeeded',
    );
    await shop.clock.advance(6 * 3_600_000);
    expect(openTasks(shop)).toMatchObject([{ kind: 'terminal_replaced' }]);
    expect(shop.payments.get(id).charged).toBe('unknown');
  });

  it('keeps its task until the payment is answered, whoever says that it is done', async () => {
    const { shop, id } = await replaced();
    const [task] = openTasks(shop);
    const done = { by: 'Ada', note: 'looked at it' };
    expect(() => shop.operations.finishTask(task?.id ?? '', done)).toThrow(
      expect.objectContaining({
        code: 'TASK_NOT_ANSWERED',
        context: {
          details: {
            payment_id: id,
            what_to_do: expect.stringMatching(`tillctl resolve ${id} --as .* --source .* --by NAME`),
          },
        },
      }),
    );
    expect(openTasks(shop)).toEqual([task]);
    shop.payments.resolve(id, { ...LEAD, as: 'succeeded', source: 'customer_slip' });
    expect(openTasks(shop)).toEqual([]);
  });

  it('keeps the sale guarded and its refund blocked', async () => {
    const { shop, id } = await replaced();
    expect(() => shop.sell({ reference: 'BASKET' })).toThrow(
      expect.objectContaining({ code: 'PAYMENT_ALREADY_OPEN' }),
    );
    const refund = { parentId: id, amountMinor: null, after: null, caller: 'socket', metadata: {} } as const;
    expect(() => shop.payments.refund(refund)).toThrow(
      expect.objectContaining({ code: 'PAYMENT_NOT_REFUNDABLE' }),
    );
  });

  it('is answered by evidence from outside alone, by a lead, and not before the longest payment is over', async () => {
    const { shop, id } = await replaced();
    const say = (changes: object) => shop.payments.resolve(id, { ...LEAD, as: 'not_charged', ...changes });
    const tooEarly = expect.objectContaining({ code: 'DECISION_TOO_EARLY' });
    expect(() => say({ source: 'acquirer_statement' })).toThrow(tooEarly);
    await shop.clock.advance(16 * 60_000);
    const sourceMissing = expect.objectContaining({ code: 'FIELD_MISSING', context: { param: 'source' } });
    expect(() => say({})).toThrow(sourceMissing);
    expect(() => say({ as: 'succeeded' })).toThrow(sourceMissing);
    expect(() => say({ source: 'acquirer_statement', lead: false })).toThrow(tooEarly);
    say({ source: 'acquirer_statement' });
    expect(shop.attempt(id)).toMatchObject({
      state: { name: 'error' },
      evidence: { kind: 'person', by: 'Ada', source: 'acquirer_statement' },
    });
    expect(openTasks(shop)).toEqual([]);
    expect(shop.operations.tasks({ open: false, limit: 10 })).toMatchObject([{ done: { by: 'Ada' } }]);
  });

  it('may be answered as charged at once', async () => {
    const { shop, id } = await replaced();
    shop.payments.resolve(id, { ...LEAD, as: 'succeeded', source: 'customer_slip', lead: false });
    expect(shop.payments.get(id).charged).toBe('yes');
    expect(openTasks(shop)).toEqual([]);
  });

  it('counts nothing of the new terminal on from the old one', async () => {
    const { shop } = await replaced();
    const { id } = shop.sell({ amount: { minor: 700, currency: 'EUR' } });
    const { baseline } = await shop.settle(id);
    expect(baseline).toMatchObject({ last: { kind: 'empty' }, terminal: { serial: '17F00002' } });
    expect(baseline).not.toHaveProperty('lastNumber');
    expect(baseline).not.toHaveProperty('afterClose');
  });

  it('may not be adopted while a payment runs on the old one', async () => {
    const shop = await Shop.open({ terminal: { autopilot: 'off' } });
    const { id } = shop.sell();
    await shop.until(() => shop.attempt(id).state.name === 'accepted', 10_000);
    await expect(shop.clock.runUntil(shop.operations.adopt(DEVICE_ID, 'Ada'))).rejects.toMatchObject({
      code: 'ADOPT_BLOCKED',
    });
  });
});
