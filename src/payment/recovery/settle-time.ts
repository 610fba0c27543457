import type { Capabilities } from '../../terminal/ports.ts';

/** How long a terminal must be watched before recovery, a later comparison or a person may say "nothing was charged". In ms. */
export interface SettleTime {
  /** Idle without interruption. */
  readonly idleMs: number;
  /** Since the last contact during the payment: the longest time in which the terminal can still charge. The owner cannot shorten it. */
  readonly sinceMs: number;
}

/** @param idleMs the value of the config for this device; null: the driver's value */
export function settleTimeOf({ settleMs, goesOnMs }: Capabilities, idleMs: number | null): SettleTime {
  return { idleMs: idleMs ?? settleMs, sinceMs: goesOnMs };
}

/** The whole time, for a terminal of which only the time without a dialogue of ours is known. */
export function quietTimeOf({ idleMs, sinceMs }: SettleTime): number {
  return Math.max(idleMs, sinceMs);
}
