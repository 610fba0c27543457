import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/base/errors.ts';
import type { Attempt } from '../../../src/payment/attempt/attempt.ts';
import type { AttemptState } from '../../../src/payment/attempt/state-machine.ts';
import {
  checkRefund,
  checkVoid,
  type GiveBack,
  refundedMinor,
  refundingMinor,
  SAME_REFUND_MS,
} from '../../../src/payment/refunds/refundable.ts';
import { anAttempt, aReport } from '../../support/attempts.ts';

const NOW = 100_000_000;
const LONG_AGO = NOW - SAME_REFUND_MS;
const sale = anAttempt({ id: 'sale', state: { name: 'succeeded' }, report: aReport() });
const SUCCEEDED = { name: 'succeeded' } as const;

function child(type: 'refund' | 'void', minor: number, state: AttemptState, changes: Partial<Attempt> = {}) {
  const completedAt = LONG_AGO;
  return anAttempt({
    id: `${type} ${minor}`,
    type,
    parentId: sale.id,
    amount: { minor, currency: 'EUR' },
    state,
    completedAt,
    ...changes,
  });
}

function request(changes: Partial<GiveBack> = {}): GiveBack {
  return { parent: sale, children: [], amountMinor: null, after: null, now: NOW, self: null, ...changes };
}

/** The minor units that may go back, or the refusal's code with the id that it names. */
function answer(check: () => number): number | string {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const details = error.context['details'];
    const id =
      typeof details === 'object' && details !== null && 'payment_id' in details ? details.payment_id : '';
    return `${error.code} ${String(id)}`;
  }
}

const refund = (changes: Partial<GiveBack>) => answer(() => checkRefund(request(changes)));
const undo = (changes: Partial<GiveBack>) => answer(() => checkVoid(request(changes)));

const OPEN_STATES = [
  { name: 'requested' },
  { name: 'dispatched' },
  { name: 'accepted', lastVerdict: null },
  { name: 'cancelling', accepted: true, lastVerdict: null },
  { name: 'approved', cancelledBefore: false },
  { name: 'in_doubt', hadApproval: false },
] as const satisfies readonly AttemptState[];
const GONE_STATES = [{ name: 'declined' }, { name: 'cancelled' }, { name: 'error' }] as const;

describe('what can be given back of 12.34 EUR', () => {
  it('is the approved amount, not the one that was asked for', () => {
    const partly = { ...sale, report: aReport({ amountMinor: 1000 }) };
    expect(refund({ parent: partly })).toBe(1000);
    expect(refund({ parent: partly, amountMinor: 1001 })).toBe('REFUND_EXCEEDS_AMOUNT sale');
    const tipped = { ...sale, report: aReport({ amountMinor: 1334, tipMinor: 100 }) };
    expect(refund({ parent: tipped, amountMinor: 1334 })).toBe(1334);
  });

  it.each(OPEN_STATES.map((state) => [state.name, state] as const))(
    'counts a refund that is %s: enough left is allowed, too little is blocked by it with its id',
    (_name, state) => {
      const children = [child('refund', 1000, state)];
      expect(refund({ children, amountMinor: 234 })).toBe(234);
      expect(refund({ children, amountMinor: 235 })).toBe('REFUND_BLOCKED refund 1000');
      expect(refund({ children })).toBe(234);
    },
  );

  it.each(GONE_STATES.map((state) => [state.name, state] as const))(
    'does not count a refund that is %s',
    (_name, state) => {
      expect(refund({ children: [child('refund', 1000, state)] })).toBe(1234);
    },
  );

  it('counts what succeeded: above the rest is refused for good', () => {
    const children = [child('refund', 1000, SUCCEEDED), child('refund', 200, SUCCEEDED)];
    expect(refund({ children, amountMinor: 34 })).toBe(34);
    expect(refund({ children, amountMinor: 35 })).toBe('REFUND_EXCEEDS_AMOUNT sale');
    expect(refund({ children })).toBe(34);
    expect([refundedMinor(children), refundingMinor(children)]).toEqual([1200, 0]);
  });

  it('counts what the terminal gave back, not what was asked for', () => {
    const children = [child('refund', 1000, SUCCEEDED, { report: aReport({ amountMinor: 900 }) })];
    expect(refund({ children })).toBe(334);
  });

  it('counts voids as it counts refunds', () => {
    expect(refund({ children: [child('void', 1234, SUCCEEDED)], amountMinor: 1 })).toBe(
      'REFUND_EXCEEDS_AMOUNT sale',
    );
    const open = [child('void', 1234, { name: 'in_doubt', hadApproval: false })];
    expect(refund({ children: open, amountMinor: 1 })).toBe('REFUND_BLOCKED void 1234');
    expect([refundedMinor(open), refundingMinor(open)]).toEqual([0, 1234]);
  });

  it('counts what is under discrepancy: the correction of a refund that had ended as not given back', () => {
    const ended = child('refund', 1234, { name: 'error' }, { id: 'ended' });
    const correction = child('refund', 1234, SUCCEEDED, {
      id: 'correction',
      corrects: 'ended',
      cause: 'correction',
    });
    expect(refund({ children: [ended, correction], amountMinor: 1 })).toBe('REFUND_EXCEEDS_AMOUNT sale');
  });

  it.each([0, -1])('is never %d', (amountMinor) => {
    expect(refund({ amountMinor })).toBe('REFUND_EXCEEDS_AMOUNT sale');
  });

  it.each([
    ['a sale that is open', anAttempt({ id: 'x' })],
    ['a sale in doubt', anAttempt({ id: 'x', state: { name: 'in_doubt', hadApproval: true } })],
    ['a sale that was declined', anAttempt({ id: 'x', state: { name: 'declined' } })],
    ['a refund', anAttempt({ id: 'x', type: 'refund', state: SUCCEEDED })],
    ['a void', anAttempt({ id: 'x', type: 'void', state: SUCCEEDED })],
  ])('is nothing of %s', (_title, parent) => {
    expect(refund({ parent, amountMinor: 1 })).toBe('PAYMENT_NOT_REFUNDABLE x');
    expect(undo({ parent })).toBe('PAYMENT_NOT_REFUNDABLE x');
  });
});

