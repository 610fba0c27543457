import { driver } from '../../../drivers/terminals/zvt/driver.ts';
import { zvt } from '../../../drivers/terminals/zvt/manifest.ts';
import { zvtDialect } from '../../../drivers/terminals/zvt/virtual.ts';
import type { SimFamily } from './family.ts';
import { habitsFrom, voidOption } from './zvt-habits.ts';

/** Authorisation, refund, reversal and end of day. */
const MONEY: readonly number[] = [0x01, 0x31, 0x30, 0x50];
const DLE = 0x10;

export const zvtFamily: SimFamily = {
  manifest: zvt,
  driver,
  currency: 'EUR',
  wires: ['tcp', 'serial'],
  isRecognised: true,
  make: (random) => {
    const habits = habitsFrom(random);
    return {
      dialect: zvtDialect(habits),
      traits: { reportsPast: habits.repeatReceipt !== 'empty', looksIdleMs: habits.looksIdleMs },
      optionsOf: (owner) => ({ void: voidOption(habits, owner) }),
    };
  },
  /** The control field is bare on TCP, behind DLE STX on a serial line. */
  isMoney: (written) => {
    const at = written[0] === DLE ? 2 : 0;
    return written[at] === 0x06 && MONEY.includes(written[at + 1] ?? 0);
  },
  lines: {
    dated: true,
    isOf: (report, line) => line.receiptNumber === report.number && line.trace === report.trace,
    numberOf: ({ receiptNumber }) => receiptNumber,
  },
  settleMs: 20_000,
  goesOnMs: 0,
  namesTerminal: false,
  answers: 'packets',
};
