import { describe, expect, it } from 'vitest';
import type { Attempt, Baseline } from '../../../src/payment/attempt/attempt.ts';
import { commandOf } from '../../../src/payment/attempt/money-command.ts';
import { judgeOwn } from '../../../src/payment/recovery/by-reference.ts';
import { judge } from '../../../src/payment/recovery/decision-table.ts';
import type { Totals, TransactionReport } from '../../../src/terminal/ports.ts';
import { anAttempt, aReport } from '../../support/attempts.ts';

const TICKET = 'B1C2D3';
const NOW = 2_000_000;
/** The customer added 1.00 EUR to the 12.34 EUR. */
const TIPPED = { amountMinor: 1334, tipMinor: 100 } as const;

const before = aReport({ number: '0041', trace: '000141', amountMinor: 500, terminalClock: '1120133000' });
const asked: Baseline = {
  last: { kind: 'found', report: before },
  terminal: { grade: 'serial', serial: '17F00001', terminalId: '52500038' },
  batch: 1,
  day: 1,
  tipAsked: true,
};
const { tipAsked: _, ...unasked } = asked;

function inDoubt(changes: Partial<Attempt> = {}): Attempt {
  return anAttempt({
    state: { name: 'in_doubt', hadApproval: false },
    baseline: asked,
    ticket: TICKET,
    ...changes,
  });
}

function byNumber(attempt: Attempt, shown: Partial<TransactionReport>, totals: Totals | null = null): string {
  return worded(judge(attempt, { kind: 'found', report: aReport(shown) }, totals));
}

function byReference(attempt: Attempt, shown: Partial<TransactionReport>): string {
  const report = aReport({ reference: TICKET, ...shown });
  const reference = { attemptId: attempt.id, ticket: TICKET };
  return worded(judgeOwn(attempt, { kind: 'found', report }, reference, NOW));
}

function worded(judgement: ReturnType<typeof judge>): string {
  const of = judgement.kind === 'person' ? [] : [judgement.of];
  return [judgement.kind, judgement.row, ...of].join(' ');
}

describe('a sale in doubt whose terminal was to ask for a tip, by its number', () => {
  it.each([
    ['the amount and the tip that it states', TIPPED, 'proved next_number charged'],
    ['the amount alone', {}, 'proved next_number charged'],
    ['more, and no tip', { amountMinor: 1334 }, 'person amount_differs'],
    ['more than the tip explains', { amountMinor: 1335, tipMinor: 100 }, 'person amount_differs'],
    ['less than the tip explains', { amountMinor: 1333, tipMinor: 100 }, 'person amount_differs'],
    ['the amount, of which a part is a tip', { amountMinor: 1234, tipMinor: 100 }, 'person amount_differs'],
    ['a tip and cash', { amountMinor: 1834, tipMinor: 100, cashbackMinor: 500 }, 'person amount_differs'],
    ['a surcharge instead', { amountMinor: 1334, surchargeMinor: 100 }, 'person amount_differs'],
    ['another currency', { ...TIPPED, currency: 'CHF' }, 'person amount_differs'],
    ['another number', { ...TIPPED, number: '0043' }, 'person somebody_else'],
    ['a refusal with the tip', { ...TIPPED, verdict: 'refused' }, 'proved next_number declined'],
  ] as const)('shows %s', (_title, shown, row) => {
    expect(byNumber(inDoubt(), shown)).toBe(row);
  });

  it('tells the person both amounts, and that the difference may be a tip', () => {
    const judgement = judge(inDoubt(), { kind: 'found', report: aReport({ amountMinor: 1334 }) });
    expect(judgement).toMatchObject({ words: expect.stringMatching(/13\.34.*12\.34.*asked for a tip/) });
    const others = judge(inDoubt({ baseline: unasked }), {
      kind: 'found',
      report: aReport({ amountMinor: 1334 }),
    });
    expect(others).toMatchObject({ words: expect.not.stringContaining('tip') });
  });

  it('is believed when the sums have grown by the amount with the tip, and by nothing else', () => {
    const attempt = inDoubt({ baseline: { ...asked, totals: { count: 1, amountMinor: 500 } } });
    const grown = (by: number) => ({ count: 2, amountMinor: 500 + by });
    expect(byNumber(attempt, TIPPED, grown(1334))).toBe('proved next_number charged');
    expect(byNumber(attempt, TIPPED, grown(1234))).toBe('person totals_disagree');
    expect(byNumber(attempt, TIPPED, grown(2668))).toBe('person totals_disagree');
    expect(byNumber(attempt, {}, grown(1334))).toBe('person totals_disagree');
  });
});

