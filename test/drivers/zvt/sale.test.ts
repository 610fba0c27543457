import { describe, expect, it } from 'vitest';
import { toHex } from '../../../src/driver-kit/hex.ts';
import { openCounter, result, SALE, saleTurns } from './scripted-terminal.ts';

const COMMAND = '06010A04000000001234490978';
const APPROVED = result('00');
const DECLINED = result('05');
const WRONG_PIN = result('37');
const ABORTED = result('6C');
const COMPLETION = '060F00';

describe.each(['tcp', 'serial'] as const)('a sale over %s', (kind) => {
  it('is approved when the terminal approves and completes', async () => {
    const counter = await openCounter(saleTurns([APPROVED], COMPLETION), { kind });
    const outcome = await counter.sell();
    expect(outcome).toMatchObject({
      kind: 'approved',
      report: {
        verdict: 'approved',
        kind: 'sale',
        amountMinor: 1234,
        currency: 'EUR',
        number: '0231',
        trace: '000975',
      },
    });
    expect(counter.terminal.surprises).toEqual([]);
    expect(counter.observer.progressTexts).toEqual(['Insert card']);
    expect(counter.observer.outcomes).toEqual([outcome]);
  });

  it('sends the ready frame once and answers every packet once', async () => {
    const counter = await openCounter(saleTurns([APPROVED], COMPLETION, ['06D10140', '06D1040041420D']), {
      kind,
    });
    await counter.sell();
    await counter.clock.settle();
    const apdus = counter.terminal.heard.filter((packet) => packet !== 'ACK');
    expect(apdus).toEqual([COMMAND, '800000', '800000', '800000', '800000', '800000']);
    expect(counter.terminal.left).toBe(0);
  });

  it('is declined when the terminal declines, with the end as it comes', async () => {
    for (const end of ['061E0105', COMPLETION]) {
      const counter = await openCounter(saleTurns([DECLINED], end), { kind });
      expect(await counter.sell()).toMatchObject({ kind: 'declined', report: { responseCode: '05' } });
    }
  });

  it('counts the last result: wrong PIN, then approved', async () => {
    const counter = await openCounter(saleTurns([WRONG_PIN, APPROVED], COMPLETION), { kind });
    expect(await counter.sell()).toMatchObject({ kind: 'approved', report: { responseCode: '00' } });
    expect(counter.observer.reports.map((report) => report.verdict)).toEqual(['refused', 'approved']);
  });

  it.each([
    ['waits for the bank', ['04FF0104'], COMPLETION, 'unknown'],
    ['asks for the PIN again', ['04FF0102'], COMPLETION, 'unknown'],
    ['is stopped in its next try', ['04FF0104'], '061E016C', 'aborted'],
    ['has the card removed', ['04FF010B', '04FF0141'], COMPLETION, 'unknown'],
    ['has the card removed alone', ['04FF010B'], COMPLETION, 'declined'],
    ['asks to wait, as for a receipt', ['04FF010E', '04FF0117'], COMPLETION, 'declined'],
  ])('whose terminal refuses, then %s and ends without another result', async (_, behind, end, expected) => {
    const counter = await openCounter(saleTurns([WRONG_PIN, ...behind], end), { kind });
    expect(await counter.sell()).toMatchObject({ kind: expected });
  });

  it('is aborted when the customer presses the stop key', async () => {
    const counter = await openCounter(saleTurns([ABORTED], '061E016C'), { kind });
    expect(await counter.sell()).toMatchObject({ kind: 'aborted', report: { responseCode: '6C' } });
  });

  it.each([
    ['061E0105', 'declined'],
    ['061E016C', 'aborted'],
    ['061E01FF', 'unknown'],
    ['061E00', 'unknown'],
    [COMPLETION, 'unknown'],
  ])('without a result and with the end %s it is %s', async (end, expected) => {
    const counter = await openCounter(saleTurns([], end), { kind });
    expect(await counter.sell()).toMatchObject({ kind: expected });
  });

  it.each([
    ['06 1E after an approval', [APPROVED], '061E0105'],
    ['a completion with a bad code after an approval', [APPROVED], '060F02276C'],
    ['a result code that is on no list', [result('A1')], COMPLETION],
    ['a result without a code', ['040F0704000000001234'], COMPLETION],
    ['an approval that is taken back', [APPROVED, '04FF0105'], COMPLETION],
    ['an approval that names an original', [result('00', '37000606')], COMPLETION],
  ])('%s is unknown', async (_name, results, end) => {
    const counter = await openCounter(saleTurns(results, end), { kind });
    const outcome = await counter.sell();
    expect(outcome).toMatchObject({ kind: 'unknown' });
    expect(outcome).toHaveProperty('lastReport', counter.observer.reports.at(-1));
  });

  it('is not started when the terminal refuses before it accepts', async () => {
    const unknown = await openCounter([{ expect: '0601', send: ['848300'] }], { kind });
    expect(await unknown.sell()).toMatchObject({ kind: 'not_started', code: 'TERMINAL_REFUSED' });
    expect(unknown.observer.calls).toEqual([]);
  });

  it('is not started when the terminal is busy; unknown on a serial line, where it may be busy with the first of two frames', async () => {
    const busy = await openCounter([{ expect: '0601', send: ['849C00'] }], { kind });
    const expected = kind === 'tcp' ? 'not_started' : 'unknown';
    expect(await busy.sell()).toMatchObject({ kind: expected, code: 'TERMINAL_BUSY' });
  });

  it('is not started when the link had ended before', async () => {
    const counter = await openCounter([], { kind });
    counter.pair.cut('closed_by_peer', 'idle');
    expect(await counter.sell()).toMatchObject({ kind: 'not_started', code: 'LINK_CLOSED' });
    expect(counter.terminal.count('0601')).toBe(0);
  });

  it('is not started when it was stopped before the first byte', async () => {
    const counter = await openCounter([], { kind });
    expect(await counter.sell(AbortSignal.abort())).toMatchObject({
      kind: 'not_started',
      code: 'TERMINAL_STOPPED',
    });
    expect(counter.terminal.count('0601')).toBe(0);
  });

  it('is unknown when it was stopped after the first byte', async () => {
    const stop = new AbortController();
    const counter = await openCounter([{ expect: '0601', send: ['800000', APPROVED] }], { kind });
    counter.terminal.add({ expect: '800000', after: () => stop.abort() });
    expect(await counter.sell(stop.signal)).toMatchObject({
      kind: 'unknown',
      lastReport: { verdict: 'approved' },
    });
  });

  it('commits the result and the end before it answers them', async () => {
    const counter = await openCounter(saleTurns([APPROVED], COMPLETION), { kind: 'tcp' });
    await counter.sell();
    const written = counter.pair.ours.written.map(toHex).slice(-4);
    expect(written).toEqual([COMMAND, '800000', '800000', '800000']);
    expect(counter.observer.calls).toEqual(['accepted@1', 'beforeAcknowledge@2', 'beforeEnd@3']);
  });

  it('answers a command it does not know with 84 83 00 and goes on', async () => {
    const turns = [
      { expect: '0601', send: ['800000', '06D800'] },
      { expect: '848300', send: [APPROVED] },
      { expect: '800000', send: [COMPLETION] },
    ];
    const counter = await openCounter(turns, { kind });
    expect(await counter.sell()).toMatchObject({ kind: 'approved' });
  });

  it('is not confused by what an earlier dialogue left behind', async () => {
    const counter = await openCounter([], { kind });
    for (const late of [COMPLETION, DECLINED, '849C00']) await counter.terminal.send(late);
    await counter.clock.settle();
    counter.terminal.add(...saleTurns([APPROVED], COMPLETION));
    expect(await counter.sell()).toMatchObject({ kind: 'approved' });
  });

  it('takes no late result and no late end for the answer to its command', async () => {
    const turns = [
      { expect: '0601', send: [DECLINED, '061E0105'] },
      { expect: '800000', send: ['800000', '04FF010A'] },
      { expect: '800000', send: [APPROVED] },
      { expect: '800000', send: [COMPLETION] },
    ];
    const counter = await openCounter(turns, { kind });
    expect(await counter.sell()).toMatchObject({ kind: 'approved' });
    await counter.clock.settle();
    expect(counter.observer.reports).toHaveLength(1);
    expect(counter.terminal.count('800000')).toBe(4);
  });

  it('is not confused by duplicates', async () => {
    const turns = [
      { expect: '0601', send: ['800000', '800000', APPROVED, APPROVED] },
      { expect: '800000' },
      { expect: '800000', send: [COMPLETION, COMPLETION] },
    ];
    const counter = await openCounter(turns, { kind });
    expect(await counter.sell()).toMatchObject({ kind: 'approved' });
    expect(counter.terminal.count('0601')).toBe(1);
  });
});

