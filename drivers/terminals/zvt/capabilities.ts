import type { Capabilities } from '../../../src/driver-kit/terminal.ts';

/**
 * What this driver can do on a terminal at most. Refund, void and end-of-day have encoders, and no dialogue yet: the
 * core's `MoneyCommand` knows sales only.
 */
export const capabilities: Capabilities = {
  refund: false,
  void: 'none',
  abort: true,
  recover: 'by_number',
  commitPoint: 'acknowledged',
  settleMs: 20_000,
  endOfDay: false,
  identity: 'serial',
};
