import { type Capabilities, customerMs, z } from '../../../src/driver-kit/terminal.ts';

/** What the terminal supports; the core refuses everything else before it sends anything. */
export const capabilities: Capabilities = {
  refund: false,
  void: 'none',
  voidNeedsCard: false,
  tip: false,
  abort: false,
  recover: 'by_number',
  commitPoint: 'acknowledged',
  settleMs: 20_000,
  goesOnMs: 0,
  endOfDay: false,
  totalsWithoutPaper: false,
  identity: 'serial',
};

/** The largest amount: eight digits. */
export const MOST_MINOR = 99_999_999;

/** The schema of a device's `options`. */
export const options = z.strictObject({
  customer_ms: customerMs(),
});
