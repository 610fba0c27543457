import { describe, expect, it } from 'vitest';
import type { Attempt, Evidence } from '../../../src/payment/attempt/attempt.ts';
import type { AttemptState } from '../../../src/payment/attempt/state-machine.ts';
import {
  type Continuity,
  continuityOf,
  type SinceLastDialogue,
} from '../../../src/payment/recovery/continuity.ts';
import type { LastTransaction, TransactionReport } from '../../../src/terminal/ports.ts';
import { anAttempt, aReport } from '../../support/attempts.ts';

const TERMINAL = { grade: 'serial', serial: '17F00001', terminalId: '52500038' } as const;
const before = aReport({ number: '0041', trace: '000141', amountMinor: 500, terminalClock: '1120133000' });
const stored = aReport();
const byHand = aReport({ number: '0043', trace: '000143', amountMinor: 700 });
const takenBack = aReport({ kind: 'void', originalTrace: '000142' });
const found = (report: TransactionReport): LastTransaction => ({ kind: 'found', report });
const EMPTY = { kind: 'empty' } as const;
const UNREADABLE = { kind: 'unreadable', detail: '' } as const;
const JOURNAL: Evidence = { kind: 'terminal_journal', row: 'same_as_mark', report: null };
const PERSON: Evidence = { kind: 'person', by: 'Ada', reason: 'looked', shown: 'nothing' };

function sent(
  name: 'succeeded' | 'declined' | 'error' | 'in_doubt',
  changes: Partial<Attempt> = {},
): Attempt {
  const state: AttemptState = name === 'in_doubt' ? { name, hadApproval: false } : { name };
  return anAttempt({
    state,
    baseline: { last: found(before), terminal: TERMINAL, batch: 1, day: 1 },
    ...changes,
  });
}

const paid = sent('succeeded', { report: stored });
const notCharged = sent('error', { evidence: JOURNAL });
/** Ended as not charged a minute after the dispatch, which was 10 s before the terminal's time of `stored`. */
const BOOKED = {
  baseline: { last: found(before), terminal: TERMINAL, batch: 1, day: 1, terminalClock: '1120133650' },
  dispatchedAt: 0,
  completedAt: 60_000,
};
const VOIDING = {
  type: 'void',
  parentId: 'sale',
  original: { number: before.number ?? '', trace: before.trace ?? '', amountMinor: 1234 },
  baseline: { last: found(before), terminal: TERMINAL, batch: 1, day: 1 },
} as const;
/** The record of that void: exactly the next number, and it names its sale. */
const undone = aReport({ ...stored, kind: 'void', originalTrace: before.trace ?? '' });
/** A person has read the amount off the receipt, and no number. */
const recordedCharged = sent('succeeded', {
  evidence: PERSON,
  report: { kind: 'sale', verdict: 'approved', amountMinor: stored.amountMinor ?? 0 },
});
/** The same of a terminal whose numbers do not count on, under the reference of ours. */
const named = aReport({ number: 'V000042.3F', reference: 'AJ0105' });
/** As ECR17 shows a customer who pressed stop. */
const unnumbered: TransactionReport = { kind: 'sale', verdict: 'refused', responseCode: '01' };
const afterRefusal = { baseline: { last: found(unnumbered), terminal: TERMINAL, batch: 1, day: 1 } };
const afterNothing = { baseline: { last: EMPTY, terminal: TERMINAL, batch: 1, day: 1 } };

function since(
  previous: Attempt,
  charged: SinceLastDialogue['charged'],
  changes: Partial<SinceLastDialogue> = {},
): SinceLastDialogue {
  return {
    previous,
    charged,
    lastWord: previous,
    newBatch: false,
    maybeFollowed: false,
    settled: true,
    isNamed: false,
    needsSums: false,
    ...changes,
  };
}

function wordFor(continuity: Continuity): string {
  return continuity.kind === 'contradicted'
    ? `${continuity.kind}: ${continuity.of} by ${continuity.row}`
    : continuity.kind;
}

