import { defaultOptions, type ZvtVirtualOptions } from '../../../drivers/terminals/zvt/virtual-options.ts';
import type { Random } from '../random.ts';

/** What a vendor made of a terminal, drawn from a seed. */
export function habitsFrom(random: Random): ZvtVirtualOptions {
  return {
    ...defaultOptions,
    hostMs: random.int(50, 900),
    cardRemovalMs: random.pick([0, 0, 1500]),
    bootMs: random.pick([0, 0, 4000]),
    storesDeclined: random.chance(0.4),
    voids: random.pick(['any', 'any', 'any', 'any', 'last', 'last', 'last_regardless', 'none']),
    numbersRestart: random.chance(0.4),
    forgetsAtClose: random.chance(0.3),
    repeatReceipt: random.chance(0.06) ? 'empty' : random.chance(0.06) ? 'only_with_paper' : 'told',
    takenBackVoidShows: random.chance(0.25) ? 'original_trace' : 'own_trace',
    // A terminal that looks idle for longer than its settle time (20 s) is outside of what any rule can hold.
    looksIdleMs: random.pick([0, 0, 0, 0, 3000, 12_000, 12_000, 15_000]),
    honoursLock: random.chance(0.15),
  };
}

/** The option `void` of the device: what its owner believes of the terminal; now and then he believes too much. */
export function voidOption({ voids }: ZvtVirtualOptions, random: Random): 'any' | 'last' | 'none' {
  if (voids === 'any' || random.chance(0.25)) return 'any';
  return voids === 'last_regardless' ? 'last' : voids;
}
