import { describe, expect, it } from 'vitest';
import { openCounter, REGISTERS, result, type Turn } from './scripted-terminal.ts';

const TOTALS = '040F09270004000000002192';
const EMPTY_TOTALS = `040F42270004000000000000${`60F0F5F3${'00'.repeat(53)}`}`;

function last(...send: string[]): Turn[] {
  return [
    { expect: '0620050000000303', send: ['800000', ...send.slice(0, 1)] },
    ...send.slice(1).map((packet) => ({ expect: '800000', send: [packet] })),
    { expect: '800000' },
  ];
}

function totals(...send: string[]): Turn[] {
  return [
    { expect: '061003000000', send: ['800000', ...send.slice(0, 1)] },
    ...send.slice(1).map((packet) => ({ expect: '800000', send: [packet] })),
    { expect: '800000' },
  ];
}

async function journal(turns: readonly Turn[]) {
  const counter = await openCounter(turns);
  const reading = counter.clock.runUntil(counter.session.journal(counter.signal));
  return { counter, reading };
}

describe('the journal', () => {
  it('is the last transaction and the totals, without paper, and never the whole', async () => {
    const { counter, reading } = await journal([
      ...last(result('00'), '060F00'),
      ...totals(TOTALS, '060F00'),
    ]);
    expect(await reading).toMatchObject({
      complete: false,
      lines: [{ kind: 'unknown', verdict: 'approved', number: '0231' }],
      totals: { amountMinor: 2192 },
    });
    await counter.clock.settle();
    expect(counter.terminal.left).toBe(0);
    expect(counter.terminal.surprises).toEqual([]);
  });

  it('is empty where nothing is told; nobody is asked for paper instead', async () => {
    const { counter, reading } = await journal([...last('060F00'), ...totals('060F00')]);
    expect(await reading).toEqual({ complete: false, lines: [], totals: null });
    expect(counter.terminal.count('0620')).toBe(1);
    expect(counter.session.capabilities.totalsWithoutPaper).toBe(true);
  });

  it('has no line when nothing is stored', async () => {
    const { reading } = await journal([...last('061E0164'), ...totals(EMPTY_TOTALS, '060F00')]);
    expect(await reading).toMatchObject({ lines: [], totals: { amountMinor: 0, count: 0 } });
  });

  it('leaves out the last transaction of a batch that was closed', async () => {
    const { reading } = await journal([...last(result('00'), '060F00'), ...totals(EMPTY_TOTALS, '060F00')]);
    expect(await reading).toMatchObject({ lines: [], totals: { count: 0 } });
  });

  it.each([['848300'], ['061E0183']])(
    'has no totals where %s refuses them, and that is remembered',
    async (answer) => {
      const refused = answer.startsWith('84') ? [{ expect: '0610', send: [answer] }] : totals(answer);
      const { counter, reading } = await journal([...last(result('00'), '060F00'), ...refused]);
      expect(await reading).toMatchObject({ lines: [{ number: '0231' }], totals: null });
      expect(counter.session.capabilities.totalsWithoutPaper).toBe(false);
    },
  );

  it('trusts no totals whose dialogue ends badly', async () => {
    const { reading } = await journal([...last(result('00'), '060F00'), ...totals(TOTALS, '061E01A1')]);
    expect(await reading).toMatchObject({ totals: null });
  });

  it('is asked for later when the terminal is busy', async () => {
    const { reading } = await journal([{ expect: '0620', send: ['849C00'] }]);
    await expect(reading).rejects.toMatchObject({ code: 'TERMINAL_BUSY' });
    const then = await journal([...last('061E0164'), { expect: '0610', send: ['849C00'] }]);
    await expect(then.reading).rejects.toMatchObject({ code: 'TERMINAL_BUSY' });
  });

  it('registers again first where the terminal forgot', async () => {
    const { counter, reading } = await journal([
      ...last('061E0164'),
      { expect: '0610', send: ['800000', '061E016B'] },
      { expect: '800000' },
      ...REGISTERS,
      ...totals(TOTALS, '060F00'),
    ]);
    expect(await reading).toMatchObject({ totals: { amountMinor: 2192 } });
    expect(counter.terminal.surprises).toEqual([]);
  });

  it('does not acknowledge the result of an older payment that comes into the totals', async () => {
    const { counter, reading } = await journal([
      ...last('061E0164'),
      { expect: '0610', send: ['800000', result('00')] },
    ]);
    await expect(reading).rejects.toMatchObject({ code: 'TERMINAL_BUSY' });
    expect(counter.terminal.count('800000')).toBe(1);
  });
});
