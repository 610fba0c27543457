import { describe, expect, it } from 'vitest';
import type { Attempt } from '../../../src/payment/attempt/attempt.ts';
import { judge } from '../../../src/payment/recovery/decision-table.ts';
import type { LastTransaction, TransactionReport } from '../../../src/terminal/ports.ts';
import { anAttempt, aReport } from '../../support/attempts.ts';

const TERMINAL = { grade: 'serial', serial: '17F00001', terminalId: '52500038' } as const;
const sale = aReport({ number: '0041', trace: '000141', terminalClock: '1120133000' });
const found = (report: TransactionReport): LastTransaction => ({ kind: 'found', report });
const MARK = { last: found(sale), terminal: TERMINAL, batch: 1, day: 1 };

/** In doubt right after the sale 0041; `approvedAs`: what the terminal had said of it. */
function inDoubt(type: Attempt['type'], approvedAs: TransactionReport | null = null): Attempt {
  const original = type === 'void' ? { number: '0041', trace: '000141', amountMinor: 1234 } : null;
  return anAttempt({
    type,
    original,
    parentId: type === 'sale' ? null : 'sale',
    baseline: MARK,
    state: { name: 'in_doubt', hadApproval: approvedAs !== null },
    report: approvedAs,
  });
}

/** Number 0042, trace 000142, as ZVT tells it: of no kind, unless it names an original. */
const plain = aReport({ kind: 'unknown' });
const voidOf = (originalTrace: string) => aReport({ kind: 'void', originalTrace });
const OWN = '000142';
const SALES = '000141';
const OTHER = '000100';

function wordFor(attempt: Attempt, report: TransactionReport): string {
  const judgement = judge(attempt, found(report));
  if (judgement.kind === 'person') return `person by ${judgement.row}`;
  return `${judgement.of}${judgement.kind === 'unchanged' ? ' later' : ''} by ${judgement.row}`;
}

describe.each(['sale', 'refund'] as const)('of a %s in doubt the next number', (type) => {
  const doubt = inDoubt(type);
  it.each([
    [
      'approved, of a kind that is not told: of a refund that proves nothing',
      plain,
      type === 'sale' ? 'charged by next_number' : 'person by somebody_else',
    ],
    ['approved, of its own kind', aReport({ kind: type }), 'charged by next_number'],
    [
      'approved, of the other kind',
      aReport({ kind: type === 'sale' ? 'refund' : 'sale' }),
      'person by somebody_else',
    ],
    ['of its own trace: the terminal took it back', voidOf(OWN), 'reversed by next_number'],
    ['with the trace of the sale before: somebody undid that one', voidOf(SALES), 'person by somebody_else'],
    ['refused', aReport({ kind: 'unknown', verdict: 'refused' }), 'declined by next_number'],
    ['with another amount', aReport({ kind: 'unknown', amountMinor: 1 }), 'person by amount_differs'],
  ] as const)('%s', (_title, report, expected) => {
    expect(wordFor(doubt, report)).toBe(expected);
  });

  it('that it had approved: kept, or taken back as a void of its own trace', () => {
    expect(wordFor(inDoubt(type, plain), plain)).toBe('charged by approved_kept');
    expect(wordFor(inDoubt(type, plain), voidOf(OWN))).toBe('reversed by approved_reversed');
  });
});

describe('of a void in doubt the next number', () => {
  const doubt = inDoubt('void');
  it.each([
    ['with the trace of its sale: it stands', voidOf(SALES), 'charged by next_number'],
    ['of its own trace: the terminal took it back, the sale stands', voidOf(OWN), 'reversed by next_number'],
    [
      'with the trace of another sale: somebody else undid that one',
      voidOf(OTHER),
      'person by somebody_else',
    ],
    ['that undoes nothing: a sale of the same amount by hand', plain, 'person by somebody_else'],
    ['of a kind that is a refund', aReport({ kind: 'refund' }), 'person by somebody_else'],
    [
      'with another amount',
      aReport({ kind: 'void', originalTrace: SALES, amountMinor: 1 }),
      'person by amount_differs',
    ],
    [
      'refused',
      aReport({ kind: 'void', originalTrace: SALES, verdict: 'refused' }),
      'declined by next_number',
    ],
  ] as const)('%s', (_title, report, expected) => {
    expect(wordFor(doubt, report)).toBe(expected);
  });

  it.each([
    ['kept with the trace of its sale', voidOf(SALES), 'charged by approved_kept'],
    ['taken back as a void of its own trace', voidOf(OWN), 'reversed by approved_reversed'],
    ['stored as refused', { ...voidOf(SALES), verdict: 'refused' as const }, 'reversed by approved_reversed'],
    ['with another amount', { ...voidOf(SALES), amountMinor: 1 }, 'person by amount_differs'],
  ])('that it had approved: %s', (_title, report, expected) => {
    expect(wordFor(inDoubt('void', voidOf(SALES)), report)).toBe(expected);
  });
});

describe.each(['refund', 'void'] as const)('a %s in doubt', (type) => {
  it('of which the terminal shows the sale only was not given back, once the settle time is over', () => {
    expect(wordFor(inDoubt(type), sale)).toBe('not_charged later by same_as_mark');
    expect(wordFor(inDoubt(type, plain), sale)).toBe('reversed later by same_as_mark');
  });

  it('of which the terminal shows a later number is with a person', () => {
    const stands = type === 'void' ? voidOf(SALES) : plain;
    const later = { ...stands, number: '0043', trace: '000143' };
    expect(wordFor(inDoubt(type), later)).toBe('person by somebody_else');
  });
});
