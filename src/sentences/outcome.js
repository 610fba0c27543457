/** @import { MoneyFacts } from './sentences.js' */

/** @typedef {'good' | 'bad' | 'warn' | 'calm' | 'plain'} Tone */
/** @typedef {{ key: OutcomeKey, tone: Tone, values: Amounts }} Outcome */
/** @typedef {keyof typeof import('./words/outcomes.en.js').outcomes} OutcomeKey */
/** @typedef {{ asked: number, paid: number, back: number, rest: number, more: number, cash: number, tip: number, going: number }} Amounts minor units */
/** @typedef {readonly [OutcomeKey, Tone]} Told */

/**
 * The current outcome of a payment, as a key of the catalogue: every language says whether the customer was charged and what to do.
 * @param {MoneyFacts} payment
 * @returns {Outcome}
 */
export function outcomeOf(payment) {
  const values = amountsOf(payment);
  const [key, tone] =
    payment.status === 'requested' || payment.status === 'in_progress'
      ? open(payment)
      : (contradiction(payment) ??
        (payment.type === 'sale' ? endOfSale(payment, values) : endOfGivingBack(payment, values)));
  return { key, tone, values };
}

/**
 * @param {MoneyFacts} payment
 * @returns {Told}
 */
function open(payment) {
  const isSale = payment.type === 'sale';
  if (payment.in_doubt) return inDoubt(payment, isSale);
  if (payment.status === 'requested') return [isSale ? 'waiting' : 'back_waiting', 'calm'];
  if (payment.cause === 'late_approval') return ['back_late_now', 'calm'];
  if (payment.cause === 'partial_approval') return ['back_partial_now', 'calm'];
  if (payment.cancel_requested_at !== null) return [isSale ? 'cancelling' : 'back_cancelling', 'calm'];
  return [isSale ? 'working' : 'back_working', 'calm'];
}

/**
 * @param {MoneyFacts} payment
 * @param {boolean} isSale
 * @returns {Told}
 */
function inDoubt({ error_code: code, needs_person: isWithPerson }, isSale) {
  if (code === 'terminal_replaced') return [isSale ? 'doubt_replaced' : 'back_doubt_replaced', 'warn'];
  if (code === 'terminal_not_believed')
    return [isSale ? 'doubt_not_believed' : 'back_doubt_not_believed', 'warn'];
  if (isWithPerson) return [isSale ? 'doubt_person' : 'back_doubt_person', 'warn'];
  return [isSale ? 'doubt_asking' : 'back_doubt_asking', 'warn'];
}

/**
 * The newest evidence contradicts the reported end, or no evidence will ever exist.
 * @param {MoneyFacts} payment
 * @returns {Told | null}
 */
function contradiction({ status, charged, type, error_code: code, corrects_type: corrected }) {
  const expected = status === 'succeeded' ? 'yes' : 'no';
  if (charged === expected) return null;
  const isSale = type === 'sale';
  if (charged === 'unknown' && code === 'written_off')
    return [isSale ? 'written_off' : 'back_written_off', 'warn'];
  if (corrected === 'sale' && !isSale) return ['back_paid_after_all', 'bad'];
  return [`${isSale ? 'corrected' : 'back_corrected'}_${charged}`, 'bad'];
}

/**
 * @param {MoneyFacts} payment
 * @param {Amounts} values
 * @returns {Told}
 */
function endOfSale(payment, { asked, paid, back, cash, tip }) {
  if (payment.status === 'declined') return ['declined', 'bad'];
  if (payment.status === 'cancelled') return ['cancelled', 'plain'];
  if (payment.status !== 'succeeded') return ['failed', 'bad'];
  if (payment.giving_back_minor > 0) return ['paid_going_back', 'calm'];
  if (back > 0) return [back >= paid ? 'paid_back_all' : 'paid_back_part', 'plain'];
  if (paid < asked) return ['paid_part', 'bad'];
  if (payment.corrects !== null) return ['paid_correction', 'warn'];
  if (payment.cancel_requested_at !== null) return ['paid_late', 'warn'];
  if (paid > asked) return ['paid_more', 'warn'];
  if (cash > 0) return ['paid_cash', 'good'];
  return [tip > 0 ? 'paid_tip' : 'paid', 'good'];
}

