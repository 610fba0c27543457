import { describe, expect, it } from 'vitest';
import { nameOfTrace, readTrace } from './trace.ts';

const OUTPUT = `
          STEP sell 0 : 1 0 0 0 : 0 0 0 0
                    STEP crash 0 : 2 0 0 6 : 5 8 1 1
ltl safe: [] (! (x))
timeout
`;

describe('a printed run of the model', () => {
  it('is read step by step, with what the model tells of each attempt', () => {
    const [first, second, ...more] = readTrace(OUTPUT);
    expect(more).toEqual([]);
    expect(first).toMatchObject({
      name: 'sell',
      of: 0,
      after: { states: ['requested', 'none', 'none', 'none'] },
    });
    expect(second).toEqual({
      name: 'crash',
      of: 0,
      after: {
        states: ['dispatched', 'none', 'none', 'not_charged'],
        tasks: [true, false, true, false],
        corrected: [false, false, false, true],
        charged: [true, false, false, false],
        known: 1,
      },
    });
  });

  it('is named by its steps', () => {
    expect(nameOfTrace(readTrace(OUTPUT))).toBe('sell 0, crash 0');
  });

  it('ends before a step in whose middle its length was met', () => {
    expect(readTrace('STEP sell 0 : 1 0 0 0 : 0 0 0 0\nSTEP exchange 1-------------\n')).toHaveLength(1);
  });

  it.each(['STEP dances 0 : 1 0 0 0 : 0 0 0 0', 'STEP sell 0', 'STEP sell 0 : 9 0 0 0 : 0 0 0 0'])(
    'is no trace with a step that the replay does not know: %s',
    (line) => {
      expect(() => readTrace(line)).toThrow(/the model/);
    },
  );
});
