import type { Capabilities } from '../../../src/driver-kit/terminal.ts';

/** What this driver can do on a terminal at most; the option `void` of a device narrows it. */
export const capabilities: Capabilities = {
  refund: true,
  void: 'any',
  voidNeedsCard: false,
  abort: true,
  recover: 'by_number',
  commitPoint: 'acknowledged',
  settleMs: 20_000,
  endOfDay: true,
  totalsWithoutPaper: true,
  identity: 'serial',
};
