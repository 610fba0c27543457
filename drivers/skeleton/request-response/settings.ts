import { type Capabilities, customerMs, httpPath, z } from '../../../src/driver-kit/terminal.ts';

/**
 * What the terminal supports; the core refuses everything else before it sends anything.
 * `recover`: it keeps every sale under the reference that we gave it. `commitPoint`: no message follows the response.
 */
export const capabilities: Capabilities = {
  refund: false,
  void: 'none',
  voidNeedsCard: false,
  tip: false,
  abort: false,
  recover: 'by_reference',
  commitPoint: 'received',
  settleMs: 20_000,
  goesOnMs: 0,
  endOfDay: false,
  totalsWithoutPaper: false,
  identity: 'serial',
};

/** The largest amount in minor units. */
export const MOST_MINOR = 99_999_999;
/** For how long the terminal certainly keeps a sale under its reference, ms: half of what its maker says, because clocks may be wrong. */
export const KEPT_MS = 24 * 3_600_000;

/** The schema of a device's `options`. */
export const options = z.strictObject({
  path: httpPath('/till'),
  customer_ms: customerMs(),
});

export type Settings = z.output<typeof options>;
