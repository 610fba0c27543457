import { describe, expect, it } from 'vitest';
import { concert } from '../../../drivers/terminals/concert/manifest.ts';
import { concertDialect } from '../../../drivers/terminals/concert/virtual.ts';
import type { ConcertVirtualOptions } from '../../../drivers/terminals/concert/virtual-options.ts';
import { Shop } from '../../support/shop.ts';

interface Counter {
  readonly wire: 'serial' | 'tcp';
  readonly terminal?: Partial<ConcertVirtualOptions>;
  readonly device?: Readonly<Record<string, unknown>>;
  /** What customers do. */
  readonly customers?: 'approve' | 'decline';
}

/** The real core with a terminal of this family. */
function shop({ wire, terminal = {}, device = {}, customers = 'approve' }: Counter): Promise<Shop> {
  const family = { manifest: concert, currency: 'EUR', dialect: concertDialect(terminal) } as const;
  return Shop.open({
    family,
    kind: wire,
    driverOptions: device,
    terminal: { autopilot: customers, autopilotMs: 2000, missingAcknowledgement: 'keep' },
  });
}

const EPLUS = { wire: 'serial', terminal: { dialect: 'eplus' }, device: { dialect: 'eplus' } } as const;

describe.each<readonly [string, Counter]>([
  ['E+', EPLUS],
  ['V3 on a cable', { wire: 'serial' }],
  ['V3 over the network', { wire: 'tcp' }],
])('%s', (_, counter) => {
  it('sells, one sale after the other, each once', async () => {
    const till = await shop(counter);
    for (const minor of [1234, 500]) {
      const sold = till.sell({ amount: { minor, currency: 'EUR' } });
      expect((await till.settle(sold.id)).state.name).toBe('succeeded');
    }
    expect(till.charged).toBe(1734);
  });

  it('whose line is lost while the customer pays asks a person, says neither yes nor no, and sells on', async () => {
    const till = await shop(counter);
    till.terminal.inject({ when: 'customer', do: 'cut' });
    const lost = await till.settle(till.sell().id);
    expect(lost).toMatchObject({ state: { name: 'in_doubt' }, needsPerson: true });
    expect(till.charged).toBe(1234);
    const next = till.sell({ amount: { minor: 500, currency: 'EUR' } });
    expect((await till.settle(next.id)).state.name).toBe('succeeded');
    expect(till.charged).toBe(1734);
  });
});

describe('a doubt on a terminal that cannot tell its past', () => {
  it.each([EPLUS, { wire: 'tcp' } as const])(
    'is at a person within two minutes, with the exact question; the terminal sells on after four, and not before ($wire)',
    async (counter) => {
      const till = await shop(counter);
      till.terminal.inject({ when: 'customer', do: 'cut' });
      const { id } = till.sell();
      await till.until(() => till.attempt(id).state.name === 'in_doubt', 60_000);
      await till.until(() => till.attempt(id).needsPerson, 120_000);
      const { ticket, reason } = till.attempt(id);
      const asked = `is there a sale of 12.34 EUR, at about \\d\\d:\\d\\d \\(reference ${ticket} or ${id.slice(0, 8)}`;
      expect(reason?.message).toMatch(new RegExp(asked));
      expect(reason?.message).toContain('do not take the money again');
      const other = { amount: { minor: 500, currency: 'EUR' } } as const;
      expect(() => till.sell(other)).toThrow(/finding out how its last payment ended/);
      const by = { by: 'Ada', reason: 'no receipt', shown: 'nothing', lead: true } as const;
      expect(() => till.payments.resolve(id, { ...by, as: 'not_charged' })).toThrow();
      await till.clock.advance(170_000);
      expect(() => till.sell(other)).toThrow();
      await till.until(() => till.attempt(id).releasedAt !== null, 120_000);
      expect(till.attempt(id).reason?.message).toMatch(new RegExp(asked));
      expect((await till.settle(till.sell(other).id)).state.name).toBe('succeeded');
      expect(till.payments.resolve(id, { ...by, as: 'succeeded' }).attempt.state.name).toBe('succeeded');
      expect(till.charged).toBe(1734);
    },
  );
});

describe('an E+ terminal that tells its answer late', () => {
  it.each(['told', 'on_knock'] as const)(
    'settles the doubt, and the customer is charged once (%s)',
    async (lateAnswer) => {
      const till = await shop({ ...EPLUS, terminal: { dialect: 'eplus', lateAnswer } });
      till.terminal.inject({ when: 'customer', do: 'cut' });
      const sold = await till.settle(till.sell().id);
      expect(sold).toMatchObject({ state: { name: 'succeeded' }, report: { reference: sold.ticket } });
      expect(till.charged).toBe(1234);
    },
  );

  it('does not settle a doubt with the answer to another payment', async () => {
    const till = await shop({
      ...EPLUS,
      terminal: { dialect: 'eplus', lateAnswer: 'told', private: 'zeros' },
    });
    till.terminal.inject({ when: 'customer', do: 'cut' });
    expect(await till.settle(till.sell().id)).toMatchObject({
      state: { name: 'in_doubt' },
      needsPerson: true,
    });
  });
});

describe.each(['T', '3'] as const)(
  'a V3 terminal that tells what became of a payment (CD %s)',
  (statusQuery) => {
    const counter = {
      wire: 'tcp',
      terminal: { statusQuery },
      device: { status_query: statusQuery },
    } as const;

    it('settles a doubt by our own reference: charged', async () => {
      const till = await shop(counter);
      till.terminal.inject({ when: 'customer', do: 'cut' });
      const sold = await till.settle(till.sell().id);
      expect(sold).toMatchObject({ state: { name: 'succeeded' }, report: { reference: sold.id } });
      expect(till.charged).toBe(1234);
    });

    it('settles a doubt by our own reference: refused', async () => {
      const till = await shop({ ...counter, customers: 'decline' });
      till.terminal.inject({ when: 'customer', do: 'cut' });
      expect((await till.settle(till.sell().id)).state.name).toBe('declined');
      expect(till.charged).toBe(0);
    });

    it('that gives no reference back settles nothing', async () => {
      const till = await shop({ ...counter, terminal: { statusQuery, reference: 'none' } });
      till.terminal.inject({ when: 'customer', do: 'cut' });
      expect(await till.settle(till.sell().id)).toMatchObject({
        state: { name: 'in_doubt' },
        needsPerson: true,
      });
    });
  },
);
