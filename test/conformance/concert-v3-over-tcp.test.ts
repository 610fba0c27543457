import { describe } from 'vitest';
import { holdsToTheSuite } from './holds.ts';
import { concertV3OverTcp } from './subjects/concert.ts';

describe('Concert V3 over TCP', () => holdsToTheSuite(concertV3OverTcp));
