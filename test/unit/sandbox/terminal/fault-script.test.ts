import { describe, expect, it } from 'vitest';
import { FaultScript } from '../../../../src/sandbox/terminal/fault-script.ts';

describe('a fault script', () => {
  it('strikes at its moment only, as often as it says, the oldest first', () => {
    const script = new FaultScript([
      { when: 'result', do: 'cut', times: 2 },
      { when: 'result', do: 'silence', ms: 50 },
      { when: 'print', do: 'garbage' },
    ]);
    expect(script.take('command')).toBeUndefined();
    const struck = [1, 2, 3, 4].map(() => script.take('result')?.do);
    expect(struck).toEqual(['cut', 'cut', 'silence', undefined]);
    expect(script.take('print')).toEqual({ do: 'garbage', ms: 1000 });
  });

  it.each([
    { when: 'result', do: 'delay', ms: -1 },
    { when: 'result', do: 'delay', ms: 1.5 },
    { when: 'result', do: 'delay', ms: Number.NaN },
    { when: 'result', do: 'cut', times: 0 },
    { when: 'result', do: 'cut', times: 2_000_000 },
  ] as const)('refuses %j', (fault) => {
    expect(() => new FaultScript([fault])).toThrow(/cannot be taken/);
  });

  it('holds 64 faults, no more', () => {
    const script = new FaultScript(Array.from({ length: 64 }, () => ({ when: 'idle', do: 'cut' }) as const));
    expect(() => script.add({ when: 'idle', do: 'cut' })).toThrow(/at most 64/);
  });

  it('shows what has not struck yet, and forgets it when it is told so', () => {
    const script = new FaultScript([{ when: 'result', do: 'cut', times: 2 }]);
    script.take('result');
    expect(script.waiting).toEqual([{ when: 'result', do: 'cut', ms: 1000, times: 1 }]);
    script.forget();
    expect([script.waiting, script.take('result')]).toEqual([[], undefined]);
  });
});
