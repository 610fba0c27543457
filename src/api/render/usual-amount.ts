import type { Device } from '../../terminal/device.ts';
import type { UsualAmount } from '../contract/terminal-activity.ts';

/** Fewer sales say nothing of what is usual. */
const FEWEST_SALES = 50;
const USUAL_SHARE = 19 / 20;

/** The least amount that 19 of 20 sales do not exceed. @param amounts in minor units of the device's currency, in any order */
export function renderUsualAmount({ id, currency }: Device, amounts: readonly number[]): UsualAmount {
  const sorted = amounts.toSorted((one, other) => one - other);
  const rank = Math.ceil(sorted.length * USUAL_SHARE);
  const atMost = sorted.length < FEWEST_SALES ? null : (sorted[rank - 1] ?? null);
  return {
    object: 'usual_amount',
    device_id: id,
    currency,
    sales: sorted.length,
    at_most_minor: atMost,
  };
}
