/** @import { Payment } from '../app/contract.js' */

/** What is known of the card: its scheme and the masked number; empty where the terminal has said neither. @param {Payment} payment */
export function cardText({ card_scheme: scheme, masked_pan: number }) {
  return [scheme, number].filter((part) => part !== null).join(' ');
}
