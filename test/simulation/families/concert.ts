import { driver } from '../../../drivers/terminals/concert/driver.ts';
import { concert } from '../../../drivers/terminals/concert/manifest.ts';
import { concertDialect } from '../../../drivers/terminals/concert/virtual.ts';
import type { Random } from '../random.ts';
import type { Made, SimFamily } from './family.ts';
import { framedText, textOf } from './text.ts';

/** Every frame of E+ is a payment; in V3 the action says it: debit, credit, cancellation, end of day. */
const EPLUS_MONEY = /^\d{2}/;
const V3_MONEY = /CD001[012B]/;

const COMMON = {
  manifest: concert,
  driver,
  currency: 'EUR',
  isRecognised: false,
  settleMs: 20_000,
  goesOnMs: 300_000,
  namesTerminal: false,
  answers: 'bytes',
} as const;

/** E+ on a cable: it cannot tell its last payment, and some terminals tell a late end by themselves. */
export const eplusFamily: SimFamily = {
  ...COMMON,
  wires: ['serial'],
  make: (random) => {
    const looksIdleMs = idleFor(random);
    const tellsWhy = random.chance(0.5);
    return {
      dialect: concertDialect({
        dialect: 'eplus',
        hostMs: random.int(50, 900),
        lateAnswer: random.pick(['forgotten', 'told', 'on_knock'] as const),
        busySays: random.pick(['nothing', 'nak'] as const),
        looksIdleMs,
        answer: random.pick(['as_asked', 'as_asked', 'short'] as const),
        report: random.pick(['masked', 'whole_card', 'zeros'] as const),
        private: random.pick(['given_back', 'given_back', 'zeros', 'blanks'] as const),
        tellsWhy,
      }),
      traits: { reportsPast: false, looksIdleMs },
      optionsOf: (owner) => ({
        dialect: 'eplus',
        ...(tellsWhy && owner.chance(0.5) ? { results: { 3: 'refused', 5: 'aborted' } } : {}),
      }),
    };
  },
  isMoney: (written) => EPLUS_MONEY.test(framedText(written)),
};

/** V3 over the network: a connection for each answer. */
export const v3Family: SimFamily = {
  ...COMMON,
  wires: ['tcp'],
  make: madeOfV3,
  isMoney: (written) => V3_MONEY.test(textOf(written)),
};

/** V3 on a cable. */
export const v3SerialFamily: SimFamily = { ...v3Family, wires: ['serial'] };

function madeOfV3(random: Random): Made {
  const looksIdleMs = idleFor(random);
  const statusQuery = random.pick(['none', 'none', 'T', '3'] as const);
  const reference = random.pick(['given_back', 'given_back', 'own', 'none'] as const);
  const endOfDay = random.chance(0.6);
  const wantsLineEnd = random.chance(0.2);
  return {
    dialect: concertDialect({
      dialect: 'v3',
      hostMs: random.int(50, 900),
      lateAnswer: random.pick(['forgotten', 'told', 'on_knock'] as const),
      busySays: random.pick(['nothing', 'nak'] as const),
      busyConnection: random.pick(['closes', 'silent'] as const),
      looksIdleMs,
      version: random.pick(['0300', '0301', '0310', '0320'] as const),
      paddedAmount: random.chance(0.3),
      reference,
      splitMs: random.pick([0, 0, 120]),
      afterAnswer: random.pick(['closes', 'stays'] as const),
      statusQuery,
      endOfDay,
      tellsSerial: random.chance(0.3),
      wantsLineEnd,
      stopWithoutEchoes: random.chance(0.5),
    }),
    traits: { reportsPast: statusQuery !== 'none' && reference === 'given_back', looksIdleMs },
    optionsOf: () => ({
      dialect: 'v3',
      status_query: statusQuery,
      end_of_day: endOfDay,
      line_end: wantsLineEnd,
    }),
  };
}

function idleFor(random: Random): number {
  return random.pick([0, 0, 0, 5000, 40_000]);
}
