import type { Capabilities } from '../../../src/driver-kit/terminal.ts';

/** The full capabilities of this driver; options of a device narrow them (`void`, `receipts`, `quirks.recover`). */
export const capabilities: Capabilities = {
  refund: true,
  void: 'any',
  voidNeedsCard: false,
  tip: true,
  abort: true,
  recover: 'by_number',
  commitPoint: 'acknowledged',
  settleMs: 20_000,
  goesOnMs: 0,
  endOfDay: true,
  totalsWithoutPaper: true,
  reprint: true,
  identity: 'serial',
};
