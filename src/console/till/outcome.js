/** @import { Payment } from '../app/contract.js' */

/** @typedef {'good' | 'bad' | 'warn' | 'calm' | 'plain'} Tone */
/** @typedef {{ key: OutcomeKey, tone: Tone, values: Amounts }} Outcome */
/** @typedef {keyof typeof import('./words/outcomes.en.js').outcomes} OutcomeKey */
/** @typedef {{ asked: number, paid: number, back: number, rest: number, more: number, cash: number }} Amounts minor units */

/**
 * What staff are told about a payment: the same decisions as the daemon's own `message`, as a key of the catalogue, so that every language
 * says whether the customer was charged and what to do now.
 * @param {Payment} payment
 * @param {{ isBeingGivenBack?: boolean }} [more] whether a refund or a void of it is open
 * @returns {Outcome}
 */
export function outcomeOf(payment, { isBeingGivenBack = false } = {}) {
  const values = amountsOf(payment);
  const [key, tone] =
    payment.completed_at === null
      ? open(payment)
      : (contradiction(payment) ??
        (payment.type === 'sale'
          ? endOfSale(payment, values, isBeingGivenBack)
          : endOfGivingBack(payment, values)));
  return { key, tone, values };
}

/** @typedef {readonly [OutcomeKey, Tone]} Told */

/**
 * @param {Payment} payment
 * @returns {Told}
 */
function open(payment) {
  const isSale = payment.type === 'sale';
  if (payment.in_doubt && payment.needs_person)
    return [isSale ? 'doubt_person' : 'back_doubt_person', 'warn'];
  if (payment.in_doubt) return [isSale ? 'doubt_asking' : 'back_doubt_asking', 'warn'];
  if (payment.cause === 'late_approval') return ['back_late_now', 'calm'];
  if (payment.cause === 'partial_approval') return ['back_partial_now', 'calm'];
  if (payment.status === 'requested') return [isSale ? 'waiting' : 'back_waiting', 'calm'];
  if (payment.cancel_requested_at !== null) return [isSale ? 'cancelling' : 'back_cancelling', 'calm'];
  return [isSale ? 'working' : 'back_working', 'calm'];
}

/**
 * The newest evidence says otherwise than the end that was told.
 * @param {Payment} payment
 * @returns {Told | null}
 */
function contradiction({ status, charged, type }) {
  const told = status === 'succeeded' ? 'yes' : 'no';
  if (charged === told) return null;
  const prefix = type === 'sale' ? 'corrected' : 'back_corrected';
  return [`${prefix}_${charged}`, 'bad'];
}

/**
 * @param {Payment} payment
 * @param {Amounts} values
 * @param {boolean} isBeingGivenBack
 * @returns {Told}
 */
function endOfSale(payment, { asked, paid, back, cash }, isBeingGivenBack) {
  if (payment.status === 'declined') return ['declined', 'bad'];
  if (payment.status === 'cancelled') return ['cancelled', 'plain'];
  if (payment.status !== 'succeeded') return ['failed', 'bad'];
  if (isBeingGivenBack) return ['paid_going_back', 'calm'];
  if (back > 0) return [back >= paid ? 'paid_back_all' : 'paid_back_part', 'plain'];
  if (paid < asked) return ['paid_part', 'bad'];
  if (payment.corrects !== null) return ['paid_correction', 'warn'];
  if (payment.cancel_requested_at !== null) return ['paid_late', 'warn'];
  if (paid > asked) return ['paid_more', 'warn'];
  return [cash > 0 ? 'paid_cash' : 'paid', 'good'];
}

/**
 * @param {Payment} payment
 * @param {Amounts} values
 * @returns {Told}
 */
function endOfGivingBack(payment, { rest }) {
  const { cause, status, type } = payment;
  if (status === 'succeeded') {
    if (rest > 0) return ['back_part', 'warn'];
    if (cause === 'late_approval') return ['back_late_done', 'good'];
    if (cause === 'partial_approval') return ['back_partial_done', 'good'];
    return [
      payment.corrects === null ? 'back_done' : 'back_correction',
      payment.corrects === null ? 'good' : 'warn',
    ];
  }
  if (cause === 'late_approval') return ['back_late_failed', 'bad'];
  if (cause === 'partial_approval') return ['back_partial_failed', 'bad'];
  if (status === 'cancelled') return ['back_cancelled', 'plain'];
  if (type === 'void') return ['void_failed', 'bad'];
  return [status === 'declined' ? 'back_declined' : 'back_failed', 'bad'];
}

/**
 * @param {Payment} payment
 * @returns {Amounts} `rest`: of a sale what stands after what was given back, or what is left to take; else what was not given back
 */
export function amountsOf(payment) {
  const { amount_minor, tip_minor, surcharge_minor, cashback_minor, given_back_minor: back } = payment;
  const cash = cashback_minor ?? 0;
  const asked = amount_minor + (tip_minor ?? 0) + (surcharge_minor ?? 0) + cash;
  const paid = payment.approved_amount_minor ?? amount_minor;
  const isPartOfSale = payment.type === 'sale' && back > 0;
  return {
    asked,
    paid,
    back,
    cash,
    more: Math.max(0, paid - asked),
    rest: isPartOfSale ? paid - back : Math.max(0, asked - paid),
  };
}
