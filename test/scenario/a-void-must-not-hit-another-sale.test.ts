import { describe, expect, it, onTestFinished } from 'vitest';
import { virtualZvt, zvtDialect } from '../../drivers/terminals/zvt/virtual.ts';
import { TruncatedCardNumber } from '../../src/base/card-number.ts';
import { AppError } from '../../src/base/errors.ts';
import { silentLog } from '../../src/base/log.ts';
import type { Attempt } from '../../src/payment/attempt/attempt.ts';
import { followUps } from '../../src/payment/follow-up.ts';
import { VirtualTerminal } from '../../src/sandbox/terminal/virtual-terminal.ts';
import { anAttempt, aReport } from '../support/attempts.ts';
import { Shop, textMemory, VIRTUAL_TERMINAL } from '../support/shop.ts';

const euros = (minor: number) => ({ minor, currency: 'EUR' }) as const;
/** Longer than the settle time of a terminal. */
const SETTLED_MS = 40_000;

/** Asks to undo a sale. Returns why it was not done, in small letters, or `succeeded`. */
async function undo(shop: Shop, { id }: Attempt): Promise<string> {
  try {
    const settled = await shop.settle(shop.payments.void({ parentId: id, caller: 'socket' }).attempt.id);
    return settled.reason?.code ?? settled.state.name;
  } catch (error) {
    if (error instanceof AppError) return error.code.toLowerCase();
    throw error;
  }
}

/** What the terminal has undone, by its own ledger. */
const undone = (shop: Shop) => shop.terminal.snapshot().ledger.filter(({ kind }) => kind === 'void');

/** A shop whose terminal can be set back to what it had stored at some time before. */
async function withTerminalThatForgets() {
  const shop = new Shop();
  let memory = textMemory();
  const build = () =>
    new VirtualTerminal(VIRTUAL_TERMINAL, virtualZvt, { clock: shop.clock, log: silentLog, memory });
  shop.terminal = build();
  shop.terminal.start();
  shop.queues.inherit();
  shop.queues.start();
  onTestFinished(() => shop.close());
  await shop.until(() => shop.queues.get(shop.deviceId)?.status === 'ready', 30_000);
  const goBackTo = (text: string | null) => {
    shop.terminal.stop();
    memory = textMemory();
    if (text !== null) memory.save(text);
    shop.terminal = build();
    shop.terminal.start();
  };
  return { shop, stored: () => memory.load(), goBackTo };
}

describe('a receipt number that the terminal gives again', () => {
  it('after a close of its own that it does not show undoes nobody: the sale is not proved to be in the open batch', async () => {
    const shop = await Shop.open({ dialect: zvtDialect({ numbersRestart: true, forgetsAtClose: false }) });
    shop.terminal.presetNumbers(1, 1);
    const closed = await shop.settle(shop.sell({ reference: 'closed' }).id);
    await shop.clock.advance(SETTLED_MS);
    shop.terminal.closeByHand();
    await shop.settle(shop.sell({ amount: euros(500) }).id);
    const open = await shop.settle(shop.sell({ reference: 'open' }).id);
    expect([closed.report?.number, open.report?.number]).toEqual(['0002', '0002']);
    await shop.clock.advance(SETTLED_MS);
    expect(await undo(shop, closed)).toBe('void_not_possible');
    expect(undone(shop)).toEqual([]);
  });

  it('because it counts anew by itself undoes nobody', async () => {
    const shop = await Shop.open();
    shop.terminal.presetNumbers(9, 9);
    const first = await shop.settle(shop.sell({ reference: 'first' }).id);
    shop.terminal.presetNumbers(9, 20);
    const second = await shop.settle(shop.sell({ reference: 'second' }).id);
    expect([first.report?.number, second.report?.number]).toEqual(['0010', '0010']);
    expect(await undo(shop, first)).toBe('void_not_possible');
    expect([undone(shop), shop.charged]).toEqual([[], 2 * 1234]);
  });

  it('because it has lost the sale that had it undoes nobody, and the lost sale is not called charged', async () => {
    const { shop, stored, goBackTo } = await withTerminalThatForgets();
    await shop.settle(shop.sell({ amount: euros(99) }).id);
    await shop.clock.advance(SETTLED_MS);
    const before = stored();
    const lost = await shop.settle(shop.sell({ reference: 'lost' }).id);
    goBackTo(before);
    const next = await shop.settle(shop.sell({ reference: 'next' }).id);
    expect([lost.report?.number, next.report?.number]).toEqual(['0002', '0002']);
    expect(next.state.name).toBe('succeeded');
    await shop.clock.advance(SETTLED_MS);
    expect(await undo(shop, lost)).toBe('void_not_possible');
    expect([undone(shop), shop.charged]).toEqual([[], 99 + 1234]);
    expect(shop.payments.get(lost.id).charged).toBe('no');
  });
});

describe('a void that waits behind one that undid another sale', () => {
  it('is not sent: the capability was taken from the device meanwhile', async () => {
    const shop = await Shop.open({ dialect: zvtDialect({ voids: 'last_regardless' }) });
    const sales: Attempt[] = [];
    for (const reference of ['a', 'b', 'c']) sales.push(await shop.settle(shop.sell({ reference }).id));
    await shop.clock.advance(SETTLED_MS);
    const [first, second] = sales.map(
      ({ id }) => shop.payments.void({ parentId: id, caller: 'socket' }).attempt.id,
    );
    await shop.settle(first ?? '');
    expect(shop.queues.get(shop.deviceId)?.capabilities.void).toBe('none');
    expect(await shop.settle(second ?? '')).toMatchObject({
      state: { name: 'cancelled' },
      dispatchedAt: null,
    });
    expect(undone(shop)).toHaveLength(1);
  });
});

describe('the card on the receipt of a void', () => {
  function masked(text: string) {
    const maskedPan = TruncatedCardNumber.of(text);
    return maskedPan ? { maskedPan } : {};
  }

  function outcomesOf(sale: string, reported: string) {
    const parent = anAttempt({ state: { name: 'succeeded' } });
    const after = anAttempt({
      type: 'void',
      parentId: parent.id,
      state: { name: 'succeeded' },
      original: { number: '1', amountMinor: 1234, ...masked(sale) },
      report: aReport({ kind: 'void', ...masked(reported) }),
    });
    const before = anAttempt({ state: { name: 'approved', cancelledBefore: false } });
    const policy = { lateApproval: 'void', partialApproval: 'void', canVoid: true } as const;
    return followUps({ before, after, effects: [], approvedForMs: 1, parent, policy }).map(
      ({ kind }) => kind,
    );
  }

  it.each([
    ['the same, masked in another way, is no mismatch', 'xxxxxxxxxxxxxx1234', []],
    ['another one is an alarm and takes the capability', '67xxxxxxxxxxxx1235', ['task', 'withdraw_void']],
  ])('%s', (_title, reported, kinds) => {
    expect(outcomesOf('67xxxxxxxxxxxx1234', reported)).toEqual(kinds);
  });
});
