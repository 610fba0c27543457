import type { Capabilities } from '../terminal/ports.ts';

/**
 * The longest time in which a terminal can still charge after the link was lost, ms: the customer's time and the protocol's own tail, never less than
 * the driver declares.
 */
export function goesOnFor(declared: Capabilities, customerMs: number, tailMs: number): number {
  return Math.max(declared.goesOnMs, customerMs + tailMs);
}
