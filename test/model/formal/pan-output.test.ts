import { describe, expect, it } from 'vitest';
import { readPanOutput } from './pan-output.ts';
import { controlFailure, findingFailure } from './verdict.ts';

const HEAD = `pan: ltl formula safe

(Spin Version 6.5.2 -- 6 December 2019)
	+ Partial Order Reduction
	+ Compression

Full statespace search for:
	never claim         	+ (safe)
	assertion violations	+ (if within scope of claim)
	cycle checks       	- (disabled by -DSAFETY)
	invalid end states	- (disabled by never claim)

`;
const PASSED = `${HEAD}State-vector 140 byte, depth reached 108, errors: 0
   902419 states, stored
  1961381 states, matched
  2863800 transitions (= stored+matched)
  6633440 atomic steps

  296.726	total actual memory usage

pan: elapsed time 2.15 seconds
`;
const BROKEN = `pan: ltl formula safe
pan:1: assertion violated  !( !((noByMachine&charged))) (at depth 71)
pan: wrote payments.pml.trail

(Spin Version 6.5.2 -- 6 December 2019)
Warning: Search not completed
${HEAD.slice(HEAD.indexOf('\t+ Partial'))}State-vector 132 byte, depth reached 71, errors: 1
     1243 states, stored
     2000 transitions (= stored+matched)
pan: elapsed time 0.01 seconds
`;

describe("what SPIN's verifier prints", () => {
  it('an exhaustive search without an error is read with its figures, and passes', () => {
    const result = readPanOutput(PASSED);
    expect(result).toEqual({
      states: 902_419,
      transitions: 2_863_800,
      depth: 108,
      errors: 0,
      seconds: 2.15,
      memoryMb: 296.726,
      formula: 'safe',
      violation: null,
      incomplete: null,
    });
    expect(controlFailure(result, 'safe')).toBeNull();
  });

  it('large figures are read as SPIN writes them', () => {
    const text = PASSED.replace('902419 states, stored', '1.2345678e+08 states, stored (2.9e+08 visited)');
    expect(readPanOutput(text).states).toBe(123_456_780);
  });

  it.each([
    ['the depth limit', 'error: max search depth too small\n'],
    ['an unfinished search', 'Warning: Search not completed\n'],
    ['the memory limit', 'pan: reached -DMEMLIM bound\n'],
    ['no memory', 'pan: out of memory\n'],
    ['a bitstate search', 'Bit statespace search for:\n'],
    ['a signal', 'Interrupted\n'],
  ])('a search that met %s never passes', (_what, line) => {
    expect(controlFailure(readPanOutput(`${line}${PASSED}`), 'safe')).not.toBeNull();
  });

  it.each([
    ['nothing', ''],
    ['half a search', HEAD],
    ['no full search', PASSED.replace('Full statespace', 'Bit statespace')],
    ['no state', PASSED.replace('902419 states, stored', '0 states, stored')],
    ['no reduction', PASSED.replace('\t+ Partial Order Reduction\n', '')],
    ['no compression', PASSED.replace('\t+ Compression\n', '')],
    ['no formula', PASSED.replace('pan: ltl formula safe\n', '')],
    ['another formula', PASSED.replace('formula safe', 'formula once')],
  ])('an output with %s never passes', (_what, text) => {
    expect(controlFailure(readPanOutput(text), 'safe')).not.toBeNull();
  });

  it('a broken property fails a configuration and is what a planted fault must bring', () => {
    const result = readPanOutput(BROKEN);
    expect(result).toMatchObject({ errors: 1, violation: 'assertion', incomplete: null });
    expect(controlFailure(result, 'safe')).toBe('"safe" is broken at depth 71');
    expect(findingFailure(result, 'safe', false)).toBeNull();
  });

  it('a planted fault is not found by silence, by another formula, by another kind of error or by a search that failed', () => {
    expect(findingFailure(readPanOutput(PASSED), 'safe', false)).toContain('holds although');
    expect(findingFailure(readPanOutput(BROKEN), 'once', false)).toContain('did not check');
    expect(findingFailure(readPanOutput(BROKEN), 'safe', true)).toContain('another error');
    expect(findingFailure(readPanOutput(`pan: out of memory\n${BROKEN}`), 'safe', false)).toContain('memory');
    expect(findingFailure(readPanOutput(''), 'safe', false)).not.toBeNull();
  });
});
