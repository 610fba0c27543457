import { describe } from 'vitest';
import { holdsToTheSuite } from './holds.ts';
import { concertV3OverSerial } from './subjects/concert.ts';

describe('Concert V3 over a cable', () => holdsToTheSuite(concertV3OverSerial));
