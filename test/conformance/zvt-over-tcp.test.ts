import { describe } from 'vitest';
import { holdsToTheSuite } from './holds.ts';
import { zvtOverTcp } from './subjects/zvt.ts';

describe('ZVT over TCP', () => holdsToTheSuite(zvtOverTcp));
