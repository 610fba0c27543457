import type { Capabilities } from '../../../src/driver-kit/terminal.ts';

/** What this driver can do on a terminal at most; options of a device narrow it (`void`, `preauthorisation`, `quirks.recover`). */
export const capabilities: Capabilities = {
  refund: true,
  void: 'any',
  voidNeedsCard: false,
  preauthorisation: true,
  abort: true,
  recover: 'by_number',
  commitPoint: 'acknowledged',
  settleMs: 20_000,
  goesOnMs: 0,
  endOfDay: true,
  totalsWithoutPaper: true,
  identity: 'serial',
};
