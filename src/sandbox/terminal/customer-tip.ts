import type { VirtualDevice } from './dialect.ts';
import type { NextAmount } from './fault-injection.ts';

/**
 * What a sale is approved for, where it is not what the till asked for: what was set for the next sale, else with the tip of a customer who is
 * asked for one. Undefined: the amount of the till.
 * @param asksTip the till told the terminal to ask
 */
export function approvedAmount(
  { faults, settings }: Pick<VirtualDevice, 'faults' | 'settings'>,
  amountMinor: number,
  asksTip: boolean,
): NextAmount | undefined {
  const ordered = faults.takeAmount();
  const tipMinor = asksTip ? Math.round((amountMinor * (settings.tipPercent ?? 0)) / 100) : 0;
  if (ordered !== undefined || tipMinor === 0) return ordered;
  return { amountMinor: amountMinor + tipMinor, tipMinor };
}
