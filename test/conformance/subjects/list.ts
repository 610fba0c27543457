import type { Subject } from '../subject.ts';
import { zvtOverSerial, zvtOverTcp } from './zvt.ts';

/** Every driver over every wire that its manifest names: one line each. */
export const subjects: readonly Subject[] = [zvtOverTcp, zvtOverSerial];
