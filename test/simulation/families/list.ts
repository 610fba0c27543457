import { eplusFamily, v3Family, v3SerialFamily } from './concert.ts';
import { ecr17Family } from './ecr17.ts';
import type { SimFamily } from './family.ts';
import { nexoFamily } from './nexo.ts';
import { transbankFamily } from './transbank.ts';
import { zvtFamily } from './zvt.ts';

export type Families = readonly [SimFamily, ...SimFamily[]];

/** Every family that stands at a counter of the simulation, as often as it is named here. */
export const FAMILIES: Families = [
  zvtFamily,
  zvtFamily,
  zvtFamily,
  zvtFamily,
  eplusFamily,
  v3Family,
  v3SerialFamily,
  ecr17Family,
  ecr17Family,
  transbankFamily,
  transbankFamily,
  nexoFamily,
  nexoFamily,
];
