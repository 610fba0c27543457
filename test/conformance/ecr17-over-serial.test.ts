import { describe } from 'vitest';
import { holdsToTheSuite } from './holds.ts';
import { ecr17OverSerial } from './subjects/ecr17.ts';

describe('ECR17 over a serial line', () => holdsToTheSuite(ecr17OverSerial));