describe('the receipts of a sale', () => {
  it('are kept by their type from text blocks, card numbers masked', async () => {
    const block = (type: string, text: string) => {
      const line = toHex(new TextEncoder().encode(text));
      const inner = `25${hexLength(line.length / 2 + 2)}07${hexLength(line.length / 2)}${line}`;
      const body = `1F0701${type}${inner}`;
      return `06D3${hexLength(body.length / 2 + 2)}06${hexLength(body.length / 2)}${body}`;
    };
    const prints = [block('01', 'merchant 4111111111111111'), block('02', 'customer'), block('03', 'office')];
    const counter = await openCounter(saleTurns([APPROVED], COMPLETION, prints));
    expect(await counter.sell()).toMatchObject({
      receipts: { merchant: 'merchant 411111******1111', customer: 'customer' },
    });
  });

  it('are told apart from print lines by their last line and their words', async () => {
    const line = (attribute: string, text: string) =>
      `06D1${hexLength(text.length + 1)}${attribute}${toHex(new TextEncoder().encode(text))}`;
    const prints = [
      line('00', 'K u n d e n b e l e g'),
      line('81', 'bye'),
      line('40', 'shop'),
      line('81', 'end'),
    ];
    const counter = await openCounter(saleTurns([APPROVED], COMPLETION, prints));
    expect(await counter.sell()).toMatchObject({
      receipts: { customer: 'K u n d e n b e l e g\nbye', merchant: `${' '.repeat(18)}shop\nend` },
    });
  });

  function hexLength(length: number): string {
    return length.toString(16).padStart(2, '0');
  }
});

describe('the transcript of a sale', () => {
  it('holds every packet, and neither tracks nor card numbers nor the password', async () => {
    const card = '22F0F8411111111111111123F0F84111111111111111'.slice(0, 44);
    const counter = await openCounter(saleTurns([result('00', card)], COMPLETION), {
      options: { password: '987654' },
    });
    await counter.sell();
    const text = counter.transcript.join('\n');
    expect(counter.transcript).toHaveLength(4 + 8);
    expect(text).toContain('received Status-Information');
    expect(text).toContain('411111EEEEEE1111');
    expect(text).not.toMatch(/4111111111111111|987654/);
  });
});

it('a sale in another currency than the terminal’s is not started', async () => {
  const counter = await openCounter([]);
  const command = { ...SALE, amount: { minor: 1, currency: 'CHF' } } as const;
  const outcome = await counter.session.execute(command, counter.observer, counter.signal);
  expect(outcome).toMatchObject({ kind: 'not_started', code: 'INVARIANT_BROKEN' });
});
