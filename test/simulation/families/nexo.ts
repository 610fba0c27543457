import { driver } from '../../../drivers/terminals/nexo/driver.ts';
import { nexo } from '../../../drivers/terminals/nexo/manifest.ts';
import { nexoDialect } from '../../../drivers/terminals/nexo/virtual.ts';
import type { LedgerEntry } from '../../../src/sandbox/controllable-terminal.ts';
import type { SimFamily } from './family.ts';
import { textOf } from './text.ts';

/** The category of the header, which comes first; a status request names another one behind it. */
const CATEGORY = /"MessageCategory":"(\w+)"/;
const MONEY = new Set(['Payment', 'Reversal', 'Reconciliation']);

/** The terminal's own id of a line, as its status requests name it. */
function idOf({ trace, sequence }: LedgerEntry): string {
  return `V${trace}.${sequence.toString(36).toUpperCase().padStart(6, '0')}`;
}

/** The Terminal API: a connection for each exchange, and every payment is found by its own reference. */
export const nexoFamily: SimFamily = {
  manifest: nexo,
  driver,
  currency: 'EUR',
  wires: ['tcp'],
  isRecognised: true,
  make: (random) => {
    const knowsTotals = random.chance(0.7);
    const voids = random.chance(0.8);
    const needsLogin = random.chance(0.2);
    return {
      dialect: nexoDialect({
        hostMs: random.int(50, 900),
        customerTimeoutMs: 30_000,
        needsLogin,
        repeatsSaleData: random.chance(0.7),
        chunked: random.chance(0.3),
        voids,
        knowsTotals,
        busyIs: random.pick(['condition', 'status'] as const),
      }),
      traits: { reportsPast: true, looksIdleMs: 0 },
      optionsOf: (owner) => ({
        poi_id: 'V400m-123456789',
        login: needsLogin,
        end_of_day: knowsTotals,
        totals: knowsTotals && owner.chance(0.8),
        void: voids || owner.chance(0.1) ? 'any' : 'none',
      }),
    };
  },
  isMoney: (written) => MONEY.has(CATEGORY.exec(textOf(written))?.[1] ?? ''),
  lines: {
    dated: true,
    isOf: (report, line) => report.number === idOf(line),
    numberOf: idOf,
  },
  settleMs: 10_000,
  goesOnMs: 0,
  namesTerminal: true,
  answers: 'bytes',
};
