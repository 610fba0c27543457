import { describe, expect, it } from 'vitest';
import type { Attempt, Baseline } from '../../../src/payment/attempt/attempt.ts';
import { judge, RECOVERY_TABLE, type RowName } from '../../../src/payment/recovery/decision-table.ts';
import type { LastTransaction, Totals, TransactionReport } from '../../../src/terminal/ports.ts';
import { anAttempt, aReport } from '../../support/attempts.ts';

const TERMINAL = { grade: 'serial', serial: '17F00001', terminalId: '52500038' } as const;
const before = aReport({ number: '0041', trace: '000141', amountMinor: 500, terminalClock: '1120133000' });
const next = aReport();
const found = (report: TransactionReport): LastTransaction => ({ kind: 'found', report });
const markOf = (last: LastTransaction): Baseline => ({ last, terminal: TERMINAL, batch: 1, day: 1 });

function inDoubt(baseline: Baseline | null, approvedAs: TransactionReport | null = null): Attempt {
  return anAttempt({
    state: { name: 'in_doubt', hadApproval: approvedAs !== null },
    baseline,
    report: approvedAs,
  });
}

/** In doubt for 60 s; the terminal's clock stood at `clock` when it was dispatched. */
function timed(clock: string, ranMs = 60_000): Attempt {
  const baseline = { ...markOf(found(before)), terminalClock: clock };
  return anAttempt({
    state: { name: 'in_doubt', hadApproval: false },
    baseline,
    dispatchedAt: 0,
    inDoubtSince: ranMs,
  });
}

interface Case {
  readonly title: string;
  readonly attempt: Attempt;
  readonly last: LastTransaction;
  readonly row: RowName;
  readonly verdict: string;
}

