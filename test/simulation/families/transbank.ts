import { driver } from '../../../drivers/terminals/transbank/driver.ts';
import { transbank } from '../../../drivers/terminals/transbank/manifest.ts';
import { transbankDialect } from '../../../drivers/terminals/transbank/virtual.ts';
import type { SimFamily } from './family.ts';
import { framedText } from './text.ts';

/** Sale, void and close. */
const MONEY = /^(?:0200|1200|0500)\|/;

export const transbankFamily: SimFamily = {
  manifest: transbank,
  driver,
  currency: 'CLP',
  wires: ['serial'],
  // Before its first sale of the day its list names no terminal.
  isRecognised: false,
  make: (random) => {
    const looksIdleMs = random.pick([0, 0, 0, 5000, 40_000]);
    const list = random.chance(0.06) ? 'refused' : 'told';
    const habits = {
      hostMs: random.int(50, 900),
      customerTimeoutMs: 30_000,
      answerRepeats: random.pick([0, 1, 2, 2]),
      busy: random.pick(['nak', 'silence'] as const),
      looksIdleMs,
      progress: random.chance(0.7),
      ticketFill: random.pick(['0', ' '] as const),
      ticketWidth: random.pick([6, 6, 8]),
      blankBrand: random.chance(0.2),
      debit: random.chance(0.4),
      voidedShows: random.pick(['twin', 'replaced'] as const),
      endLines: random.pick([1, 2] as const),
      endNamesTerminal: random.chance(0.5),
      emptyList: random.pick(['end_line', 'code_11'] as const),
      list,
      forgetsAtClose: random.chance(0.8),
      numbersRestart: random.chance(0.4),
    } as const;
    return {
      dialect: transbankDialect(habits),
      traits: { reportsPast: list === 'told', looksIdleMs },
      optionsOf: (owner) => ({ void: owner.chance(0.1) ? 'none' : 'any' }),
    };
  },
  isMoney: (written) => MONEY.test(framedText(written)),
  settleMs: 20_000,
  goesOnMs: 300_000,
  namesTerminal: false,
  answers: 'bytes',
};
