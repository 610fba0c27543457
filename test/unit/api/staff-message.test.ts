import { describe, expect, it } from 'vitest';
import { renderTerminalPayment } from '../../../src/api/render/terminal-payment.ts';
import type { Attempt, Cause } from '../../../src/payment/attempt/attempt.ts';
import type { AttemptState } from '../../../src/payment/attempt/state-machine.ts';
import type { AttemptView } from '../../../src/payment/payments.ts';
import { taskOf } from './memory-back-office.ts';
import { attemptOf, viewOf } from './memory-payments.ts';

const STATES: readonly AttemptState[] = [
  { name: 'requested' },
  { name: 'dispatched' },
  { name: 'accepted', lastVerdict: null },
  { name: 'cancelling', accepted: true, lastVerdict: null },
  { name: 'approved', cancelledBefore: true },
  { name: 'in_doubt', hadApproval: true },
  { name: 'succeeded' },
  { name: 'declined' },
  { name: 'cancelled' },
  { name: 'error' },
];
const FINAL = ['succeeded', 'declined', 'cancelled', 'error'];
const TYPES: readonly Attempt['type'][] = ['sale', 'refund', 'void'];
const CAUSES: readonly (Cause | null)[] = [null, 'late_approval', 'partial_approval', 'correction'];
const OTHER = '0198c5a0-0000-7000-8000-00000000000c';

/** Whether money moved, told in one of the ways that staff know. */
const YES = /HAS paid|had paid|HAS been charged|WAS charged|WAS given back/;
const NO = /NOT charged|not been charged|No money has been given back|NO money was given back|NOT given back/;
const UNKNOWN = /not known( yet)? whether/;
const EXPECTED: Readonly<Record<AttemptState['name'], RegExp>> = {
  requested: /not been charged so far|No money has been given back so far/,
  dispatched: UNKNOWN,
  accepted: UNKNOWN,
  cancelling: UNKNOWN,
  approved: UNKNOWN,
  in_doubt: UNKNOWN,
  succeeded: YES,
  declined: NO,
  cancelled: NO,
  error: NO,
  written_off: /never found out whether/,
};
/** Something to do, or the word that nothing is. */
const NEXT =
  /[Ww]ait|[Hh]and over|[Rr]efund|[Tt]ry|Start again|Look at|Compare|Press|[Tt]ake|[Gg]ive (it|the)|Do not|Nothing else|Answer/;

const say = (change: Partial<Attempt>, beside: Partial<AttemptView> = {}) =>
  renderTerminalPayment(viewOf({ ...attemptOf(), ...change }, beside)).message;
const approved = (amountMinor: number, more: object = {}) =>
  ({ verdict: 'approved', kind: 'sale', amountMinor, ...more }) as const;
const paid = (amountMinor: number, change: Partial<Attempt> = {}, beside: Partial<AttemptView> = {}) =>
  say({ state: { name: 'succeeded' }, report: approved(amountMinor), ...change }, beside);

describe('every message says whether the customer was charged and what to do now', () => {
  const all = STATES.flatMap((state) =>
    TYPES.flatMap((type) => CAUSES.map((cause) => [state.name, type, cause, state] as const)),
  );

  const variants = [false, true].flatMap((needsPerson) =>
    [null, 5].flatMap((cancelRequestedAt) =>
      [null, { code: 'x', message: 'Card is blocked' }].map((reason) => ({
        needsPerson,
        cancelRequestedAt,
        reason,
      })),
    ),
  );

  it.each(all)('%s, %s, cause %s', (_name, type, cause, state) => {
    const corrects = cause === 'correction' ? OTHER : null;
    const parentId = type === 'sale' ? null : OTHER;
    // A void that corrects its own sale: that sale was never charged.
    const isNeverPaid = state.name === 'succeeded' && type !== 'sale' && corrects === parentId;
    const change = { state, type, cause, corrects, parentId, report: approved(1234) };
    const beside = { correctsType: corrects === null ? null : 'sale' } as const;
    for (const variant of variants) {
      const message = say({ ...change, ...variant }, beside);
      expect(message).toMatch(isNeverPaid ? NO : EXPECTED[state.name]);
      expect(message).toMatch(NEXT);
      expect(YES.test(message)).toBe(state.name === 'succeeded' && !isNeverPaid);
    }
  });

  it.each(
    all
      .filter(([name, , cause]) => FINAL.includes(name) && cause === null)
      .flatMap(([name, type, , state]) =>
        (['yes', 'no', 'unknown'] as const)
          .filter((charged) => charged !== (name === 'succeeded' ? 'yes' : 'no'))
          .map((charged) => [name, type, charged, state] as const),
      ),
  )('a %s %s of which the evidence says: charged %s', (_name, type, charged, state) => {
    const message = say({ state, type, report: approved(1234) }, { charged, correctedBy: OTHER });
    expect(message).toMatch(/([Nn]ewer evidence contradicts|the records of the terminal contradict)/);
    expect(message).toMatch({ yes: YES, no: NO, unknown: UNKNOWN }[charged]);
    expect(message).not.toMatch({ yes: NO, no: YES, unknown: YES }[charged]);
    expect(message).toMatch(NEXT);
    expect(message).toContain(`See payment ${OTHER}.`);
  });
});

