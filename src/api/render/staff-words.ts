import type { Attempt, Cause } from '../../payment/attempt.ts';

/** The sentences of one type of attempt: first whether the customer was charged (or given back to), then what to do now. */
export interface StaffWords {
  readonly no: string;
  readonly notYet: string;
  readonly unknown: string;
  /** Behind "Wait …": what must not be done meanwhile. */
  readonly notAgain: string;
  /** What to do after an end that moved no money. */
  readonly declined: string;
  readonly cancelled: string;
  readonly error: string;
  /** It will never be known. */
  readonly writtenOff: string;
  /** The terminal's records contradict the attempt's end. */
  readonly afterAll: string;
  readonly notAfterAll: string;
}

const GIVE_BACK = {
  no: 'No money was given back.',
  notYet: 'No money has been given back so far.',
  unknown: 'It is not known yet whether money was given back.',
  notAgain: 'do not give this money back again',
  cancelled: 'Start again if it is still wanted.',
  writtenOff:
    'It was never found out whether money was given back, and it was written off. Treat it as given back. ' +
    'If a statement shows that it was, a lead records it as succeeded.',
  afterAll: 'the money WAS given back. Do not give it back again.',
  notAfterAll: 'the money was NOT given back. Give it back once more, or in another way.',
} as const;

export const STAFF_WORDS: Readonly<Record<Attempt['type'], StaffWords>> = {
  sale: {
    no: 'The customer was not charged.',
    notYet: 'The customer has not been charged so far.',
    unknown: 'It is not known yet whether the customer was charged.',
    notAgain: 'do not take this payment again',
    declined: 'Try another card or another way to pay.',
    cancelled: 'Start again if it is still wanted.',
    error: 'Look at the terminal, then try again.',
    writtenOff:
      'It was never found out whether the customer was charged, and it was written off. Treat it as charged: do not take this payment again. ' +
      'If the customer shows that it was charged, a lead records it as succeeded.',
    afterAll:
      'the customer WAS charged. Refund it, or let it stand and hand over the goods, unless that is done already; ' +
      'take no second payment.',
    notAfterAll: 'the customer was NOT charged. Hand over the goods only against another payment.',
  },
  refund: {
    ...GIVE_BACK,
    declined: 'Try the refund again, or give the money back in another way.',
    error: 'Look at the terminal, then try the refund again.',
  },
  void: {
    ...GIVE_BACK,
    declined: 'Refund the payment instead.',
    error: 'Look at the terminal, then try again, or refund the payment instead.',
  },
};

/** Why tilld itself undoes a payment: what is said while it does, when it has, and when it could not. */
export const UNDOING: Readonly<
  Record<
    Exclude<Cause, 'correction'>,
    { readonly now: string; readonly done: string; readonly failed: string }
  >
> = {
  late_approval: {
    now: 'The cancel came too late, so the payment is being undone.',
    done: 'The cancel came too late and the payment was undone. Do not hand over the goods.',
    failed: 'The cancel came too late and the payment stands. Hand over the goods or refund it.',
  },
  partial_approval: {
    now: 'Only a part was approved, so it is being undone.',
    done: 'Only a part had been approved and it was undone. Take the whole amount again before you hand over the goods.',
    failed: 'Only a part was approved and it stands. Take the rest or refund it.',
  },
};
