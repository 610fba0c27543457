import { describe, expect, it } from 'vitest';
import type { CloseOutcome } from '../../../src/terminal/ports.ts';
import {
  type Counter,
  type CounterOptions,
  openCounter,
  REGISTERS,
  result,
  saleTurns,
  type Turn,
} from './scripted-terminal.ts';

const TOTALS = '040F09270004000000002192';
const COMPLETION = '060F00';

async function close(turns: readonly Turn[], options: CounterOptions = {}) {
  const counter = await openCounter(turns, options);
  const texts: string[] = [];
  const closing = counter.session.endOfDay((text) => texts.push(text), counter.signal);
  return { counter, texts, closing, ended: () => counter.clock.runUntil<CloseOutcome>(closing) };
}

function closeTurns(results: readonly string[], end: string, prints: readonly string[] = []): Turn[] {
  return saleTurns(results, end, prints, '0650');
}

function sentOnce(counter: Counter): void {
  expect(counter.terminal.count('0650')).toBe(1);
}

describe.each(['tcp', 'serial'] as const)('an end of day over %s', (kind) => {
  it('is closed with totals, the closing slip and its texts', async () => {
    const slip = ['06D1050041424344', '06D105814B617373'];
    const { counter, texts, ended } = await close(closeTurns([TOTALS], COMPLETION, slip), {
      kind,
      options: { password: '123456' },
    });
    expect(await ended()).toEqual({
      kind: 'closed',
      totals: { amountMinor: 2192 },
      receipts: { merchant: 'ABCD\nKass' },
    });
    expect(texts).toEqual(['Insert card']);
    expect(counter.terminal.count('065003123456')).toBe(1);
    await counter.clock.settle();
    expect(counter.terminal.left).toBe(0);
    sentOnce(counter);
  });

  it('keeps the slip of the administration, which a payment leaves out', async () => {
    const slip = '06D30F060D1F07010325070705' + '4142434445';
    const { ended } = await close(closeTurns([TOTALS], COMPLETION, [slip]), { kind });
    expect(await ended()).toMatchObject({ kind: 'closed', receipts: { merchant: 'ABCDE' } });
  });

  it('is closed without totals when the terminal tells none', async () => {
    const { ended } = await close(closeTurns([], COMPLETION), { kind });
    expect(await ended()).toEqual({ kind: 'closed', totals: null, receipts: {} });
  });

  it('is closed, too, when the terminal updates its software afterwards, and says so', async () => {
    const { texts, ended } = await close(closeTurns([TOTALS], '060F0227E0'), { kind });
    expect(await ended()).toMatchObject({ kind: 'closed', totals: { amountMinor: 2192 } });
    expect(texts.at(-1)).toMatch(/updates its software/);
  });

  it.each([
    ['77', 'TERMINAL_REFUSED'],
    ['9C', 'TERMINAL_BUSY'],
    ['A3', 'TERMINAL_REFUSED'],
    ['6A', 'TERMINAL_REFUSED'],
    ['6C', 'TERMINAL_REFUSED'],
  ])('that ends with 06 1E %s is refused', async (code, expected) => {
    const { ended } = await close(closeTurns([], `061E01${code}`), { kind });
    expect(await ended()).toMatchObject({
      kind: 'refused',
      code: expected,
      message: expect.stringContaining(code),
    });
  });

  it.each([
    ['848300', 'TERMINAL_REFUSED'],
    ['847700', 'TERMINAL_REFUSED'],
  ])('that is answered with %s is refused', async (answer, code) => {
    const { ended } = await close([{ expect: '0650', send: [answer] }], { kind });
    expect(await ended()).toMatchObject({ kind: 'refused', code });
  });

  it('that is answered with "busy" is refused; unknown on a serial line, where it may be busy with the first of two frames', async () => {
    const { ended } = await close([{ expect: '0650', send: ['849C00'] }], { kind });
    const expected = kind === 'tcp' ? 'refused' : 'unknown';
    expect(await ended()).toMatchObject({ kind: expected, code: 'TERMINAL_BUSY' });
  });

  it.each([
    ['06 1E with a code on no list', [], '061E017D'],
    ['06 1E without a code', [], '061E00'],
    ['06 1E E0, which is no good end', [], '061E01E0'],
    ['06 1E after good totals', [TOTALS], '061E0177'],
    ['06 0F with a code', [TOTALS], '060F0227A1'],
    ['06 0F after totals that say no', ['040F022777'], COMPLETION],
  ])('with %s is unknown', async (_name, results, end) => {
    const { ended } = await close(closeTurns(results, end), { kind });
    expect(await ended()).toMatchObject({ kind: 'unknown' });
  });

  it.each([
    ['the command', [], 'TERMINAL_NO_ANSWER'],
    ['80 00 00', [{ expect: '0650', send: ['800000'] }], 'TERMINAL_NO_ANSWER'],
    [
      'the totals',
      [{ expect: '0650', send: ['800000', TOTALS] }, { expect: '800000' }],
      'TERMINAL_NO_ANSWER',
    ],
  ] as const)(
    'with silence after %s is unknown, and the command went out once',
    async (_step, turns, code) => {
      const { counter, ended } = await close(turns, { kind });
      expect(await ended()).toMatchObject({ kind: 'unknown', code });
      sentOnce(counter);
    },
  );

  it('with a cut in between is unknown', async () => {
    const { counter, ended } = await close([], { kind });
    counter.terminal.add({ expect: '0650', send: ['800000'], after: () => counter.pair.cut() });
    expect(await ended()).toMatchObject({ kind: 'unknown', code: 'TERMINAL_LINK_LOST' });
  });

  it('waits as long as a payment: a packet every three minutes is enough', async () => {
    const { counter, closing } = await close([{ expect: '0650', send: ['800000'] }], { kind });
    await counter.clock.advance(179_000);
    counter.terminal.add({ expect: '800000' });
    await counter.terminal.send('04FF0117');
    await counter.clock.advance(179_000);
    counter.terminal.add({ expect: '800000' });
    await counter.terminal.send(COMPLETION);
    expect(await counter.clock.runUntil(closing)).toMatchObject({ kind: 'closed' });
  });

  it('of a terminal that forgot its registration is registered and asked for again', async () => {
    const turns = [
      ...closeTurns([], '061E016B'),
      ...REGISTERS,
      { expect: '0650', send: ['800000', COMPLETION] },
      { expect: '800000' },
    ];
    const { counter, ended } = await close(turns, { kind });
    expect(await ended()).toMatchObject({ kind: 'closed' });
    expect(counter.terminal.surprises.filter((packet) => packet !== 'ACK')).toEqual([]);
  });

  it('is asked for again once only', async () => {
    const turns = [...closeTurns([], '061E016B'), ...REGISTERS, ...closeTurns([], '061E016B')];
    const { ended } = await close(turns, { kind });
    expect(await ended()).toMatchObject({ kind: 'refused', code: 'TERMINAL_NOT_REGISTERED' });
  });

  it('does not acknowledge the result of an older payment that comes into it', async () => {
    const { counter, ended } = await close([{ expect: '0650', send: ['800000', result('00')] }], { kind });
    expect(await ended()).toMatchObject({ kind: 'unknown', code: 'TERMINAL_BUSY' });
    expect(counter.terminal.count('800000')).toBe(0);
  });

  it('is not stopped by abort, which is for payments', async () => {
    const { counter, closing } = await close([{ expect: '0650', send: ['800000'] }], { kind });
    await counter.clock.advance(1000);
    counter.session.abort();
    await counter.clock.advance(1000);
    expect(counter.terminal.count('06B0')).toBe(0);
    counter.terminal.add({ expect: '800000' });
    await counter.terminal.send(COMPLETION);
    expect(await counter.clock.runUntil(closing)).toMatchObject({ kind: 'closed' });
  });

  it('is unknown when the session is closed in the middle of it, and nothing more is written', async () => {
    const { counter, closing } = await close([{ expect: '0650', send: ['800000'] }], { kind });
    await counter.clock.advance(1000);
    await counter.session.close();
    expect(await counter.clock.runUntil(closing)).toMatchObject({
      kind: 'unknown',
      code: 'TERMINAL_LINK_LOST',
    });
  });
});

