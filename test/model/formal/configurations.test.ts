import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CONFIGURATIONS, FAULT_KINDS, pairsOf, uncoveredPairs } from './configurations.ts';
import { PLANTED_FAULTS } from './planted-faults.ts';

const MODEL = readFileSync(join(import.meta.dirname, 'payments.pml'), 'utf8');
const README = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8');
const SAFE = CONFIGURATIONS.filter(({ property }) => property === 'safe');

describe('the configurations of the formal model', () => {
  it('every two kinds of faults meet in a configuration that is checked for safety', () => {
    expect(uncoveredPairs(SAFE)).toEqual([]);
    expect(pairsOf(FAULT_KINDS)).toHaveLength(66);
  });

  it('a pair that no configuration holds is named', () => {
    expect(uncoveredPairs(SAFE.filter(({ bounds }) => bounds['RESTORES'] === undefined))).toContain(
      'crash+restore',
    );
  });

  it('every kind of fault meets the liveness properties', () => {
    const kinds = CONFIGURATIONS.filter(({ property }) => property === 'live');
    const macros = new Set(kinds.flatMap(({ bounds }) => Object.keys(bounds)));
    for (const macro of ['CRASHES', 'LINKS', 'EXCHANGES', 'CLOSES', 'RESTORES', 'WRONGS', 'OFFS', 'LOSSES'])
      expect(macros).toContain(macro);
  });

  it('every macro of a configuration is read by the model', () => {
    for (const macro of new Set(CONFIGURATIONS.flatMap(({ bounds }) => Object.keys(bounds))))
      expect(MODEL).toMatch(new RegExp(`^#if(n?def)? ${macro}\\b`, 'm'));
  });
});

describe('the planted faults of the formal model', () => {
  it.each(PLANTED_FAULTS)('$name is in the model, breaks a formula of it and is in the README', (fault) => {
    expect(MODEL).toMatch(new RegExp(`^#ifn?def FAULT_${fault.name}$`, 'm'));
    expect(MODEL).toMatch(new RegExp(`^ltl ${fault.property} `, 'm'));
    expect(CONFIGURATIONS.map(({ name }) => name)).toContain(fault.configuration);
    expect(README).toContain(`\`${fault.name}\``);
  });

  it('every fault of the model is planted by a run', () => {
    const inModel = new Set([...MODEL.matchAll(/^#ifn?def FAULT_(\w+)$/gm)].map(([, name]) => name));
    expect([...inModel].sort()).toEqual(PLANTED_FAULTS.map(({ name }) => name).sort());
  });
});
