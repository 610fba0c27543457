import type { Capabilities } from '../../terminal/ports.ts';

/** How long a terminal must be watched before "nothing was charged" may be said: by recovery, by a later comparison, by a person. In ms. */
export interface SettleTime {
  /** Idle in a row. */
  readonly idleMs: number;
  /** Since we heard of the payment last: the longest time in which the terminal can still charge. Not the owner's to shorten. */
  readonly sinceMs: number;
}

/** @param idleMs what the config says of this device; null: what the driver says */
export function settleTimeOf({ settleMs, goesOnMs }: Capabilities, idleMs: number | null): SettleTime {
  return { idleMs: idleMs ?? settleMs, sinceMs: goesOnMs };
}

/** The whole of it, for a terminal of which only is known that no dialogue of ours ran on it for so long. */
export function quietTimeOf({ idleMs, sinceMs }: SettleTime): number {
  return Math.max(idleMs, sinceMs);
}
