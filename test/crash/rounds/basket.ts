/** Cents in a basket's own range of amounts. */
const RANGE = 100;

/**
 * What a customer wants to buy. Every basket has a range of amounts of its own: basket 7 costs 7.00, and whatever is charged or given back
 * of it lies above 6.00. So the terminal's ledger tells by itself what a line belongs to, whatever the agent's books say.
 */
export function amountOf(basket: number, lessMinor = 0): number {
  return basket * RANGE - lessMinor;
}

/** The basket that an amount in minor units belongs to. */
export function basketOf(amountMinor: number): number {
  return Math.ceil(amountMinor / RANGE);
}
