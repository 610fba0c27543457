import { describe, expect, it } from 'vitest';
import { renderTask } from '../../src/api/render/terminal-task.ts';
import { Shop } from '../support/shop.ts';

/** A sale by one card, and a refund of a part of it to another one of the sandbox's. */
async function givenBack(paid: string, given: string | null) {
  const shop = await Shop.open();
  shop.terminal.nextCard(paid);
  const sale = await shop.settle(shop.sell().id);
  if (given !== null) shop.terminal.nextCard(given);
  const request = { parentId: sale.id, amountMinor: 500, after: null, caller: 'socket' };
  const refund = await shop.settle(shop.payments.refund(request).attempt.id);
  return { shop, sale, refund };
}

describe('a refund that went to another card than the one that had paid', () => {
  it('is a discrepancy with a task that names both cards, and blocks nothing', async () => {
    const { shop, sale, refund } = await givenBack('mastercard-contactless', 'girocard-contactless');
    expect(refund.state.name).toBe('succeeded');
    const [task, ...others] = shop.payments.get(refund.id).tasks;
    expect([task?.kind, others]).toEqual(['refund_to_other_card', []]);
    expect(task && renderTask(task, shop.payments.get(refund.id)).message).toMatch(
      /another card.*5\.00 EUR WAS given back.*paid with .*512345\*+2346; this went to .*672501\*+4711\. Compare the card numbers/,
    );
    const timeline = shop.payments.timeline(refund.id).map(({ text }) => text);
    expect(timeline).toContain('refund_to_other_card');
    const next = { parentId: sale.id, amountMinor: 100, after: null, caller: 'socket' };
    expect((await shop.settle(shop.payments.refund(next).attempt.id)).state.name).toBe('succeeded');
  });

  it('is none where the card is the same, also when the terminal is used on', async () => {
    const { shop, refund } = await givenBack('girocard-contactless', null);
    expect(shop.payments.get(refund.id).tasks).toEqual([]);
  });
});
