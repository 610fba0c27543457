import { describe } from 'vitest';
import { holdsToTheSuite } from './holds.ts';
import { concertEplusOverSerial } from './subjects/concert.ts';

describe('Concert E+ over a cable', () => holdsToTheSuite(concertEplusOverSerial));