const doubt = inDoubt(markOf(found(before)));
const afterApproval = inDoubt(markOf(found(before)), next);
const CASES: readonly Case[] = [
  ...(['preauthorisation', 'capture', 'release'] as const).map((kind) => ({
    title: `a ${kind} that staff made at the terminal itself`,
    attempt: doubt,
    last: found(aReport({ kind })),
    row: 'somebody_else' as const,
    verdict: 'person',
  })),
  {
    title: 'a time while the daemon was off for a day',
    attempt: timed('1120090000', 86_400_000),
    last: found(next),
    row: 'somebody_else',
    verdict: 'person',
  },
  {
    title: 'the first minute of March after a dispatch in the last of February',
    attempt: timed('0228235930'),
    last: found(aReport({ terminalClock: '0301000010' })),
    row: 'next_number',
    verdict: 'charged',
  },
  {
    title: 'the approved number, kept, with less',
    attempt: afterApproval,
    last: found(aReport({ amountMinor: 500 })),
    row: 'amount_differs',
    verdict: 'person',
  },
  {
    title: 'the approved number, kept, in another currency',
    attempt: afterApproval,
    last: found(aReport({ currency: 'CHF' })),
    row: 'amount_differs',
    verdict: 'person',
  },
  {
    title: 'the approved number, stored as refused',
    attempt: afterApproval,
    last: found(aReport({ verdict: 'refused' })),
    row: 'approved_reversed',
    verdict: 'reversed',
  },
  {
    title: 'the approved number with another trace',
    attempt: afterApproval,
    last: found(aReport({ trace: '000999' })),
    row: 'somebody_else',
    verdict: 'person',
  },
  {
    title: 'the approved number at another time',
    attempt: afterApproval,
    last: found(aReport({ terminalClock: '1121090000' })),
    row: 'somebody_else',
    verdict: 'person',
  },
  {
    title: 'the next number, though it had approved another',
    attempt: inDoubt(markOf(found(before)), aReport({ number: '0050' })),
    last: found(next),
    row: 'somebody_else',
    verdict: 'person',
  },
  {
    title: 'the mark itself, with the number it had approved (numbers began again)',
    attempt: inDoubt(markOf(found(next)), next),
    last: found(next),
    row: 'same_as_mark',
    verdict: 'reversed later',
  },
  {
    title: 'another currency',
    attempt: doubt,
    last: found(aReport({ currency: 'CHF' })),
    row: 'amount_differs',
    verdict: 'person',
  },
  {
    title: 'a time inside the window',
    attempt: timed('1120133650'),
    last: found(next),
    row: 'next_number',
    verdict: 'charged',
  },
  {
    title: 'a time after the window',
    attempt: timed('1120132000'),
    last: found(next),
    row: 'somebody_else',
    verdict: 'person',
  },
  {
    title: 'a time near the end of the longest dialogue',
    attempt: timed('1120132220', 900_000),
    last: found(next),
    row: 'next_number',
    verdict: 'charged',
  },
  {
    title: 'a time before the dispatch',
    attempt: timed('1120134500'),
    last: found(next),
    row: 'somebody_else',
    verdict: 'person',
  },
  {
    title: 'nothing that tells it from another',
    attempt: doubt,
    last: found({ verdict: 'approved', kind: 'sale', amountMinor: 1234 }),
    row: 'unreadable',
    verdict: 'person',
  },
  {
    title: 'a mark with nothing that tells it from another',
    attempt: inDoubt(markOf(found({ verdict: 'approved', kind: 'sale', amountMinor: 1234 }))),
    last: found({ verdict: 'approved', kind: 'sale', amountMinor: 1234 }),
    row: 'unreadable',
    verdict: 'person',
  },
  {
    title: 'the next number, approved, same amount',
    attempt: doubt,
    last: found(next),
    row: 'next_number',
    verdict: 'charged',
  },
  {
    title: 'the next number, refused',
    attempt: doubt,
    last: found(aReport({ verdict: 'refused' })),
    row: 'next_number',
    verdict: 'declined',
  },
  {
    title: 'the next number, refused without an amount',
    attempt: doubt,
    last: found({ verdict: 'refused', kind: 'sale', number: '0042' }),
    row: 'next_number',
    verdict: 'declined',
  },
  {
    title: 'the next number, aborted',
    attempt: doubt,
    last: found(aReport({ verdict: 'aborted' })),
    row: 'next_number',
    verdict: 'aborted',
  },
  {
    title: 'the next number, reversed by the terminal',
    attempt: doubt,
    last: found(aReport({ originalTrace: '000142' })),
    row: 'next_number',
    verdict: 'reversed',
  },
  {
    title: 'equal to the mark',
    attempt: doubt,
    last: found(before),
    row: 'same_as_mark',
    verdict: 'not_charged later',
  },
  {
    title: 'equal to the mark after an approval',
    attempt: afterApproval,
    last: found(before),
    row: 'same_as_mark',
    verdict: 'reversed later',
  },
  {
    title: 'the approved number, kept',
    attempt: afterApproval,
    last: found(next),
    row: 'approved_kept',
    verdict: 'charged',
  },
  {
    title: 'the approved number, reversed',
    attempt: afterApproval,
    last: found(aReport({ originalTrace: '000142' })),
    row: 'approved_reversed',
    verdict: 'reversed',
  },
  {
    title: 'another amount',
    attempt: doubt,
    last: found(aReport({ amountMinor: 1235 })),
    row: 'amount_differs',
    verdict: 'person',
  },
  {
    title: 'an approval without an amount',
    attempt: doubt,
    last: found({ verdict: 'approved', kind: 'sale', number: '0042' }),
    row: 'somebody_else',
    verdict: 'person',
  },
  {
    title: 'a number that was skipped',
    attempt: doubt,
    last: found(aReport({ number: '0043' })),
    row: 'somebody_else',
    verdict: 'person',
  },
  {
    title: 'a greater number of a later sale',
    attempt: doubt,
    last: found(aReport({ number: '0050' })),
    row: 'somebody_else',
    verdict: 'person',
  },
  {
    title: 'a refund with the next number',
    attempt: doubt,
    last: found(aReport({ kind: 'refund' })),
    row: 'somebody_else',
    verdict: 'person',
  },
  {
    title: 'an older terminal clock',
    attempt: doubt,
    last: found(aReport({ terminalClock: '1119080000' })),
    row: 'somebody_else',
    verdict: 'person',
  },
  {
    title: 'another terminal id',
    attempt: doubt,
    last: found(aReport({ terminalId: '11111111' })),
    row: 'somebody_else',
    verdict: 'person',
  },
  {
    title: 'a result nobody explains',
    attempt: doubt,
    last: found(aReport({ verdict: 'unclear' })),
    row: 'somebody_else',
    verdict: 'person',
  },
  {
    title: 'nothing stored after something was',
    attempt: doubt,
    last: { kind: 'empty' },
    row: 'somebody_else',
    verdict: 'person',
  },
  {
    title: 'nothing stored, before and after, as by a close of its own',
    attempt: inDoubt(markOf({ kind: 'empty' })),
    last: { kind: 'empty' },
    row: 'no_batch_witness',
    verdict: 'person',
  },
  {
    title: 'the first transaction ever',
    attempt: inDoubt(markOf({ kind: 'empty' })),
    last: found(aReport({ number: '0001' })),
    row: 'next_number',
    verdict: 'charged',
  },
  {
    title: 'number 7 on a terminal that had stored nothing',
    attempt: inDoubt(markOf({ kind: 'empty' })),
    last: found(aReport({ number: '0007' })),
    row: 'somebody_else',
    verdict: 'person',
  },
  {
    title: 'the number after 9999',
    attempt: inDoubt(markOf(found(aReport({ number: '9999' })))),
    last: found(aReport({ number: '0001', trace: '000143' })),
    row: 'next_number',
    verdict: 'charged',
  },
  {
    title: 'the number after 999999, where numbers have six digits',
    attempt: inDoubt(markOf(found(aReport({ number: '999999', trace: '999999' })))),
    last: found(aReport({ number: '000001', trace: '000001' })),
    row: 'next_number',
    verdict: 'charged',
  },
  {
    title: 'a new year on the terminal clock',
    attempt: inDoubt(markOf(found(aReport({ number: '0041', terminalClock: '1231235959' })))),
    last: found(aReport({ terminalClock: '0101000001' })),
    row: 'next_number',
    verdict: 'charged',
  },
  {
    title: 'a terminal that cannot tell',
    attempt: doubt,
    last: { kind: 'unreadable', detail: '' },
    row: 'unreadable',
    verdict: 'person',
  },
  {
    title: 'a mark that could not be read',
    attempt: inDoubt(markOf({ kind: 'unreadable', detail: '' })),
    last: found(next),
    row: 'unreadable',
    verdict: 'person',
  },
  {
    title: 'no mark at all',
    attempt: inDoubt(null),
    last: found(next),
    row: 'unreadable',
    verdict: 'person',
  },
];