describe('a tip that was not asked for, by the number', () => {
  it('is for a person: the payment may be another one', () => {
    expect(byNumber(inDoubt({ baseline: unasked }), TIPPED)).toBe('person amount_differs');
  });

  it('is for a person also where amount and tip together are what was asked for', () => {
    expect(byNumber(inDoubt({ baseline: unasked }), { tipMinor: 100 })).toBe('person amount_differs');
  });
});

describe('a sale in doubt, by our reference', () => {
  it.each([
    ['the amount and the tip that it states', TIPPED, 'proved own_reference charged'],
    ['the amount alone', {}, 'proved own_reference charged'],
    ['more, and no tip', { amountMinor: 1334 }, 'person amount_differs'],
    ['more than the tip explains', { amountMinor: 1335, tipMinor: 100 }, 'person amount_differs'],
    ['the amount, of which a part is a tip', { tipMinor: 100 }, 'person amount_differs'],
    ['another currency', { ...TIPPED, currency: 'CHF' }, 'person amount_differs'],
  ] as const)('stores %s', (_title, shown, row) => {
    expect(byReference(inDoubt(), shown)).toBe(row);
    expect(byReference(inDoubt({ baseline: unasked }), shown)).toBe(row);
  });
});

describe('an approval with a tip that was heard before the doubt', () => {
  const approved = inDoubt({ state: { name: 'in_doubt', hadApproval: true }, report: aReport(TIPPED) });

  it('is kept with the very same amount, whether the record states the tip or not', () => {
    expect(byNumber(approved, TIPPED)).toBe('proved approved_kept charged');
    expect(byNumber(approved, { amountMinor: 1334 })).toBe('proved approved_kept charged');
    expect(byReference(approved, { amountMinor: 1334 })).toBe('proved own_reference charged');
  });

  it('is for a person with the amount that was asked for alone', () => {
    expect(byNumber(approved, {})).toBe('person amount_differs');
    expect(byReference(approved, {})).toBe('person amount_differs');
  });
});

describe('what gives back a sale with a tip', () => {
  const amount = { minor: 1334, currency: 'EUR' } as const;
  const original = { number: '0040', trace: '000140', amountMinor: 1334 };
  const undoing = inDoubt({ type: 'void', baseline: unasked, amount, original });
  const asVoid = { kind: 'void', originalTrace: '000140' } as const;

  it('is a void of the whole, whatever its record says of the tip', () => {
    expect(byNumber(undoing, { ...asVoid, ...TIPPED })).toBe('proved next_number charged');
    expect(byNumber(undoing, { ...asVoid, amountMinor: 1334 })).toBe('proved next_number charged');
    expect(byNumber(undoing, { ...asVoid, amountMinor: 1234 })).toBe('person amount_differs');
  });

  it('is a refund that adds nothing', () => {
    const refund = inDoubt({ type: 'refund' });
    expect(byNumber(refund, { kind: 'refund', ...TIPPED })).toBe('person amount_differs');
    expect(byReference(refund, { kind: 'refund', ...TIPPED })).toBe('person amount_differs');
  });
});

/** No other attempt is known. */
const NO_OTHERS = { findAttempt: () => null };

describe('the command to a terminal that is to ask for a tip', () => {
  it('says so for a sale, and for nothing else', () => {
    const amount = { minor: 1334, currency: 'EUR' } as const;
    expect(commandOf(inDoubt(), NO_OTHERS)).toMatchObject({ kind: 'sale', tip: 'ask' });
    expect(commandOf(inDoubt({ baseline: unasked }), NO_OTHERS)).not.toHaveProperty('tip');
    expect(commandOf(inDoubt({ type: 'refund' }), NO_OTHERS)).not.toHaveProperty('tip');
    const original = { number: '0042', amountMinor: 1334 };
    expect(commandOf(inDoubt({ type: 'void', amount, original }), NO_OTHERS)).not.toHaveProperty('tip');
  });
});