/**
 * @param {MoneyFacts} payment
 * @param {Amounts} values
 * @returns {Told}
 */
function endOfGivingBack(payment, { rest, more }) {
  const { cause, status, type } = payment;
  if (status === 'succeeded') {
    if (payment.corrects !== null)
      return [payment.corrects_type === 'sale' ? 'back_never_paid' : 'back_correction', 'warn'];
    if (rest > 0) return ['back_part', 'warn'];
    if (more > 0) return ['back_more', 'warn'];
    if (cause === 'late_approval') return ['back_late_done', 'good'];
    if (cause === 'partial_approval') return ['back_partial_done', 'good'];
    return ['back_done', 'good'];
  }
  if (cause === 'late_approval') return ['back_late_failed', 'bad'];
  if (cause === 'partial_approval') return ['back_partial_failed', 'bad'];
  if (status === 'cancelled') return ['back_cancelled', 'plain'];
  if (type === 'void') return ['void_failed', 'bad'];
  return [status === 'declined' ? 'back_declined' : 'back_failed', 'bad'];
}

/**
 * @param {MoneyFacts} payment
 * @returns {Amounts} `rest`: of a sale the amount that remains after refunds, or that is left to take; else the amount that was not refunded
 */
function amountsOf(payment) {
  const { amount_minor, tip_minor, surcharge_minor, cashback_minor, given_back_minor: back } = payment;
  const [cash, tip] = [cashback_minor ?? 0, tip_minor ?? 0];
  const asked = amount_minor + tip + (surcharge_minor ?? 0) + cash;
  const paid = payment.approved_amount_minor ?? amount_minor;
  const isPartOfSale = payment.type === 'sale' && back > 0;
  return {
    asked,
    paid,
    back,
    cash,
    tip,
    going: payment.giving_back_minor,
    more: Math.max(0, paid - asked),
    rest: isPartOfSale ? paid - back : Math.max(0, asked - paid),
  };
}

/** The label of each outcome in lists: a partial payment is never labelled as whole. */
export const LABEL_OF = /** @satisfies {Readonly<Record<OutcomeKey, string>>} */ (
  /** @type {const} */ ({
    waiting: 'waiting',
    working: 'running',
    cancelling: 'running',
    doubt_asking: 'in_doubt',
    doubt_person: 'in_doubt',
    doubt_replaced: 'in_doubt',
    doubt_not_believed: 'in_doubt',
    paid: 'paid',
    paid_cash: 'paid',
    paid_tip: 'paid',
    paid_late: 'paid',
    paid_more: 'paid',
    paid_part: 'paid_part',
    paid_correction: 'paid',
    paid_going_back: 'going_back',
    paid_back_part: 'back_part',
    paid_back_all: 'back',
    declined: 'declined',
    cancelled: 'cancelled',
    failed: 'failed',
    written_off: 'written_off',
    corrected_yes: 'corrected',
    corrected_no: 'corrected',
    corrected_unknown: 'corrected',
    back_waiting: 'waiting',
    back_working: 'running',
    back_cancelling: 'running',
    back_late_now: 'running',
    back_partial_now: 'running',
    back_doubt_asking: 'in_doubt',
    back_doubt_person: 'in_doubt',
    back_doubt_replaced: 'in_doubt',
    back_doubt_not_believed: 'in_doubt',
    back_done: 'back',
    back_part: 'back_part',
    back_more: 'back',
    back_correction: 'back',
    back_never_paid: 'corrected',
    back_paid_after_all: 'corrected',
    back_late_done: 'back',
    back_partial_done: 'back',
    back_late_failed: 'failed',
    back_partial_failed: 'failed',
    back_declined: 'declined',
    back_cancelled: 'cancelled',
    back_failed: 'failed',
    void_failed: 'failed',
    back_written_off: 'written_off',
    back_corrected_yes: 'corrected',
    back_corrected_no: 'corrected',
    back_corrected_unknown: 'corrected',
  })
);