describe('the recovery table', () => {
  it.each(CASES)('$title → $verdict', ({ attempt, last, row, verdict }) => {
    const judgement = judge(attempt, last);
    expect(judgement.row).toBe(row);
    expect(wordFor(judgement)).toBe(verdict);
  });

  it('has a case for every row; the witness of the sums and a lost memory have their own below, our own references their own file', () => {
    const elsewhere: readonly string[] = [
      'totals_disagree',
      'maybe_forgotten',
      'nothing_stored',
      'late_end',
      'own_reference',
      'never_seen',
      'not_in_list',
      'no_witness',
      'no_second_witness',
      'void_by_sums',
    ];
    const rows = Object.keys(RECOVERY_TABLE).filter((row) => !elsewhere.includes(row));
    expect(new Set(CASES.map((one) => one.row))).toEqual(new Set(rows));
  });

  it('never says "not charged" at once', () => {
    for (const { attempt, last } of CASES) {
      const judgement = judge(attempt, last);
      if (judgement.kind === 'proved') expect(judgement.of).not.toBe('not_charged');
    }
  });
});

function wordFor(judgement: ReturnType<typeof judge>): string {
  if (judgement.kind === 'person') return 'person';
  return judgement.kind === 'proved' ? judgement.of : `${judgement.of} later`;
}

describe('an attempt that is older than our memory', () => {
  const judged = (attempt: Attempt, last: LastTransaction) =>
    judge(attempt, last, null, { maybeFollowed: true });

  it('is not taken for not charged by a terminal that has nothing stored: a forgotten life may have closed its day', () => {
    const totals = { count: 2, amountMinor: 5000 };
    const never = inDoubt({ ...markOf({ kind: 'empty' }), totals });
    const judged = (maybeFollowed: boolean) => judge(never, { kind: 'empty' }, totals, { maybeFollowed });
    expect(judged(false)).toMatchObject({ kind: 'unchanged', of: 'not_charged', row: 'nothing_stored' });
    expect(judged(true)).toMatchObject({ kind: 'person', row: 'maybe_forgotten' });
  });

  it('is not taken for charged by the next number: a forgotten payment may have come first', () => {
    expect(judged(doubt, found(next))).toMatchObject({ kind: 'person', row: 'maybe_forgotten' });
    const refund = { ...doubt, type: 'refund' as const };
    expect(judged(refund, found(aReport({ kind: 'refund' })))).toMatchObject({ row: 'maybe_forgotten' });
  });

  it.each<[string, Attempt, LastTransaction, RowName]>([
    ['the very transaction that it was told', afterApproval, found(next), 'approved_kept'],
    ['a next number that was refused', doubt, found(aReport({ verdict: 'refused' })), 'next_number'],
    ['nothing stored since', inDoubt(markOf(found(before))), found(before), 'same_as_mark'],
  ])('goes by %s as ever', (_, attempt, last, row) => {
    expect(judged(attempt, last).row).toBe(row);
  });
});

