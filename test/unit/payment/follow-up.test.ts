import { describe, expect, it } from 'vitest';
import { TruncatedCardNumber } from '../../../src/base/card-number.ts';
import type { Attempt } from '../../../src/payment/attempt/attempt.ts';
import { type DevicePolicy, followUps, type Made } from '../../../src/payment/follow-up.ts';
import { anAttempt, aReport } from '../../support/attempts.ts';

const SUCCEEDED = { name: 'succeeded' } as const;
const IN_DOUBT = { name: 'in_doubt', hadApproval: true } as const;
const VOIDS: DevicePolicy = { lateApproval: 'void', partialApproval: 'void', canVoid: true };
const approved = (cancelledBefore: boolean) => anAttempt({ state: { name: 'approved', cancelledBefore } });

function made(after: Partial<Attempt>, changes: Partial<Made> = {}): Made {
  return {
    before: approved(false),
    after: anAttempt({ state: SUCCEEDED, report: aReport(), ...after }),
    effects: [],
    approvedForMs: 1000,
    parent: null,
    policy: VOIDS,
    ...changes,
  };
}

/** Kinds, with the task or the cause that they carry. */
function follow(what: Made): readonly string[] {
  return followUps(what).map((one) => {
    if (one.kind === 'task') return `task ${one.task}`;
    return one.kind === 'void' ? `void ${one.cause}` : one.kind;
  });
}

describe('an approval after the cancel', () => {
  const late = { cancelRequestedAt: 1 };
  const cancelledBefore = { before: approved(true) };
  const task = ['task cancel_too_late'];
  it.each<[string, Partial<Made>, readonly string[]]>([
    ['that was known before it', cancelledBefore, ['void late_approval']],
    ['that came behind the approval', {}, task],
    ['whose approval is 59.999 s old', { ...cancelledBefore, approvedForMs: 59_999 }, ['void late_approval']],
    ['whose approval is 60 s old', { ...cancelledBefore, approvedForMs: 60_000 }, task],
    [
      'that recovery or a person found out',
      { before: anAttempt({ state: IN_DOUBT }), approvedForMs: null },
      task,
    ],
    [
      'on a terminal that cannot void without the card',
      { ...cancelledBefore, policy: { ...VOIDS, canVoid: false } },
      task,
    ],
    ['that is to be kept', { ...cancelledBefore, policy: { ...VOIDS, lateApproval: 'keep' } }, task],
  ])('%s', (_title, changes, expected) => {
    expect(follow(made(late, changes))).toEqual(expected);
  });

  it('of which the terminal told no number cannot be undone by number', () => {
    const { number: _, ...unnumbered } = aReport();
    expect(follow(made({ ...late, report: unnumbered }, cancelledBefore))).toEqual(task);
  });
});

describe('an approval of less than was asked for', () => {
  const less = { report: aReport({ amountMinor: 1000 }) };
  const task = ['task partial_approval'];
  it.each<[string, Partial<Made>, readonly string[]]>([
    ['heard in its dialogue', {}, ['void partial_approval']],
    ['learned by recovery', { before: anAttempt({ state: IN_DOUBT }), approvedForMs: null }, task],
    ['60 s old', { approvedForMs: 60_000 }, task],
    ['that is to be kept', { policy: { ...VOIDS, partialApproval: 'keep' } }, task],
    ['that cannot be undone', { policy: { ...VOIDS, canVoid: false } }, task],
  ])('%s', (_title, changes, expected) => {
    expect(follow(made(less, changes))).toEqual(expected);
  });

  it('that came after the cancel, too, is undone once', () => {
    expect(follow(made({ ...less, cancelRequestedAt: 1 }, { before: approved(true) }))).toEqual([
      'void late_approval',
    ]);
  });
});

