import { describe, expect, it } from 'vitest';
import type { Fault, FaultPoint } from '../../../src/sandbox/controllable-terminal.ts';
import type { CloseOutcome, MoneyCommand, Outcome } from '../../../src/terminal/ports.ts';
import { REFUND } from './scripted-terminal.ts';
import { reportOf, type Sitting, sitting, voidOf } from './sitting.ts';

type Step = Exclude<FaultPoint, 'idle'>;
const STEPS: readonly Step[] = [
  'command',
  'customer',
  'result',
  'result_acknowledged',
  'print',
  'completion',
];
/** Longer than T4 of the driver, 180 s. */
const LONG = 200_000;
const VENDORS = ['reverse', 'decline', 'keep'] as const;

/** A fault, and whether the dialogue can go on through it. */
const FAULTS: readonly (readonly [string, Omit<Fault, 'when'>, 'survived' | 'broken'])[] = [
  ['a cut', { do: 'cut' }, 'broken'],
  ['a silence longer than T4', { do: 'silence', ms: LONG }, 'broken'],
  ['a power loss', { do: 'power_loss', ms: 2000 }, 'broken'],
  ['a late answer', { do: 'delay', ms: 4000 }, 'survived'],
  ['a doubled packet', { do: 'duplicate' }, 'survived'],
];

const ROWS = STEPS.flatMap((when) =>
  FAULTS.map(([name, fault, fate]) => [name, when, { ...fault, when }, fate] as const),
);

/** Sells once, so that a void has something to undo. */
async function sold(vendor: (typeof VENDORS)[number], kind: 'tcp' | 'serial') {
  const at = await sitting({ kind, settings: { missingAcknowledgement: vendor } });
  const report = reportOf(await at.pay({ ...REFUND, kind: 'sale' }));
  return { at, report };
}

/** Whether the customer has got the money, by the terminal's own book: the only judge. */
function gaveBack(at: Sitting, kind: 'refund' | 'void'): boolean {
  return at.standing().some((entry) => entry.kind === kind);
}

function expectTrue(outcome: Outcome, gave: boolean) {
  if (outcome.kind === 'approved') expect(gave).toBe(true);
  else if (outcome.kind !== 'unknown') expect(gave).toBe(false);
}

describe.each(['tcp', 'serial'] as const)('over %s', (kind) => {
  describe.each(['refund', 'void'] as const)('a %s', (what) => {
    it.each(ROWS)('with %s at %s comes to what it must', async (_name, _when, fault, fate) => {
      for (const vendor of fate === 'survived' ? VENDORS.slice(0, 1) : VENDORS) {
        const { at, report } = await sold(vendor, kind);
        const command: MoneyCommand = what === 'void' ? voidOf(report) : REFUND;
        at.terminal.inject(fault);
        const outcome = await at.pay(command);
        expect(outcome.kind).toBe(fate === 'survived' ? 'approved' : 'unknown');
        await at.clock.advance(LONG);
        expectTrue(outcome, gaveBack(at, what));
        const entries = at.terminal.snapshot().ledger.filter((entry) => entry.kind === what);
        expect(entries.length).toBeLessThanOrEqual(1);
      }
    });
  });

  describe('an end of day', () => {
    it.each(ROWS)('with %s at %s comes to what it must', async (_name, when, fault, fate) => {
      const { at } = await sold('keep', kind);
      at.terminal.inject(fault);
      const outcome: CloseOutcome = await at.endOfDay();
      expect(outcome.kind).toBe(fate === 'survived' ? 'closed' : 'unknown');
      await at.clock.advance(LONG);
      const batch = at.terminal.typeByHand({ kind: 'sale', amountMinor: 1 }).batch;
      if (outcome.kind === 'closed') expect(batch).toBe(2);
      // Where the till heard nothing more the terminal may have closed all the same: that is what unknown means.
      const closedAnyway = !(fault.do === 'power_loss' && (when === 'command' || when === 'customer'));
      expect(batch).toBe(closedAnyway ? 2 : 1);
    });
  });
});

it.each(['refund', 'void', 'close'] as const)(
  'noise in front of a packet of a %s on TCP is unknown, never a no',
  async (what) => {
    for (const when of STEPS) {
      const { at, report } = await sold('keep', 'tcp');
      at.terminal.inject({ when, do: 'garbage' });
      const outcome =
        what === 'close' ? await at.endOfDay() : await at.pay(what === 'void' ? voidOf(report) : REFUND);
      expect(outcome.kind).toBe('unknown');
    }
  },
);