describe('nothing stored, before and after', () => {
  const some = { count: 2, amountMinor: 5000 };
  const none = { count: 0, amountMinor: 0 };
  const afterApproved = (baseline: Baseline) => ({ ...afterApproval, baseline });

  it.each<[string, Totals | undefined, Totals | null, RowName]>([
    ['sums of its batch that have not moved', some, some, 'nothing_stored'],
    ['sums that a close has emptied', some, none, 'no_batch_witness'],
    ['sums that were empty before and are', none, none, 'no_batch_witness'],
    ['sums that have grown', some, { count: 3, amountMinor: 6234 }, 'no_batch_witness'],
    ['sums that were not known before', undefined, some, 'no_batch_witness'],
    ['sums that are not known now', some, null, 'no_batch_witness'],
  ])('means by %s what row it should', (_, before, now, row) => {
    const mark = { ...markOf({ kind: 'empty' }), ...(before === undefined ? {} : { totals: before }) };
    expect(judge(inDoubt(mark), { kind: 'empty' }, now).row).toBe(row);
    const approved = judge(afterApproved(mark), { kind: 'empty' }, now);
    expect([approved.row, approved.kind]).toEqual([row, row === 'nothing_stored' ? 'unchanged' : 'person']);
  });
});

describe("the sum of the terminal's day as a witness", () => {
  const before_ = found(before);
  const summed = (amountMinor: number) => ({ amountMinor, currency: 'EUR' }) as const;
  const sale = inDoubt({ ...markOf(before_), totals: summed(5000) });
  const undo = {
    ...sale,
    type: 'void' as const,
    original: { amountMinor: 1234, number: '0041', trace: '000141' },
  };
  const undone = found(aReport({ kind: 'void', originalTrace: '000141' }));
  const refund = { ...sale, type: 'refund' as const };
  const back = found(aReport({ kind: 'refund' }));

  it.each<[string, Attempt, LastTransaction, number, string]>([
    ['next number and moved by our amount: charged', sale, found(next), 6234, 'next_number'],
    ['next number and not moved: a person', sale, found(next), 5000, 'totals_disagree'],
    ['next number and moved by more: possible double charge', sale, found(next), 7468, 'totals_disagree'],
    ['equal to the mark and not moved: nothing happened', sale, before_, 5000, 'same_as_mark'],
    ['equal to the mark and moved: a person', sale, before_, 6234, 'totals_disagree'],
    ['a void that is stored and has moved the sum', undo, undone, 3766, 'next_number'],
    ['a void that is stored and has not moved the sum: a person', undo, undone, 5000, 'totals_disagree'],
    ['a void that is stored, and a sum of zero: a person', undo, undone, 0, 'no_second_witness'],
    ['a refund on a terminal that counts it against the sum', refund, back, 3766, 'next_number'],
    ['a refund on a terminal that does not', refund, back, 5000, 'next_number'],
  ])('%s', (_, attempt, last, sum, row) => {
    const judgement = judge(attempt, last, summed(sum));
    expect(judgement.row).toBe(row);
    if (sum === 7468 && judgement.kind === 'person')
      expect(judgement.words).toContain('Possible double charge');
  });

  it('that the terminal does not tell, or tells in another currency, says nothing', () => {
    expect(judge(sale, found(next), null).row).toBe('next_number');
    expect(judge(sale, found(next), { amountMinor: 5000, currency: 'USD' }).row).toBe('next_number');
    expect(judge(inDoubt(markOf(before_)), found(next), summed(9)).row).toBe('next_number');
  });

  it.each<[string, number | undefined, number, number, string]>([
    [
      'one more is counted and the sum is nothing: it was a refund by hand, a person',
      0,
      0,
      1,
      'totals_disagree',
    ],
    ['one more is counted and the sum is ours: charged', 0, 1234, 1, 'next_number'],
    ['nothing is counted again: the day was closed meanwhile', 0, 0, 0, 'next_number'],
    ['it was not counted before: nothing may have stood for less', undefined, 0, 1, 'next_number'],
    ['one was counted before: it may have been a refund', 1, 0, 2, 'next_number'],
  ])('of a day that began with nothing: %s', (_, countBefore, sum, count, row) => {
    const counted = countBefore === undefined ? {} : { count: countBefore };
    const began = inDoubt({ ...markOf(before_), totals: { ...summed(0), ...counted } });
    expect(judge(began, found(next), { ...summed(sum), count }).row).toBe(row);
  });
});