describe('a sale as it should be', () => {
  it('has no consequences, nor has one that did not succeed', () => {
    expect(follow(made({}))).toEqual([]);
    expect(follow(made({ state: { name: 'declined' }, cancelRequestedAt: 1 }))).toEqual([]);
    expect(follow(made({ state: IN_DOUBT, cancelRequestedAt: 1 }))).toEqual([]);
  });

  it('that was recorded as a correction is undone by no policy', () => {
    expect(follow(made({ corrects: 'x', report: aReport({ amountMinor: 1000 }) }))).toEqual([]);
  });
});

describe('a discrepancy', () => {
  it('of the amount is a task', () => {
    const [task] = followUps(
      made(
        { report: aReport({ amountMinor: 1500 }) },
        { effects: [{ kind: 'discrepancy', what: 'amount' }] },
      ),
    );
    expect(task).toMatchObject({ kind: 'task', task: 'amount_differs' });
  });

  it.each(['charged', 'not_charged'] as const)(
    'of a final state (%s) is a correction, and nothing else',
    (what) => {
      const final = anAttempt({
        state: SUCCEEDED,
        report: aReport({ amountMinor: 1000 }),
        cancelRequestedAt: 1,
      });
      const followed = followUps(made(final, { before: final, effects: [{ kind: 'discrepancy', what }] }));
      expect(followed).toEqual([{ kind: 'correction', charged: what === 'charged' }]);
    },
  );
});

describe('a void that succeeded', () => {
  const card = TruncatedCardNumber.of('************4771');
  const other = TruncatedCardNumber.of('************1111');
  const parent = anAttempt({ id: 'sale', state: SUCCEEDED, report: aReport() });
  const original = {
    number: '0042',
    trace: '000142',
    amountMinor: 1234,
    ...(card ? { maskedPan: card } : {}),
  };
  const reported = aReport({
    kind: 'void',
    trace: '000143',
    originalTrace: '000142',
    ...(card ? { maskedPan: card } : {}),
  });
  const undo = (changes: Partial<Attempt>, how: Partial<Made> = {}) =>
    made(
      { id: 'void', type: 'void', parentId: 'sale', original, report: reported, ...changes },
      { parent, ...how },
    );
  const { originalTrace: _, maskedPan: __, amountMinor: ___, ...silent } = reported;
  const mismatch = ['task void_mismatch', 'withdraw_void'];

  it.each<[string, Partial<Attempt>, readonly string[]]>([
    ['and names trace, amount and card of its sale is well', {}, []],
    ['and tells none of them contradicts nothing', { report: silent }, []],
    ['with another amount is an alarm', { report: { ...reported, amountMinor: 1233 } }, mismatch],
    [
      'with the trace of another is an alarm',
      { report: { ...reported, originalTrace: '000141' } },
      [...mismatch, 'undone_other'],
    ],
    [
      'with another card is an alarm',
      { report: { ...reported, ...(other ? { maskedPan: other } : {}) } },
      mismatch,
    ],
    [
      'with another card is no alarm when it was only recorded',
      { corrects: 'x', report: { ...reported, ...(other ? { maskedPan: other } : {}) } },
      [],
    ],
  ])('%s, and takes the capability from the device if so', (_title, changes, expected) => {
    expect(follow(undo(changes))).toEqual(expected);
  });

  it('releases what the service was not told of a partial approval', () => {
    const partly = { ...parent, report: aReport({ amountMinor: 1000 }) };
    const report = { ...reported, amountMinor: 1000 };
    expect(follow(undo({ report, amount: { minor: 1000, currency: 'EUR' } }, { parent: partly }))).toEqual([
      'release_reports',
    ]);
  });

  it.each([
    ['late_approval', parent, 'task cancel_too_late'],
    ['partial_approval', { ...parent, report: aReport({ amountMinor: 1000 }) }, 'task partial_approval'],
  ] as const)('not, though a policy (%s) made it, leaves a task of the sale', (cause, sale, task) => {
    const failed = undo({ cause, state: { name: 'error' } }, { parent: sale });
    expect(follow(failed)).toEqual([task]);
    expect(followUps(failed)).toMatchObject([{ of: { id: 'sale' } }]);
  });

  it('not, of a person, is told by its own end', () => {
    expect(follow(undo({ state: { name: 'declined' } }))).toEqual([]);
  });
});

