import { describe, expect, it } from 'vitest';
import { transbank } from '../../../drivers/terminals/transbank/manifest.ts';
import { transbankDialect } from '../../../drivers/terminals/transbank/virtual.ts';
import type { TransbankVirtualOptions } from '../../../drivers/terminals/transbank/virtual-options.ts';
import { chargedOf } from '../../../src/payment/attempt/state-machine.ts';
import { nextTicket } from '../../../src/payment/attempt/ticket.ts';
import {
  FAULT_KINDS,
  FAULT_POINTS,
  type VirtualTerminalSettings,
} from '../../../src/sandbox/controllable-terminal.ts';
import { memoryLinkPair } from '../../support/memory-link.ts';
import { Shop } from '../../support/shop.ts';

const pesos = (minor: number) => ({ minor, currency: 'CLP' }) as const;

function openShop(
  habits: Partial<TransbankVirtualOptions> = {},
  terminal: Partial<VirtualTerminalSettings> = {},
): Promise<Shop> {
  const family = { manifest: transbank, currency: 'CLP', dialect: transbankDialect(habits) } as const;
  return Shop.open({ family, kind: 'serial', terminal });
}

/** A shop that has sold once today, so that its list has a witness. */
async function openedWithWitness(habits: Partial<TransbankVirtualOptions> = {}) {
  const shop = await openShop(habits);
  const witness = await shop.settle(shop.sell({ amount: pesos(990) }).id);
  expect(witness.state.name).toBe('succeeded');
  return { shop, witness };
}

describe('a sale whose answer was lost', () => {
  it('is found under its ticket, and charged once', async () => {
    const { shop } = await openedWithWitness();
    shop.terminal.inject({ when: 'result', do: 'cut' });
    const sale = await shop.settle(shop.sell().id);
    expect(sale).toMatchObject({ state: { name: 'succeeded' }, report: { reference: sale.ticket } });
    expect(shop.charged).toBe(990 + 1234);
  });

  it.each([2, 94, 95])(
    'to a host in trouble (code %i although charged) is found as charged',
    async (code) => {
      const { shop } = await openedWithWitness();
      shop.terminal.spoilNextEnd('untold', code);
      const sale = await shop.settle(shop.sell().id);
      expect(sale.state.name).toBe('succeeded');
      expect(shop.charged).toBe(990 + 1234);
    },
  );

  it('and whose customer walked away is not charged, and that is not said before 180 s', async () => {
    const { shop } = await openedWithWitness();
    shop.terminal.inject({ when: 'customer', do: 'cut' });
    shop.terminal.press('walk_away');
    const { id } = shop.sell();
    const from = shop.clock.monotonic();
    const sale = await shop.settle(id);
    expect(sale).toMatchObject({ state: { name: 'error' }, reason: { code: 'not_charged' } });
    expect(shop.clock.monotonic() - from).toBeGreaterThan(180_000);
    expect(shop.charged).toBe(990);
  });

  it('and that is the first of the day is a person’s when the list does not have it: nothing proves the list', async () => {
    const shop = await openShop();
    shop.terminal.inject({ when: 'customer', do: 'cut' });
    shop.terminal.press('walk_away');
    const sale = await shop.settle(shop.sell().id);
    expect(sale).toMatchObject({ state: { name: 'in_doubt' }, needsPerson: true });
    expect(shop.charged).toBe(0);
  });
});

describe('a void', () => {
  it.each(['twin', 'replaced'] as const)(
    'whose answer was lost is found at its sale, where the list shows it as %s',
    async (voidedShows) => {
      const { shop, witness } = await openedWithWitness({ voidedShows });
      shop.terminal.inject({ when: 'result', do: 'cut' });
      const { attempt } = shop.payments.void({ parentId: witness.id, caller: 'socket' });
      expect((await shop.settle(attempt.id)).state.name).toBe('succeeded');
      expect(shop.charged).toBe(0);
    },
  );

  it('of a sale by debit card is refused in words, and nothing was given back', async () => {
    const shop = await openShop({ debit: true });
    const sales = [];
    for (const minor of [1000, 2000, 3000])
      sales.push(await shop.settle(shop.sell({ amount: pesos(minor) }).id));
    const byDebit = sales.find(({ report }) => report?.cardScheme === 'Redcompra');
    const { attempt } = shop.payments.void({ parentId: byDebit?.id ?? '', caller: 'socket' });
    expect(await shop.settle(attempt.id)).toMatchObject({
      state: { name: 'error' },
      reason: { code: 'not_started', message: expect.stringContaining('debit card') },
    });
    expect(shop.charged).toBe(6000);
  });
});

