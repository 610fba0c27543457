import { describe } from 'vitest';
import { holdAgainst } from './hold-against.ts';

describe('the contract, held against the local interface', () => holdAgainst('local'));
