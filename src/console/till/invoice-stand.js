/** @typedef {import('../../api/contract/invoice.ts').Invoice} Invoice */

/**
 * Whether an invoice can be paid now, and if not, why. `restMinor`: what is due now, in minor units; null: not known.
 * @typedef {'due' | 'running' | 'paid_here' | 'paid' | 'void' | 'draft' | 'currency'} StandKind
 * @typedef {{ kind: StandKind, restMinor: number | null }} Stand
 */

/**
 * An invoice that was picked: `dueMinor` as `restMinor` of its stand.
 * @typedef {{ id: string, number: string, dueMinor: number | null, currency: string }} ChosenInvoice
 */

/** The pipeline of an invoice is draft, open, finalized, paid; the set is open, and what is not named here can be paid. */
const VOID = ['void', 'voided', 'canceled', 'cancelled'];

/**
 * The mirror's record and what tilld knows beside it: a running payment, and what was paid or given back here since the copy was made. What was given
 * back is negative in `paid_here_minor`, so that it is due again although the mirror still says "paid".
 * @param {Invoice} invoice
 * @param {string} currency of the terminal
 * @returns {Stand}
 */
export function standOf(invoice, currency) {
  const { open_payment_id: open, paid_here_minor: here } = invoice;
  const status = invoice.status?.toLowerCase() ?? '';
  const restMinor = restOf(invoice, status);
  /** @param {StandKind} kind */
  const is = (kind) => ({ kind, restMinor });
  if (open !== null) return is('running');
  if (VOID.includes(status)) return is('void');
  if (status === 'draft') return is('draft');
  if (status === 'paid' && here >= 0) return is(here > 0 ? 'paid_here' : 'paid');
  if (restMinor === 0) return is(here > 0 ? 'paid_here' : 'paid');
  return is((invoice.currency ?? currency) === currency ? 'due' : 'currency');
}

/**
 * @param {Invoice} invoice
 * @param {string} currency of the terminal
 * @returns {ChosenInvoice}
 */
export function chosenOf(invoice, currency) {
  const { id, number } = invoice;
  return {
    id,
    number: number ?? id,
    dueMinor: standOf(invoice, currency).restMinor,
    currency: invoice.currency ?? currency,
  };
}

/**
 * Why the amount cannot be taken for the picked invoice.
 * @param {ChosenInvoice} chosen
 * @param {number | null} minor the typed amount
 * @param {string} currency of the terminal
 * @returns {'over' | 'currency' | null}
 */
export function misfitOf(chosen, minor, currency) {
  if (chosen.currency !== currency) return 'currency';
  return minor !== null && chosen.dueMinor !== null && minor > chosen.dueMinor ? 'over' : null;
}

/**
 * Never more than the invoice is of.
 * @param {Invoice} invoice
 * @param {string} status
 */
function restOf({ amount_due_minor: due, total_minor: total, paid_here_minor: here }, status) {
  const copied = due ?? (status === 'paid' ? 0 : null);
  if (copied === null) return null;
  return Math.min(Math.max(0, copied - here), total ?? Number.MAX_SAFE_INTEGER);
}