describe('an approval that leaves something open', () => {
  const SIGNED = 'task signature_to_check';
  const OFFLINE = 'task offline_approval';
  it.each<[string, Parameters<typeof aReport>[0], readonly string[]]>([
    ['by a signature asks to compare it', { cardholderVerification: 'signature' }, [SIGNED]],
    [
      'by a PIN and a signature asks to compare it',
      { cardholderVerification: 'pin_and_signature' },
      [SIGNED],
    ],
    ['by a PIN asks nothing', { cardholderVerification: 'online_pin' }, []],
    ['without the bank is listed', { online: 'no' }, [OFFLINE]],
    ['with the bank is not listed', { online: 'yes' }, []],
    ['of which nobody knows whether the bank was asked is not listed', {}, []],
    [
      'by a signature and without the bank is both',
      { cardholderVerification: 'signature', online: 'no' },
      [SIGNED, OFFLINE],
    ],
  ])('%s', (_title, report, expected) => {
    expect(follow(made({ report: aReport(report) }))).toEqual(expected);
  });

  it('is never undone because nobody looked at the signature', () => {
    const signed = made({ report: aReport({ cardholderVerification: 'signature' }) });
    expect(followUps(signed).map(({ kind }) => kind)).toEqual(['task']);
  });
});

describe('a refund that succeeded', () => {
  type Card = { readonly pan?: string; readonly scheme?: string };
  const reported = ({ pan, scheme }: Card) => {
    const maskedPan = pan === undefined ? undefined : TruncatedCardNumber.of(pan);
    return aReport({
      ...(maskedPan ? { maskedPan } : {}),
      ...(scheme === undefined ? {} : { cardScheme: scheme }),
    });
  };
  const follows = (paid: Card, given: Card, change: Partial<Attempt> = {}) =>
    follow(
      made(
        { type: 'refund', parentId: 'sale', report: reported(given), ...change },
        { parent: anAttempt({ id: 'sale', state: SUCCEEDED, report: reported(paid) }) },
      ),
    );

  it.each<[string, Card, Card]>([
    ['another number', { pan: '476173EEEEEE0119' }, { pan: '672501EEEEEEEEE4711' }],
    ['another number of the same beginning', { pan: '476173EEEEEE0119' }, { pan: '476173EEEEEE0143' }],
    ['another end, of which only that is shown', { pan: '476173EEEEEE0119' }, { pan: '****4711' }],
    ['another scheme', { scheme: 'VISA' }, { scheme: 'Mastercard' }],
    [
      'another scheme of the same end',
      { pan: '****0119', scheme: 'VISA' },
      { pan: '****0119', scheme: 'girocard' },
    ],
  ])('to %s is a discrepancy', (_title, paid, given) => {
    expect(follows(paid, given)).toEqual(['other_card']);
  });

  it.each<[string, Card, Card]>([
    [
      'the same card',
      { pan: '476173EEEEEE0119', scheme: 'VISA' },
      { pan: '476173******0119', scheme: 'visa' },
    ],
    ['the same end, of which only that is shown', { pan: '476173EEEEEE0119' }, { pan: '****0119' }],
    ['the same scheme by a longer name', { scheme: 'VISA' }, { scheme: 'VISA DEBIT' }],
    ['a card that the sale did not tell', {}, { pan: '476173EEEEEE0119', scheme: 'VISA' }],
    ['a card that the terminal does not tell', { pan: '476173EEEEEE0119', scheme: 'VISA' }, {}],
    ['a card of which each tells another part', { pan: '476173EEEEEE0119' }, { scheme: 'VISA' }],
  ])('to %s is none', (_title, paid, given) => {
    expect(follows(paid, given)).toEqual([]);
  });

  it('is compared only once money went back', () => {
    const declined = { state: { name: 'declined' } } as const;
    expect(follows({ pan: '****0119' }, { pan: '****4711' }, declined)).toEqual([]);
  });
});