it('an end of day that was stopped is unknown after the first byte, and refused before it', async () => {
  const counter = await openCounter([{ expect: '0650', send: ['800000'] }]);
  const stop = new AbortController();
  const closing = counter.session.endOfDay(() => undefined, stop.signal);
  await counter.clock.advance(1000);
  stop.abort();
  expect(await counter.clock.runUntil(closing)).toMatchObject({ kind: 'unknown', code: 'TERMINAL_STOPPED' });
  const never = counter.session.endOfDay(() => undefined, AbortSignal.abort());
  expect(await counter.clock.runUntil(never)).toMatchObject({ kind: 'refused', code: 'TERMINAL_STOPPED' });
  sentOnce(counter);
});

it('an end of day on a link that has ended is refused: the batch is open', async () => {
  const counter = await openCounter([]);
  counter.pair.cut('closed_by_peer', 'idle');
  const closing = counter.session.endOfDay(() => undefined, counter.signal);
  expect(await counter.clock.runUntil(closing)).toMatchObject({ kind: 'refused', code: 'LINK_CLOSED' });
});

it('an end of day never throws, whatever its listener does', async () => {
  const counter = await openCounter(closeTurns([TOTALS], COMPLETION));
  const closing = counter.session.endOfDay(() => {
    throw new Error('the display is gone');
  }, counter.signal);
  expect(await counter.clock.runUntil(closing)).toMatchObject({ kind: 'unknown', code: 'DRIVER_FAILED' });
});
