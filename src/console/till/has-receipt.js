/** @import { Payment } from '../app/contract.js' */

/** A payment that succeeded, and that no newer evidence contradicts: `charged` follows it, the status does not. @param {Payment} payment */
export function hasReceipt({ status, charged, corrected_by: correctedBy }) {
  return status === 'succeeded' && charged === 'yes' && correctedBy === null;
}
