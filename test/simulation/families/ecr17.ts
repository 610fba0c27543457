import { driver } from '../../../drivers/terminals/ecr17/driver.ts';
import { ecr17 } from '../../../drivers/terminals/ecr17/manifest.ts';
import { ecr17Dialect } from '../../../drivers/terminals/ecr17/virtual.ts';
import type { SimFamily } from './family.ts';
import { framedText } from './text.ts';

/** Payment with and without extended result, reversal, pre-authorisation and its ends, close. */
const MONEY = /^\d{8}0[PXSpicC]/;

export const ecr17Family: SimFamily = {
  manifest: ecr17,
  driver,
  currency: 'EUR',
  wires: ['tcp', 'serial'],
  isRecognised: true,
  make: (random) => {
    const knowsX = random.chance(0.85);
    const looksIdle = random.chance(0.2);
    const habits = {
      lrc: random.pick(['std', 'noext', 'stx', 'stx_noext'] as const),
      acksFirst: random.chance(0.8),
      hangsUp: random.chance(0.5),
      receipts: random.pick(['after', 'before', 'none'] as const),
      progress: random.chance(0.7),
      knowsX,
      knowsReversal: random.chance(0.8),
      savesKo: random.chance(0.5),
      abortTakesStan: random.chance(0.5),
      savesByHand: random.chance(0.3),
      lastResult: random.chance(0.06) ? ('refused' as const) : ('told' as const),
      forgetsAtClose: random.chance(0.2),
      totals: random.chance(0.15) ? ('refused' as const) : ('told' as const),
      whenBusy: looksIdle ? ('looks_idle' as const) : random.pick(['silent', 'nak'] as const),
      hostMs: random.int(50, 900),
    };
    return {
      dialect: ecr17Dialect(habits),
      // By its number alone: what is in doubt may stay with a person.
      traits: { reportsPast: false, looksIdleMs: looksIdle ? habits.hostMs : 0 },
      optionsOf: (owner) => ({
        payment_command: knowsX ? 'X' : 'P',
        reversal: habits.knowsReversal || owner.chance(0.3),
        receipts: owner.chance(0.7),
      }),
    };
  },
  isMoney: (written) => MONEY.test(framedText(written)),
  lines: {
    dated: false,
    isOf: (report, line) => line.trace === report.number,
    numberOf: ({ trace }) => trace,
  },
  settleMs: 20_000,
  goesOnMs: 300_000,
  namesTerminal: true,
  answers: 'bytes',
};
