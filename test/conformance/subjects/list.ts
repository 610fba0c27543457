import type { Subject } from '../subject.ts';
import { concertEplusOverSerial, concertV3OverSerial, concertV3OverTcp } from './concert.ts';
import { ecr17OverSerial, ecr17OverTcp } from './ecr17.ts';
import { nexoOverTcp } from './nexo.ts';
import { transbankOverSerial } from './transbank.ts';
import { zvtOverSerial, zvtOverTcp } from './zvt.ts';

/** Every driver over every wire that its manifest names: one line each. */
export const subjects: readonly Subject[] = [
  zvtOverTcp,
  zvtOverSerial,
  ecr17OverTcp,
  ecr17OverSerial,
  transbankOverSerial,
  concertEplusOverSerial,
  concertV3OverSerial,
  concertV3OverTcp,
  nexoOverTcp,
];
