import { describe } from 'vitest';
import { holdsToTheSuite } from './holds.ts';
import { nexoOverTcp } from './subjects/nexo.ts';

describe('The Terminal API (nexo) over TCP', () => holdsToTheSuite(nexoOverTcp));
