import { describe, expect, it } from 'vitest';
import { renderTerminalPayment } from '../../../src/api/render/terminal-payment.ts';
import { renderTask } from '../../../src/api/render/terminal-task.ts';
import { TruncatedCardNumber } from '../../../src/base/card-number.ts';
import type { Attempt } from '../../../src/payment/attempt/attempt.ts';
import type { AttemptView } from '../../../src/payment/payments.ts';
import { TASK_KINDS, type TaskKind } from '../../../src/payment/tasks/task.ts';
import { paymentLabel } from '../../../src/sentences/sentences.js';
import { isOfNewRequest, LANGUAGES, type Language, read } from '../../judge/reader.ts';
import { paymentTexts, refusalText, type ShownText, taskTexts, tongueOf } from '../../support/shown-texts.ts';
import { taskOf } from '../api/memory-back-office.ts';
import { attemptOf, viewOf } from '../api/memory-payments.ts';

/** The truth about one payment, in plain words that nothing of the product decides. */
type Expected = {
  /** Whether this payment moved its money. */
  readonly moved: 'yes' | 'no' | 'unknown';
  /** What of a sale went back since. */
  readonly back?: 'part' | 'all' | 'going';
  /** Less moved than was asked for. */
  readonly isPart?: true;
  /** It undoes a charge that never was: what it tells is told of its sale. */
  readonly isOfSale?: true;
  /** It was given up to find out; it counts as moved. */
  readonly isWrittenOff?: true;
};
type Row = readonly [
  title: string,
  attempt: Partial<Attempt>,
  beside: Partial<AttemptView>,
  expected: Expected,
];

const OTHER = '0198c5a0-0000-7000-8000-00000000000c';
const SUCCEEDED = { name: 'succeeded' } as const;
const DOUBT = { name: 'in_doubt', hadApproval: false } as const;
const HEARD = { name: 'in_doubt', hadApproval: true } as const;
const approved = (amountMinor: number, more: object = {}) =>
  ({ verdict: 'approved', kind: 'sale', amountMinor, number: '0042', ...more }) as const;
const PAID = { state: SUCCEEDED, report: approved(1234) };
const REPLACED = { code: 'terminal_replaced', message: 'It was replaced.' };
const WRITTEN_OFF = { code: 'written_off', message: 'Ada could not find out.' };
const LOOKED = { code: 'not_charged', message: 'Ada looked: not charged (no receipt)' };
const ASKED_TO_STOP = { cancelRequestedAt: 1_700_000_000_500 };

const SALES: readonly Row[] = [
  ['requested', { state: { name: 'requested' } }, {}, { moved: 'no' }],
  ['dispatched', { state: { name: 'dispatched' } }, {}, { moved: 'unknown' }],
  ['accepted', { state: { name: 'accepted', lastVerdict: null } }, {}, { moved: 'unknown' }],
  [
    'cancelling',
    { state: { name: 'cancelling', accepted: true, lastVerdict: null }, ...ASKED_TO_STOP },
    {},
    { moved: 'unknown' },
  ],
  [
    'approved, not acknowledged',
    { state: { name: 'approved', cancelledBefore: false } },
    {},
    { moved: 'unknown' },
  ],
  ['in doubt', { state: DOUBT }, {}, { moved: 'unknown' }],
  ['in doubt, approval heard', { state: HEARD, report: approved(1234) }, {}, { moved: 'unknown' }],
  ['in doubt, with a person', { state: DOUBT, needsPerson: true }, {}, { moved: 'unknown' }],
  [
    'in doubt, terminal replaced',
    { state: HEARD, needsPerson: true, reason: REPLACED },
    {},
    { moved: 'unknown' },
  ],
  ['paid', PAID, {}, { moved: 'yes' }],
  ['paid with a tip', { ...PAID, report: approved(1434, { tipMinor: 200 }) }, {}, { moved: 'yes' }],
  ['paid with cash', { ...PAID, report: approved(3234, { cashbackMinor: 2000 }) }, {}, { moved: 'yes' }],
  ['paid, cancel too late', { ...PAID, ...ASKED_TO_STOP }, {}, { moved: 'yes' }],
  ['paid, more than asked for', { ...PAID, report: approved(1500) }, {}, { moved: 'yes' }],
  ['paid in part', { ...PAID, report: approved(500) }, {}, { moved: 'yes', isPart: true }],
  ['recorded as a correction', { ...PAID, corrects: OTHER, cause: 'correction' }, {}, { moved: 'yes' }],
  ['being given back', PAID, { refundingMinor: 1234 }, { moved: 'yes', back: 'going' }],
  ['given back in part', PAID, { refundedMinor: 234 }, { moved: 'yes', back: 'part' }],
  ['given back but for a cent', PAID, { refundedMinor: 1233 }, { moved: 'yes', back: 'part' }],
  ['given back as a whole', PAID, { refundedMinor: 1234 }, { moved: 'yes', back: 'all' }],
  [
    'cancelled too late and given back',
    { ...PAID, ...ASKED_TO_STOP },
    { refundedMinor: 1234 },
    { moved: 'yes', back: 'all' },
  ],
  ['declined', { state: { name: 'declined' } }, {}, { moved: 'no' }],
  ['cancelled', { state: { name: 'cancelled' } }, {}, { moved: 'no' }],
  ['error', { state: { name: 'error' }, reason: LOOKED }, {}, { moved: 'no' }],
  [
    'written off',
    { state: { name: 'error' }, reason: WRITTEN_OFF },
    { charged: 'unknown' },
    { moved: 'unknown', isWrittenOff: true },
  ],
  ['paid, then found not charged', PAID, { charged: 'no', correctedBy: OTHER }, { moved: 'no' }],
  ['paid, then not known', PAID, { charged: 'unknown' }, { moved: 'unknown' }],
  [
    'declined, then found charged',
    { state: { name: 'declined' } },
    { charged: 'yes', correctedBy: OTHER },
    { moved: 'yes' },
  ],
  [
    'error, then found charged',
    { state: { name: 'error' }, reason: LOOKED },
    { charged: 'yes', correctedBy: OTHER },
    { moved: 'yes' },
  ],
];