describe('a sale that was charged', () => {
  it('is not called paid when only a part was approved', () => {
    const open = { tasks: [taskOf({ kind: 'partial_approval' })] };
    const stands = paid(500, {}, open);
    expect(stands).toMatch(
      /^PARTLY paid: 5\.00 EUR of 12\.34 EUR\. The customer HAS been charged 5\.00 EUR, not the whole amount/,
    );
    expect(stands).toMatch(/Take the rest of 7\.34 EUR or refund .*Do not hand over the goods before that/);
    expect(stands).not.toMatch(/HAS paid/);
    const undecided = paid(500);
    expect(undecided).toMatch(/Take the rest of 7\.34 EUR or refund what was paid/);
  });

  it('came too late to be cancelled: the customer has paid, and nobody hands over goods that are being given back', () => {
    const late = { cancelRequestedAt: 1 };
    const asked = paid(1234, late, { tasks: [taskOf({ kind: 'cancel_too_late' })] });
    expect(asked).toBe(
      'Cancel came too late. The customer HAS paid 12.34 EUR. Hand over the goods or refund.',
    );
    expect(paid(1234, late, { refundingMinor: 1234 })).toMatch(
      /HAS paid 12\.34 EUR, and 12\.34 EUR of it is being given back right now\. Wait/,
    );
  });

  it('and given back again needs nothing more', () => {
    const back = paid(1234, { cancelRequestedAt: 1 }, { refundedMinor: 1234 });
    expect(back).toMatch(/ALL of it WAS given back.*Nothing else is to be done/);
    expect(paid(500, {}, { refundedMinor: 500 })).toMatch(/ALL of it WAS given back/);
  });

  it('and given back in part names what stands and what can still be given back', () => {
    expect(paid(1234, {}, { refundedMinor: 234 })).toMatch(
      /2\.34 EUR of it WAS given back: 10\.00 EUR stands.*10\.00 EUR at most/,
    );
  });

  it('with a tip is paid; with more than anybody asked for the difference is named', () => {
    expect(paid(1434, { report: approved(1434, { tipMinor: 200 }) })).toBe(
      'The customer HAS paid 14.34 EUR, of which 2.00 EUR is a tip. Hand over the goods.',
    );
    expect(paid(1434)).toMatch(/HAS paid 14\.34 EUR although 12\.34 EUR was asked for.*Refund 2\.00 EUR/);
  });

  it('with less than the tip would make it is a part, too', () => {
    expect(paid(1234, { report: approved(1234, { tipMinor: 200 }) })).toMatch(
      /^PARTLY paid: 12\.34 EUR of 14\.34 EUR/,
    );
  });

  it('with cashback tells how much cash to hand over', () => {
    expect(paid(3234, { report: approved(3234, { cashbackMinor: 2000 }) })).toMatch(
      /the goods and 20\.00 EUR in cash/,
    );
  });

  it('by the records of the terminal alone asks one question: refund it, or let it stand', () => {
    const message = paid(1234, { corrects: OTHER, cause: 'correction' });
    expect(message).toMatch(/HAS paid 12\.34 EUR: newer evidence shows it/);
    expect(message).toMatch(new RegExp(`Payment ${OTHER} had ended otherwise\\. Refund it, or let it stand`));
  });
});

describe('a refund or a void', () => {
  it('that gave less back than asked says so', () => {
    const message = paid(500, { type: 'refund' });
    expect(message).toMatch(/^Only 5\.00 EUR WAS given back.*the rest of 7\.34 EUR/);
  });

  it('that tilld made by itself says why, whether it ran, and what of the goods', () => {
    const undo = { type: 'void', cause: 'late_approval' } as const;
    expect(say({ ...undo, state: { name: 'dispatched' } })).toMatch(
      /^The cancel came too late, and the customer was charged\. It is not known yet whether that is undone/,
    );
    expect(paid(1234, undo)).toMatch(/12\.34 EUR WAS given back.*Do not hand over the goods/);
    expect(say({ ...undo, state: { name: 'declined' } })).toMatch(
      /NO money was given back.*too late.*or refund/,
    );
  });

  it('that did not go through points to the other way', () => {
    expect(say({ type: 'void', state: { name: 'declined' } })).toMatch(
      /NO money was given back.*Refund the payment instead/,
    );
    expect(say({ type: 'refund', state: { name: 'error' } })).toMatch(
      /NO money was given back.*try the refund again/,
    );
  });

  it('in doubt is not to be done again', () => {
    const message = say({ type: 'refund', state: { name: 'in_doubt', hadApproval: false } });
    expect(message).toMatch(/not known yet whether money was given back.*do not give this money back again/);
  });
});

describe('a payment whose terminal was replaced', () => {
  it.each(TYPES)('does not send anyone to look at the terminal that stands there now (%s)', (type) => {
    const state = { name: 'in_doubt', hadApproval: true } as const;
    const reason = { code: 'terminal_replaced', message: 'replaced' };
    const message = say({ type, state, reason, needsPerson: true });
    expect(message).toMatch(UNKNOWN);
    expect(message).toContain('the acquirer’s statement');
    expect(message).not.toContain('last receipt on the terminal');
  });
});

describe('open tasks of other kinds', () => {
  const task = taskOf({ kind: 'void_mismatch' });
  const asked =
    'Compare both receipts with the journal of the terminal before you take or give back anything else.';

  it('are added in their own words, and take the place of "nothing else is to be done"', () => {
    const message = paid(1234, { type: 'void' }, { tasks: [task] });
    expect(message).toBe(
      `12.34 EUR WAS given back to the customer. Answer the open task about it. Another sale was undone than the one that was meant. ${asked}`,
    );
    expect(paid(1234, {}, { tasks: [task] })).toMatch(
      /HAS paid .*Hand over the goods\. Another sale was undone than the one that was meant/,
    );
    expect(say({ state: { name: 'declined' } }, { tasks: [task] })).toMatch(
      /NOT charged.*Compare both receipts/,
    );
  });
});