describe('the same amount of the same sale once more', () => {
  const at = (completedAt: number, changes: Partial<Attempt> = {}) => [
    child('refund', 500, SUCCEEDED, { completedAt, ...changes }),
  ];

  it('is a double click while the first is open or in doubt, whatever "after" says', () => {
    for (const state of OPEN_STATES) {
      const children = [child('refund', 500, state)];
      expect(refund({ children, amountMinor: 500 })).toBe('REFUND_BLOCKED refund 500');
      expect(refund({ children, amountMinor: 500, after: 'refund 500' })).toBe('REFUND_BLOCKED refund 500');
    }
  });

  it('is a double click for 60 s after the first, to the millisecond', () => {
    expect(refund({ children: at(LONG_AGO + 1), amountMinor: 500 })).toBe('REFUND_BLOCKED refund 500');
    expect(refund({ children: at(LONG_AGO), amountMinor: 500 })).toBe(500);
  });

  it('passes when "after" names the first, and only then', () => {
    expect(refund({ children: at(NOW), amountMinor: 500, after: 'refund 500' })).toBe(500);
    expect(refund({ children: at(NOW), amountMinor: 500, after: 'another' })).toBe(
      'REFUND_BLOCKED refund 500',
    );
  });

  it('says nothing of another amount', () => {
    expect(refund({ children: at(NOW), amountMinor: 501 })).toBe(501);
  });

  it('is not asked again at dispatch, where the attempt itself does not count', () => {
    const self = child('refund', 500, { name: 'requested' }, { id: 'self' });
    expect(refund({ children: [...at(NOW), self], amountMinor: 500, self: 'self' })).toBe(500);
    expect(
      refund({ children: [child('refund', 1000, SUCCEEDED), self], amountMinor: 500, self: 'self' }),
    ).toBe('REFUND_EXCEEDS_AMOUNT sale');
  });
});

describe('a void', () => {
  it('takes back the whole approved amount of an untouched sale', () => {
    expect(undo({})).toBe(1234);
    expect(undo({ parent: { ...sale, report: aReport({ amountMinor: 1000 }) } })).toBe(1000);
  });

  it.each(OPEN_STATES.map((state) => [state.name, state] as const))(
    'is blocked by a refund that is %s, with its id',
    (_name, state) => {
      expect(undo({ children: [child('refund', 1, state)] })).toBe('REFUND_BLOCKED refund 1');
      expect(undo({ children: [child('void', 1234, state)] })).toBe('REFUND_BLOCKED void 1234');
    },
  );

  it('is refused for good once a cent was given back', () => {
    expect(undo({ children: [child('refund', 1, SUCCEEDED)] })).toBe('VOID_NOT_POSSIBLE sale');
    expect(undo({ children: [child('void', 1234, SUCCEEDED)] })).toBe('VOID_NOT_POSSIBLE sale');
  });

  it.each(GONE_STATES.map((state) => [state.name, state] as const))(
    'is possible after one that is %s',
    (_name, state) => {
      expect(undo({ children: [child('void', 1234, state)] })).toBe(1234);
    },
  );

  it('does not stand in its own way at dispatch', () => {
    expect(
      undo({ children: [child('void', 1234, { name: 'requested' }, { id: 'self' })], self: 'self' }),
    ).toBe(1234);
  });
});