/** What ECR17 tells of an operation that the customer stopped. */
const NAMELESS = { verdict: 'refused', kind: 'sale', responseCode: '01' } as const;

describe('what the last transaction says of the time since ours', () => {
  it.each<[string, SinceLastDialogue | null, LastTransaction, string]>([
    ['nothing of ours was sent there yet', null, found(byHand), 'unbroken'],
    ['ours has no mark', since(sent('succeeded', { baseline: null }), 'yes'), found(byHand), 'unbroken'],
    ['we closed the batch ourselves', since(paid, 'yes', { newBatch: true }), EMPTY, 'unbroken'],
    ['it cannot be read', since(paid, 'yes'), UNREADABLE, 'cannot_tell'],
    [
      'our mark could not be read',
      since({ ...paid, baseline: { last: UNREADABLE, terminal: TERMINAL, batch: 1, day: 1 } }, 'yes'),
      found(stored),
      'cannot_tell',
    ],

    ['it shows ours, which was charged', since(paid, 'yes'), found(stored), 'unbroken'],
    [
      'it shows ours, charged, as taken back',
      since(paid, 'yes'),
      found(takenBack),
      'contradicted: reversed by approved_reversed',
    ],
    [
      'it shows ours, charged, as refused',
      since(paid, 'yes'),
      found({ ...stored, verdict: 'refused' }),
      'contradicted: reversed by approved_reversed',
    ],
    [
      'it shows a refusal that has the number and the trace of ours, and nothing else of it: they have come again',
      since(paid, 'yes'),
      found({ verdict: 'refused', kind: 'sale', number: stored.number ?? '', trace: stored.trace ?? '' }),
      'cannot_tell',
    ],
    [
      'it shows a refusal without number and time, as before ours: one looks like the other',
      since({ ...paid, baseline: { last: found(NAMELESS), terminal: TERMINAL, batch: 1, day: 1 } }, 'yes'),
      found(NAMELESS),
      'cannot_tell',
    ],
    [
      'it shows ours, charged, unexplained',
      since(paid, 'yes'),
      found({ ...stored, verdict: 'unclear' }),
      'unbroken',
    ],
    [
      'it shows ours, refused, as refused',
      since(sent('declined', { report: { ...stored, verdict: 'refused' } }), 'no'),
      found({ ...stored, verdict: 'refused' }),
      'unbroken',
    ],
    [
      'it shows ours, which had ended without a charge, as approved',
      since(sent('error', { report: stored }), 'no'),
      found(stored),
      'contradicted: charged by approved_kept',
    ],
    [
      'it shows ours, which is still in doubt',
      since(sent('in_doubt', { report: stored }), 'unknown'),
      found(stored),
      'unbroken',
    ],

    [
      'it shows what it showed before ours, which was not charged',
      since(notCharged, 'no'),
      found(before),
      'unbroken',
    ],
    [
      'it shows what it showed before ours, charged, and the settle time is over',
      since(paid, 'yes'),
      found(before),
      'contradicted: not_charged by same_as_mark',
    ],
    [
      'it shows what it showed before ours, charged, too early',
      since(paid, 'yes', { settled: false }),
      found(before),
      'too_early',
    ],

    [
      'it is as empty as before ours, which was not charged',
      since(sent('error', afterNothing), 'no'),
      EMPTY,
      'unbroken',
    ],
    ['it is empty after ours was charged', since({ ...paid, ...afterNothing }, 'yes'), EMPTY, 'closed'],
    ['it is empty and was not', since(notCharged, 'no'), EMPTY, 'closed'],

    ['it shows one more than ours', since(paid, 'yes'), found(byHand), 'used_by_hand'],
    [
      'it shows a smaller number than ours',
      since(paid, 'yes'),
      found(aReport({ number: '0003', trace: '000900' })),
      'closed',
    ],
    [
      'numbers wrap behind ours',
      since(sent('succeeded', { report: aReport({ number: '9999' }) }), 'yes'),
      found(aReport({ number: '0001', trace: '000900' })),
      'used_by_hand',
    ],
    [
      'it shows the next number, and nobody knows what ours had',
      since(sent('succeeded'), 'yes'),
      found(stored),
      'unbroken',
    ],
    [
      'it shows something else, and nobody knows what ours had',
      since(sent('succeeded'), 'yes'),
      found(byHand),
      'cannot_tell',
    ],

    [
      'it shows the next number without an amount, and a person has said that ours was charged',
      since(recordedCharged, 'yes'),
      found(withoutAmount(stored)),
      'cannot_tell',
    ],
    [
      'it shows the next number without an amount and without a kind, and a person has said that ours was charged',
      since(recordedCharged, 'yes'),
      found({ ...withoutAmount(stored), kind: 'unknown' }),
      'cannot_tell',
    ],
    [
      'it shows the next number without an amount of a refund, and a person has said that ours was charged',
      since(recordedCharged, 'yes'),
      found({ ...withoutAmount(stored), kind: 'refund' }),
      'used_by_hand',
    ],
    [
      'it shows one more than the next number without an amount, and a person has said that ours was charged',
      since(recordedCharged, 'yes'),
      found(withoutAmount(byHand)),
      'used_by_hand',
    ],
    [
      'it showed a refusal without a number before ours, and an approval now; a person has said that ours was charged',
      since({ ...recordedCharged, ...afterRefusal }, 'yes'),
      found(stored),
      'cannot_tell',
    ],
    [
      'it showed a refusal without a number before ours, and another amount now; a person has said that ours was charged',
      since({ ...recordedCharged, ...afterRefusal }, 'yes'),
      found(aReport({ amountMinor: 700 })),
      'used_by_hand',
    ],
    [
      'it shows the next number with another amount, and a person has said that ours was charged',
      since(recordedCharged, 'yes'),
      found(aReport({ amountMinor: 700 })),
      'used_by_hand',
    ],
    [
      'it books ours late, which a reading had found not charged',
      since(sent('error', { evidence: JOURNAL, ...BOOKED }), 'no'),
      found(stored),
      'contradicted: charged by next_number',
    ],
    [
      'it books ours late, of which a person had said not charged',
      since(sent('error', { evidence: PERSON, ...BOOKED }), 'no'),
      found(stored),
      'contradicted: charged by next_number',
    ],
    [
      'it shows the next number, but of a time when ours had ended as not charged',
      since(sent('error', { evidence: JOURNAL, ...BOOKED, completedAt: 9000 }), 'no'),
      found(stored),
      'used_by_hand',
    ],
    [
      'it shows the next number, and nobody knows whether ours had ended before',
      since(notCharged, 'no'),
      found(stored),
      'used_by_hand',
    ],
    [
      'it books ours late, which is with a person',
      since(sent('in_doubt'), 'unknown'),
      found(stored),
      'contradicted: charged by next_number',
    ],
    [
      'the next number is charged after ours was refused in its dialogue',
      since(sent('declined', { evidence: { kind: 'dialogue', report: null } }), 'no'),
      found(stored),
      'used_by_hand',
    ],
    [
      'it stores the refusal of ours',
      since(sent('declined'), 'no'),
      found({ ...stored, verdict: 'refused' }),
      'unbroken',
    ],
    [
      'it shows the next number with another amount after ours was not charged',
      since(notCharged, 'no'),
      found(aReport({ amountMinor: 700 })),
      'used_by_hand',
    ],
    [
      'it shows the next number without our reference, and it carries references back',
      since(sent('in_doubt', { ticket: 'AJ0105' }), 'unknown', { isNamed: true }),
      found(stored),
      'used_by_hand',
    ],
    [
      'it shows the next number under our reference',
      since(sent('in_doubt', { ticket: 'AJ0105' }), 'unknown', { isNamed: true }),
      found({ ...stored, reference: 'AJ0105' }),
      'contradicted: charged by own_reference',
    ],
    [
      'it shows ours under our reference, aborted as a reading had found, and its numbers do not count on',
      since(sent('error', { ticket: 'AJ0105', evidence: JOURNAL }), 'no', { isNamed: true }),
      found({ ...named, verdict: 'aborted' }),
      'unbroken',
    ],
    [
      'it shows ours under our reference, refused, of which a reading had found no record',
      since(sent('error', { ticket: 'AJ0105', evidence: JOURNAL }), 'no', { isNamed: true }),
      found({ ...named, verdict: 'refused' }),
      'unbroken',
    ],
    [
      'it shows ours under our reference, which was charged without a number',
      since(sent('succeeded', { ticket: 'AJ0105' }), 'yes', { isNamed: true }),
      found(named),
      'unbroken',
    ],
    [
      'it shows ours under our reference, taken back, which was charged without a number',
      since(sent('succeeded', { ticket: 'AJ0105' }), 'yes', { isNamed: true }),
      found({ ...named, kind: 'void' }),
      'contradicted: reversed by own_reference',
    ],
    [
      'it shows ours approved under our reference, long after it ended without a charge',
      since(sent('error', { ticket: 'AJ0105', evidence: PERSON }), 'no', { isNamed: true }),
      found(named),
      'contradicted: charged by own_reference',
    ],
    [
      'it shows ours under our reference with another amount, which was not charged',
      since(sent('error', { ticket: 'AJ0105', evidence: JOURNAL }), 'no', { isNamed: true }),
      found({ ...named, amountMinor: 700 }),
      'used_by_hand',
    ],
    [
      'it shows our void under its own reference, and its numbers do not count on',
      since(sent('succeeded', { ...VOIDING, ticket: 'AJ0105' }), 'yes', { isNamed: true }),
      found({ ...named, kind: 'void' }),
      'unbroken',
    ],
    [
      'it shows a reference like ours, and does not return references by itself',
      since(sent('error', { ticket: 'AJ0105', evidence: JOURNAL }), 'no'),
      found({ ...named, verdict: 'aborted' }),
      'used_by_hand',
    ],
    [
      'it shows the next number while ours is in doubt, and proves nothing without its sums',
      since(sent('in_doubt'), 'unknown', { needsSums: true }),
      found(stored),
      'used_by_hand',
    ],
    [
      'it shows the next number, of before the end that was booked as not charged, and its sums are not known',
      since(sent('error', { evidence: JOURNAL, ...BOOKED }), 'no', { needsSums: true }),
      found(stored),
      'contradicted: charged by next_number',
    ],
    [
      'it shows the void that is in doubt, and its sums are not known',
      since(sent('in_doubt', VOIDING), 'unknown'),
      found(undone),
      'contradicted: charged by next_number',
    ],
    [
      'it shows the void that is in doubt, which it may have reversed: only its sums would tell',
      since(
        sent('in_doubt', { ...VOIDING, baseline: { ...VOIDING.baseline, totals: { amountMinor: 5000 } } }),
        'unknown',
      ),
      found(undone),
      'unbroken',
    ],
    [
      'it shows the sale of our void, which was not done, as standing',
      since(sent('error', { type: 'void', report: { ...stored, kind: 'void', verdict: 'unclear' } }), 'no'),
      found(stored),
      'unbroken',
    ],
    [
      'it shows the sale of our void, which was done, as standing again',
      since(sent('succeeded', { type: 'void', report: { ...stored, kind: 'void' } }), 'yes'),
      found(stored),
      'contradicted: reversed by approved_reversed',
    ],
  ])('%s', (_title, what, last, expected) => {
    expect(wordFor(continuityOf(what, last))).toBe(expected);
  });
});

/** As terminals show it that tell no amounts (ECR17 with P). */
function withoutAmount({ amountMinor: _, ...report }: TransactionReport): TransactionReport {
  return report;
}
