import { describe, expect, it } from 'vitest';
import type { LedgerEntry } from '../../../src/sandbox/controllable-terminal.ts';
import type { TransactionReport } from '../../../src/terminal/ports.ts';
import { anAttempt } from '../../support/attempts.ts';
import { amountOf } from './basket.ts';
import type { Entry } from './books.ts';
import { type Evidence, judge } from './judge.ts';

const BASKET = 7;
const SOLD = { kind: 'sale', amountMinor: amountOf(BASKET) } as const;
const BACK = { kind: 'refund', amountMinor: amountOf(BASKET) } as const;

describe('double charges in the ledger of a terminal', () => {
  it.each<[string, readonly Partial<LedgerEntry>[], readonly string[]]>([
    ['a sale', [SOLD], []],
    ['a sale that was declined, and a sale', [{ ...SOLD, result: 'declined' }, SOLD], []],
    ['a sale that was taken back, and a sale', [{ ...SOLD, reversed: true }, SOLD], []],
    ['sales of two baskets', [SOLD, { ...SOLD, amountMinor: amountOf(BASKET + 1) }], []],
    ['a sale, and one that staff typed', [SOLD, { ...SOLD, byHand: true }], []],
    ['a sale and its refund', [SOLD, BACK], []],
    ['two sales', [SOLD, SOLD], ['basket 7 was charged 2 times']],
    [
      'two sales of other amounts',
      [SOLD, { ...SOLD, amountMinor: amountOf(BASKET, 50) }],
      ['basket 7 was charged 2 times'],
    ],
    ['three sales', [SOLD, SOLD, SOLD], ['basket 7 was charged 3 times']],
    ['a refund of nothing', [BACK], ['of basket 7 700 went back in 1 refunds, of 0']],
    [
      'a part that was refunded twice',
      [SOLD, { ...BACK, amountMinor: amountOf(BASKET, 60) }, { ...BACK, amountMinor: amountOf(BASKET, 60) }],
      ['of basket 7 1280 went back in 2 refunds, of 700'],
    ],
    [
      'a refund of more than was paid',
      [{ ...SOLD, amountMinor: amountOf(BASKET, 50) }, BACK],
      ['of basket 7 700 went back in 1 refunds, of 650'],
    ],
  ])('%s', (_, lines, expected) => {
    const found = judge(evidenceOf(lines)).filter(({ crime }) => crime === 'double_charges');
    expect(found.map(({ text }) => text)).toEqual(expected);
  });
});

describe('an approval that a terminal takes back unless it is acknowledged', () => {
  it.each<[string, Partial<Entry>, readonly string[]]>([
    ['its report', { event: 'reported', verdict: 'approved' }, []],
    ['a report that came later', { event: 'late_report', verdict: 'approved' }, []],
    ['an end that came later', { event: 'evidence', row: 'late_end' }, []],
    [
      'a last transaction that was read',
      { event: 'evidence', row: 'next_number' },
      ['sale of basket 7: acknowledged 1 times, 0 approvals are on disk'],
    ],
    [
      'a refusal',
      { event: 'reported', verdict: 'refused' },
      ['sale of basket 7: acknowledged 1 times, 0 approvals are on disk'],
    ],
  ])('was acknowledged on disk by %s', (_, entry, expected) => {
    const amount = { minor: SOLD.amountMinor, currency: 'EUR' } as const;
    const attempt = anAttempt({ state: { name: 'succeeded' }, amount });
    const rows = [{ event: 'dispatch' }, entry].map((one) => ({
      attemptId: attempt.id,
      to: 'in_doubt',
      verdict: null,
      row: null,
      event: '',
      ...one,
    }));
    const evidence = evidenceOf([SOLD]);
    const found = judge({
      ...evidence,
      traits: { missingAcknowledgement: 'reverse' },
      books: { ...evidence.books, attempts: [attempt], journal: rows },
    });
    expect(found.map(({ text }) => text).filter((text) => text.includes('acknowledged'))).toEqual(expected);
  });
});

describe('a charge of another amount than was asked for', () => {
  it.each<[string, Partial<TransactionReport> | null, readonly string[]]>([
    ['is booked as the terminal reported it', { amountMinor: amountOf(BASKET, 50) }, []],
    ['had no amount in the result', {}, []],
    [
      'is booked with what was asked for',
      { amountMinor: SOLD.amountMinor },
      ['sale of basket 7: 650 at the terminal, 700 in the books'],
    ],
    ['has no result', null, ['sale of basket 7: 650 at the terminal, 700 in the books']],
  ])('%s', (_, reported, accused) => {
    const report: TransactionReport | null = reported && { kind: 'sale', verdict: 'approved', ...reported };
    const amount = { minor: SOLD.amountMinor, currency: 'EUR' } as const;
    const attempt = anAttempt({ state: { name: 'succeeded' }, amount, report });
    const evidence = evidenceOf([{ ...SOLD, amountMinor: amountOf(BASKET, 50) }]);
    const found = judge({ ...evidence, books: { ...evidence.books, attempts: [attempt] } });
    expect(found.filter(({ crime }) => crime === 'wrong_amounts').map(({ text }) => text)).toEqual(accused);
  });
});

/** A round of which nothing is known but the ledger: whatever the books say, a double charge is one. */
function evidenceOf(lines: readonly Partial<LedgerEntry>[]): Evidence {
  return {
    world: { service: { control: { ledger: () => [] } } },
    traits: { missingAcknowledgement: 'keep' },
    ledger: lines.map(lineOf),
    books: {
      attempts: [],
      journal: [],
      events: [],
      tasks: [],
      reports: new Map(),
      chain: { kind: 'whole', count: 0, hash: '' },
    },
    till: { requests: [], shown: [], complaints: [] },
    officeBaskets: [],
  };
}

function lineOf(line: Partial<LedgerEntry>, index: number): LedgerEntry {
  return {
    sequence: index + 1,
    receiptNumber: `000${index + 1}`,
    trace: `00000${index + 1}`,
    ...SOLD,
    currency: 'EUR',
    result: 'approved',
    reversed: false,
    byHand: false,
    batch: 1,
    reference: '',
    undoes: null,
    at: 0,
    ...line,
  };
}
