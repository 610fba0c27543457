import { describe, expect, it } from 'vitest';
import type { ZvtVirtualOptions } from '../../../drivers/terminals/zvt/virtual-options.ts';
import type { VirtualTerminalSettings } from '../../../src/sandbox/controllable-terminal.ts';
import type { LastTransaction, MoneyCommand } from '../../../src/terminal/ports.ts';
import { REFUND, SALE } from './scripted-terminal.ts';
import { reportOf, sitting, voidOf } from './sitting.ts';

type Vendor = VirtualTerminalSettings['missingAcknowledgement'];

/** What recovery builds on; everything else is left out. */
function shown(last: LastTransaction) {
  if (last.kind !== 'found') return last.kind;
  const { verdict, kind, number, trace, originalTrace, amountMinor } = last.report;
  return { verdict, kind, number, trace, originalTrace, amountMinor };
}

async function open(missingAcknowledgement: Vendor, options: Partial<ZvtVirtualOptions> = {}) {
  return sitting({ settings: { missingAcknowledgement }, options });
}

/** Runs a command whose approval is lost on its way: the link is cut right before it. */
async function loseApproval(at: Awaited<ReturnType<typeof open>>, command: MoneyCommand) {
  at.terminal.inject({ when: 'result', do: 'cut' });
  expect(await at.pay(command)).toMatchObject({ kind: 'unknown' });
  return shown(await at.askAgain());
}

const [FIRST, SECOND] = [
  { number: '0001', trace: '000001', amountMinor: 1234 },
  { number: '0002', trace: '000002', amountMinor: 1234 },
];
const STANDS = { verdict: 'approved', kind: 'unknown', originalTrace: undefined };

describe('what the last transaction shows of', () => {
  it.each([
    ['sale', SALE],
    ['refund', REFUND],
  ] as const)('a %s that stands: approved, of a kind that is not told', async (_name, command) => {
    const at = await open('keep');
    await at.pay(command);
    expect(shown(await at.lastTransaction())).toEqual({ ...STANDS, ...FIRST });
    expect(await loseApproval(at, command)).toEqual({ ...STANDS, ...SECOND });
  });

  it.each([
    ['sale', SALE],
    ['refund', REFUND],
  ] as const)(
    'a %s that the terminal took back by itself: a void of its own trace',
    async (_name, command) => {
      const at = await open('reverse');
      expect(await loseApproval(at, command)).toEqual({
        verdict: 'approved',
        kind: 'void',
        ...FIRST,
        originalTrace: '000001',
      });
    },
  );

  it.each([
    ['sale', SALE],
    ['refund', REFUND],
  ] as const)(
    'a %s that the terminal made a decline of: nothing, or a refusal with its number',
    async (_name, command) => {
      expect(await loseApproval(await open('decline'), command)).toBe('empty');
      expect(await loseApproval(await open('decline', { storesDeclined: true }), command)).toEqual({
        ...FIRST,
        verdict: 'refused',
        kind: 'unknown',
        originalTrace: undefined,
      });
    },
  );

  it('a sale and the void that undid it: the void, which names the trace of the sale', async () => {
    const at = await open('keep');
    const sold = reportOf(await at.pay(SALE));
    await at.pay(voidOf(sold));
    const undone = { verdict: 'approved', kind: 'void', ...SECOND, originalTrace: '000001' };
    expect(shown(await at.lastTransaction())).toEqual(undone);
  });

  it('a void whose approval was lost and that stands: the same', async () => {
    const at = await open('keep');
    const sold = reportOf(await at.pay(SALE));
    expect(await loseApproval(at, voidOf(sold))).toEqual({
      verdict: 'approved',
      kind: 'void',
      ...SECOND,
      originalTrace: '000001',
    });
    expect(at.standing().map(({ kind }) => kind)).toEqual(['void']);
  });

  it('a void that the terminal took back by itself: a void of its own trace', async () => {
    const at = await open('reverse');
    const sold = reportOf(await at.pay(SALE));
    expect(await loseApproval(at, voidOf(sold))).toEqual({
      verdict: 'approved',
      kind: 'void',
      ...SECOND,
      originalTrace: '000002',
    });
    expect(at.standing().map(({ kind }) => kind)).toEqual(['sale']);
  });

  it('a void that the terminal took back without showing it: what a void that stands shows; only the totals differ', async () => {
    const at = await open('reverse', { takenBackVoidShows: 'original_trace' });
    const sold = reportOf(await at.pay(SALE));
    expect(await loseApproval(at, voidOf(sold))).toMatchObject({ kind: 'void', originalTrace: '000001' });
    expect(await at.journal()).toMatchObject({ totals: { amountMinor: 1234, count: 1 } });
    expect(at.standing().map(({ kind }) => kind)).toEqual(['sale']);
  });

  it('a void that the terminal made a decline of: the sale, which stands again', async () => {
    const at = await open('decline');
    const sold = reportOf(await at.pay(SALE));
    expect(await loseApproval(at, voidOf(sold))).toEqual({ ...STANDS, ...FIRST });
    expect(at.standing().map(({ kind }) => kind)).toEqual(['sale']);
  });

  it('a void that was refused: the sale, untouched', async () => {
    const at = await open('keep', { voids: 'none' });
    const sold = reportOf(await at.pay(SALE));
    expect(await at.pay(voidOf(sold))).toMatchObject({ kind: 'declined' });
    expect(shown(await at.lastTransaction())).toEqual({ ...STANDS, ...FIRST });
  });

  it('an approval that was acknowledged, failed and was taken back: a void of its own trace', async () => {
    const at = await open('keep');
    at.terminal.spoilNextEnd('reversed_silently');
    expect(await at.pay(SALE)).toMatchObject({ kind: 'unknown' });
    expect(shown(await at.lastTransaction())).toMatchObject({
      kind: 'void',
      ...FIRST,
      originalTrace: '000001',
    });
  });
});