const BACK = { parentId: OTHER } as const;
const GIVEN = { ...BACK, state: SUCCEEDED, report: approved(1234) } as const;
const BACKS: readonly Row[] = (['refund', 'void'] as const).flatMap((type): Row[] => [
  [`${type} requested`, { ...BACK, type, state: { name: 'requested' } }, {}, { moved: 'no' }],
  [`${type} dispatched`, { ...BACK, type, state: { name: 'dispatched' } }, {}, { moved: 'unknown' }],
  [`${type} in doubt`, { ...BACK, type, state: DOUBT }, {}, { moved: 'unknown' }],
  [`${type} with a person`, { ...BACK, type, state: DOUBT, needsPerson: true }, {}, { moved: 'unknown' }],
  [
    `${type}, replaced`,
    { ...BACK, type, state: DOUBT, needsPerson: true, reason: REPLACED },
    {},
    { moved: 'unknown' },
  ],
  [`${type} done`, { ...GIVEN, type }, {}, { moved: 'yes' }],
  [`${type} of less`, { ...GIVEN, type, report: approved(500) }, {}, { moved: 'yes', isPart: true }],
  [`${type} declined`, { ...BACK, type, state: { name: 'declined' } }, {}, { moved: 'no' }],
  [`${type} cancelled`, { ...BACK, type, state: { name: 'cancelled' } }, {}, { moved: 'no' }],
  [`${type} error`, { ...BACK, type, state: { name: 'error' } }, {}, { moved: 'no' }],
  [
    `${type} written off`,
    { ...BACK, type, state: { name: 'error' }, reason: WRITTEN_OFF },
    { charged: 'unknown' },
    { moved: 'unknown', isWrittenOff: true },
  ],
  [
    `${type} done, then found not done`,
    { ...GIVEN, type },
    { charged: 'no', correctedBy: OTHER },
    { moved: 'no' },
  ],
  [
    `${type} declined, then found done`,
    { ...BACK, type, state: { name: 'declined' } },
    { charged: 'yes', correctedBy: OTHER },
    { moved: 'yes' },
  ],
]);
const BY_ITSELF: readonly Row[] = (['late_approval', 'partial_approval'] as const).flatMap((cause): Row[] => [
  [
    `undoing: ${cause}`,
    { ...BACK, type: 'void', cause, state: { name: 'dispatched' } },
    {},
    { moved: 'unknown' },
  ],
  [`undone: ${cause}`, { ...GIVEN, type: 'void', cause }, {}, { moved: 'yes' }],
  [
    `not undone: ${cause}`,
    { ...BACK, type: 'void', cause, state: { name: 'declined' } },
    {},
    { moved: 'no' },
  ],
]);

const CORRECTION = { state: SUCCEEDED, corrects: OTHER, cause: 'correction' } as const;
const CORRECTIONS: readonly Row[] = [
  [
    'charged after all, then not',
    { ...CORRECTION, report: approved(1234) },
    { charged: 'no', correctedBy: OTHER, correctsType: 'sale' },
    { moved: 'no' },
  ],
  [
    'never paid, recorded of a sale that was recorded',
    { ...CORRECTION, ...BACK, type: 'void', parentId: '0198c5a0-0000-7000-8000-00000000000d' },
    { correctsType: 'sale' },
    { moved: 'no', isOfSale: true },
  ],
  [
    'never paid, then charged after all',
    { ...CORRECTION, ...BACK, type: 'void' },
    { charged: 'no', correctedBy: OTHER, correctsType: 'sale' },
    { moved: 'no' },
  ],
  [
    'a refund that went through after all',
    { ...CORRECTION, ...GIVEN, type: 'refund' },
    { correctsType: 'refund' },
    { moved: 'yes' },
  ],
];

