import type { SimFamily } from './family.ts';
import { zvtFamily } from './zvt.ts';

/** Every family that stands at a counter of the simulation, as often as it is named here. */
export const FAMILIES: readonly [SimFamily, ...SimFamily[]] = [zvtFamily];
