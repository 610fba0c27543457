import { describe } from 'vitest';
import { holdsToTheSuite } from './holds.ts';
import { transbankOverSerial } from './subjects/transbank.ts';

describe('POS Integrado over a serial line', () => holdsToTheSuite(transbankOverSerial));
