import { describe } from 'vitest';
import { holdsToTheSuite } from './holds.ts';
import { ecr17OverTcp } from './subjects/ecr17.ts';

describe('ECR17 over TCP', () => holdsToTheSuite(ecr17OverTcp));
