import { describe } from 'vitest';
import { holdsToTheSuite } from './holds.ts';
import { zvtOverSerial } from './subjects/zvt.ts';

describe('ZVT over a serial line', () => holdsToTheSuite(zvtOverSerial));