describe('the day', () => {
  it('is closed, and the terminal is still the same one although its list is empty', async () => {
    const { shop } = await openedWithWitness();
    const { id } = shop.operations.endOfDay({ deviceId: shop.deviceId, caller: 'socket', force: null });
    await shop.until(() => shop.operations.settlement(id).status === 'succeeded', 60_000);
    shop.terminal.stop();
    await shop.clock.advance(5000);
    shop.terminal.start();
    const sale = await shop.settle(shop.sell({ amount: pesos(2345) }).id);
    expect(sale.state.name).toBe('succeeded');
  });

  it('begins with loading the keys, if the terminal asks for it: one sale is refused, the next succeeds', async () => {
    const shop = await openShop({ keys: 'missing' });
    expect(await shop.settle(shop.sell().id)).toMatchObject({
      state: { name: 'declined' },
      reason: { message: expect.stringContaining('keys') },
    });
    expect((await shop.settle(shop.sell().id)).state.name).toBe('succeeded');
    expect(shop.charged).toBe(1234);
  });
});

const VENDORS: readonly Partial<TransbankVirtualOptions>[] = [
  {},
  { busy: 'nak', progress: false, ticketFill: ' ', ticketWidth: 9, blankBrand: true, endLines: 1 },
  { answerRepeats: 0, voidedShows: 'replaced', emptyList: 'code_11' },
];
const cases = VENDORS.flatMap((_, vendor) =>
  FAULT_POINTS.flatMap((when) => FAULT_KINDS.map((fault) => [vendor, fault, when] as const)),
);

describe('a sale with a fault in it', () => {
  it.each(cases)(
    'vendor %i, %s at "%s": charged if and only if the terminal says so',
    async (vendor, fault, when) => {
      const { shop } = await openedWithWitness(VENDORS[vendor]);
      shop.terminal.inject({ when, do: fault, ms: 7000 });
      const sale = await shop.settle(shop.sell().id);
      const charged = chargedOf(sale.state);
      if (charged === 'yes') expect(shop.charged).toBe(990 + 1234);
      if (charged === 'no') expect(shop.charged).toBe(990);
      if (charged === 'unknown') expect(sale.needsPerson).toBe(true);
      expect(shop.fatal).toBeNull();
    },
  );
});

describe('the ticket of a sale', () => {
  it('is none that another till has left in the open batch, also where it is not the last one there', async () => {
    const { shop } = await openedWithWitness();
    const ofSecond = (ms: number) => nextTicket({ last: null, isTaken: () => false }, shop.clock.now() + ms);
    const others = [...[0, 1, 2, 3].map((second) => ofSecond(300_000 + second * 1000)), 'ZZZZZZ'];
    for (const ticket of others) await anotherTillSells(shop, 500, ticket);
    shop.terminal.inject({ when: 'result', do: 'cut' });
    const sale = await shop.settle(shop.sell({ amount: pesos(500) }).id);
    expect(others).not.toContain(sale.ticket);
    expect(`${sale.ticket}` > `${others[3]}`).toBe(true);
    expect(sale).toMatchObject({ state: { name: 'succeeded' }, report: { reference: sale.ticket } });
    expect(shop.charged).toBe(990 + 6 * 500);
  });

  it('is there in books whose last ticket is the greatest of all', async () => {
    const { shop, witness } = await openedWithWitness();
    shop.database.run("UPDATE attempts SET ticket = 'ZZZZZZ' WHERE id = ?", witness.id);
    const tickets: unknown[] = [];
    for (const minor of [1000, 2000]) {
      const sale = await shop.settle(shop.sell({ amount: pesos(minor) }).id);
      expect(sale.state.name).toBe('succeeded');
      tickets.push(sale.ticket);
    }
    expect(tickets[0]).toBe('A00000');
    expect(tickets[1]).not.toBe('A00001');
  });
});

/** Another till sells on the terminal under its own ticket: STX text ETX LRC. */
async function anotherTillSells(shop: Shop, amount: number, ticket: string): Promise<void> {
  const { ours, theirs } = memoryLinkPair({ kind: 'serial' });
  shop.terminal.attach(theirs);
  const framed = new TextEncoder().encode(`0200|${amount}|${ticket}|||0\x03`);
  const check = framed.reduce((sum, byte) => sum ^ byte, 0);
  await ours.write(Uint8Array.of(0x02, ...framed, check));
  await shop.clock.advance(60_000);
  await ours.close();
}