describe('a next number of no kind, and a sum that may have been negative', () => {
  const unkind = found(aReport({ kind: 'unknown' }));

  it.each<[string, number | undefined, number, number, string]>([
    ['one more is counted and the sum is still nothing: a sale or a refund', 1, 0, 2, 'totals_disagree'],
    ['it was not counted before: a sale or a refund', undefined, 0, 1, 'totals_disagree'],
    ['nothing is counted again: the day was closed behind a sale or a refund', 0, 0, 0, 'totals_disagree'],
    ['the sum has risen by less than ours: a sale', 1, 300, 2, 'next_number'],
    ['one more is counted and the sum is ours: a sale', 0, 1234, 1, 'next_number'],
  ])('%s', (_, countBefore, sum, count, row) => {
    const counted = countBefore === undefined ? {} : { count: countBefore };
    const totals = { amountMinor: 0, currency: 'EUR', ...counted } as const;
    const began = inDoubt({ ...markOf(found(before)), totals });
    expect(judge(began, unkind, { amountMinor: sum, currency: 'EUR', count }).row).toBe(row);
  });
});

describe('a terminal that tells its last transaction and counts nothing (ECR17)', () => {
  const needsSums = { needsSums: true };
  const mark = { ...markOf(found(before)), totals: { amountMinor: 500 } };

  it('has charged nothing only if the sum of its day says so, too', () => {
    const sale = inDoubt(mark);
    expect(judge(sale, found(before), { amountMinor: 500 }, needsSums)).toMatchObject({ of: 'not_charged' });
    expect(judge(sale, found(before), null, needsSums)).toMatchObject({ row: 'no_second_witness' });
    expect(judge(sale, found(before), { amountMinor: 1734 }, needsSums).row).toBe('totals_disagree');
    const unmarked = inDoubt(markOf(found(before)));
    expect(judge(unmarked, found(before), { amountMinor: 500 }, needsSums)).toMatchObject({ kind: 'person' });
  });

  it('has not charged because the next number looks like it while the sum of its day stays at nothing', () => {
    const morning = inDoubt({ ...markOf(found(before)), totals: { amountMinor: 0 } });
    expect(judge(morning, found(next), { amountMinor: 0 }, needsSums).row).toBe('totals_disagree');
    expect(judge(morning, found(next), { amountMinor: 1234 }, needsSums)).toMatchObject({ of: 'charged' });
  });

  it('has charged when the next number shows it and its sum has grown by it; a refund by hand looks the same', () => {
    const sale = inDoubt(mark);
    expect(judge(sale, found(next), { amountMinor: 1734 }, needsSums)).toMatchObject({ of: 'charged' });
    expect(judge(sale, found(next), { amountMinor: 0 }, needsSums).row).toBe('totals_disagree');
    const asked = { kind: 'person', row: 'no_second_witness', report: next };
    expect(judge(sale, found(next), null, needsSums)).toMatchObject(asked);
    const unmarked = inDoubt(markOf(found(before)));
    expect(judge(unmarked, found(next), { amountMinor: 1734 }, needsSums)).toMatchObject(asked);
    const declined = found({ ...next, verdict: 'refused' });
    expect(judge(sale, declined, null, needsSums)).toMatchObject({ of: 'declined' });
  });

  it('has undone a sale when a void without an amount is there and the sum has fallen by exactly that', () => {
    const original = { number: '0041', amountMinor: 500 };
    const amount = { minor: 500, currency: 'EUR' } as const;
    const undoing = { ...inDoubt(mark), type: 'void', parentId: 'sale', original, amount } as const;
    const { amountMinor: _, trace: __, ...record } = next;
    const undone = found({ ...record, kind: 'void' });
    const judged = (minor: number) => judge(undoing, undone, { amountMinor: minor }, needsSums);
    expect(judged(0)).toMatchObject({ row: 'void_by_sums', of: 'charged' });
    expect(judged(500)).toMatchObject({ kind: 'person' });
    expect(judged(-500)).toMatchObject({ kind: 'person' });
    expect(judge(undoing, undone, null, needsSums)).toMatchObject({ kind: 'person' });
  });
});
