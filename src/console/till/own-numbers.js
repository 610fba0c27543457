import { cardText } from './card-text.js';

/** @import { Payment } from '../app/contract.js' */

/** The card and the numbers of a payment. Those of a doubt without an approval may belong to another transaction of the terminal. @param {Payment} payment */
export function ownNumbers(payment) {
  if (payment.in_doubt && !payment.had_approval) return { card: '', receipt: null, trace: null, auth: null };
  return {
    card: cardText(payment),
    receipt: payment.receipt_number,
    trace: payment.trace,
    auth: payment.auth_code,
  };
}