const LABELS: Readonly<Record<Language, Readonly<Record<'part' | 'all' | 'going', string>>>> = {
  en: { part: 'Partly given back', all: 'Given back', going: 'Being given back' },
  de: { part: 'Teilweise zurückgegeben', all: 'Zurückgegeben', going: 'Wird zurückgegeben' },
  fr: { part: 'Remboursé en partie', all: 'Remboursé', going: 'En cours de remboursement' },
};
const kindsOfPayments = TASK_KINDS.filter(
  (kind) => !['memory_lost', 'storage_damaged', 'settlement_differs', 'terminal_not_believed'].includes(kind),
);

/** Every place where this payment is spoken of, in one language. */
function* surfaces(view: AttemptView, language: Language): Generator<ShownText> {
  yield* paymentTexts(view, language);
  for (const kind of kindsOfPayments) yield* taskTexts(taskOf({ kind, message: STALE }), view, language);
  for (const code of ['payment_already_paid', 'payment_already_open', 'invoice_already_paid']) {
    const text = refusalText(code, view, language);
    expect([code, text, isOfNewRequest(text, language)]).toEqual([code, text, true]);
    yield [`refusal ${code}`, text];
  }
}

/** What an earlier release wrote when the event happened: it must be seen nowhere. */
const STALE =
  'Whether the customer was charged is not known yet: wait. The customer was NOT charged. HAS paid.';
/** What a task keeps of its event: two card numbers. */
const KEEPS_FACTS: readonly TaskKind[] = ['refund_to_other_card'];

const BACKWARDS = ['part', 'all', 'going'] as const;
/** Surfaces that tell what to do, too. */
const WHOLE: readonly string[] = ['page', 'one text', 'interface'];

describe.each(LANGUAGES)('every sentence about a payment, everywhere, in %s', (language) => {
  it.each([...SALES, ...BACKS, ...BY_ITSELF, ...CORRECTIONS])('%s', (_title, attempt, beside, expected) => {
    const { moved, back, isPart = false, isWrittenOff = false, isOfSale = false } = expected;
    const view = viewOf({ ...attemptOf(), ...attempt }, { ...beside, tasks: [] });
    const kind = attempt.type ?? 'sale';
    const isSale = kind === 'sale';
    const backs = back === undefined ? [] : [back];
    for (const [surface, text] of surfaces(view, language)) {
      if (KEEPS_FACTS.some((kind) => surface.endsWith(kind)) && text.includes(STALE)) continue;
      const { isToHandOver, isWrittenOff: counts, ...shown } = read(text, language, isOfSale ? 'sale' : kind);
      expect({ surface, text, shown }).toEqual({
        surface,
        text,
        shown: { moved: [moved], back: backs, isPart },
      });
      expect([surface, isToHandOver && moved === 'unknown']).toEqual([surface, false]);
      if (WHOLE.includes(surface)) expect([text, counts]).toEqual([text, isWrittenOff]);
    }
    const { label } = paymentLabel(renderTerminalPayment(view), tongueOf(language));
    const labelled = BACKWARDS.filter((one) => isSale && label === LABELS[language][one]);
    expect([label, labelled]).toEqual([label, backs]);
  });
});

describe('what was asked when a report was refused', () => {
  const text = (beside: Partial<AttemptView>) =>
    renderTask(taskOf({ kind: 'report_rejected' }), viewOf({ ...attemptOf(), ...PAID }, beside)).message;

  it('says what the service answered while it stands, and that it is over once the service has taken it', () => {
    expect(text({ reported: 'rejected', refusedBecause: 'plain_body: refused: 422 no' })).toBe(
      'The service did not take the outcome. The customer HAS paid 12.34 EUR. Its answer: refused: 422 no. Have it put right in the service, then close this task.',
    );
    expect(text({ reported: 'pending' })).toMatch(/is being sent again\. The customer HAS paid/);
    expect(text({ reported: 'yes' })).toMatch(/has taken it since\. The customer HAS paid.*Close this task/);
  });
});

describe('a refund to another card', () => {
  it('names both cards, which never change, beside what is true now', () => {
    const message =
      'The sale was paid with VISA 476173******0119; this went to girocard 672501*********4711.';
    const task = taskOf({ kind: 'refund_to_other_card', message });
    const maskedPan = TruncatedCardNumber.of('672501EEEEEEEEE4711');
    const report = approved(1234, { maskedPan });
    const given = renderTask(task, viewOf({ ...attemptOf(), ...GIVEN, report, type: 'refund' })).message;
    expect(given).toContain(`12.34 EUR WAS given back to the customer. ${message} Compare the card numbers`);
  });
});
