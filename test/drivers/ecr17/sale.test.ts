import { describe, expect, it } from 'vitest';
import type { Ecr17VirtualOptions } from '../../../drivers/terminals/ecr17/virtual-options.ts';
import { reportOf, SALE, sitting } from './sitting.ts';

const HABITS: readonly (readonly [string, Partial<Ecr17VirtualOptions>])[] = [
  ['computes its check over the text alone', { lrc: 'std' }],
  ['computes its check over text and 03', { lrc: 'noext' }],
  ['computes its check over 02, text and 03', { lrc: 'stx' }],
  ['computes its check over 02 and text', { lrc: 'stx_noext' }],
  ['tells the result without an ACK in front', { acksFirst: false }],
  ['hangs up behind each answer', { hangsUp: true }],
  ['sends receipts before the result', { receipts: 'before' }],
  ['sends no receipts', { receipts: 'none' }],
  ['says nothing while it works', { progress: false }],
  ['keeps no refused payments', { savesKo: false }],
];

describe('a sale', () => {
  it.each(HABITS)(
    'is charged once by a terminal that %s, and found again as its last',
    async (_, dialect) => {
      const table = await sitting({ dialect });
      const outcome = await table.pay();
      expect(reportOf(outcome)).toMatchObject({ verdict: 'approved', kind: 'sale', amountMinor: 1234 });
      expect(table.standing()).toMatchObject([{ amountMinor: 1234 }]);
      expect(table.observer.calls).toEqual(['accepted', 'beforeAcknowledge', 'beforeEnd']);
      const last = await table.last();
      expect(last.kind === 'found' && last.report).toEqual(reportOf(outcome));
    },
  );

  it('has the STAN as number and trace, the card without its middle, and the time as the terminal wrote it', async () => {
    const table = await sitting();
    const report = reportOf(await table.pay());
    expect(report).toMatchObject({
      number: '000001',
      trace: '000001',
      responseCode: '00',
      authCode: '000001',
      terminalClock: '0050900',
      terminalId: '12345678',
      entryMode: 'contactless',
    });
    expect(`${report.maskedPan}`).toBe('512345******2346');
  });

  it('goes out once, on a call of its own, by the id of the terminal that was met', async () => {
    const table = await sitting({ device: { receipts: false } });
    const before = table.calls.length;
    await table.pay();
    expect(table.calls.length).toBe(before + 1);
    const money = table.written().filter((hex) => hex.startsWith(`02${'3132333435363738'}3058`));
    expect(money).toHaveLength(1);
  });

  it('tells the people at the counter what the terminal is doing', async () => {
    const table = await sitting();
    await table.pay();
    expect(table.observer.texts).toEqual(['PRESENTARE CARTA', 'ELABORAZIONE...']);
  });

  it('of a customer who is refused, or presses the red key, is declined with the words of the terminal', async () => {
    const table = await sitting();
    table.terminal.press('decline');
    expect(await table.pay()).toMatchObject({ kind: 'declined', report: { text: 'CARTA RIFIUTATA' } });
    table.terminal.press('abort');
    expect(await table.pay()).toMatchObject({ kind: 'declined', report: { text: 'OPERAZIONE ANNULLATA' } });
    expect(table.standing()).toEqual([]);
  });

  it('that is approved for another amount is reported at what it is', async () => {
    const table = await sitting();
    table.terminal.nextAmount(1000);
    expect(reportOf(await table.pay()).amountMinor).toBe(1000);
  });

  it('sent to a terminal that was exchanged meanwhile is refused by it, and charges nobody', async () => {
    const [ours, other] = [await sitting(), await sitting({ settings: { terminalId: '99999999' } })];
    // From now on our calls end at the other terminal.
    ours.terminal.attach = (pipe) => other.terminal.attach(pipe);
    const outcome = await ours.pay({ ...SALE });
    expect(outcome.kind).not.toBe('approved');
    expect([ours.standing(), other.standing()]).toEqual([[], []]);
  });

  it('is not started when nobody answers the call', async () => {
    const table = await sitting();
    table.terminal.stop();
    expect(await table.pay()).toMatchObject({ kind: 'not_started', code: 'LINK_REFUSED' });
  });
});

describe('a terminal that refuses X', () => {
  it('gets it three times, has charged nobody, and what to do is said', async () => {
    const table = await sitting({ dialect: { knowsX: false } });
    const outcome = await table.pay();
    expect(outcome).toMatchObject({
      kind: 'not_started',
      code: 'TERMINAL_REFUSED',
      message: expect.stringMatching(/payment_command to "P".*Nothing was charged/),
    });
    expect(table.standing()).toEqual([]);
  });

  it('sells with P, tells no amount, and is no witness of its past: recover none, no reversal', async () => {
    const table = await sitting({ dialect: { knowsX: false }, device: { payment_command: 'P' } });
    const report = reportOf(await table.pay());
    expect(report.amountMinor).toBeUndefined();
    expect(table.standing()).toMatchObject([{ amountMinor: 1234 }]);
    await table.last();
    expect(table.session.capabilities).toMatchObject({ recover: 'none', void: 'none' });
  });
});

describe('what the protocol has no message for', () => {
  it.each([
    ['a refund', { kind: 'refund' as const }],
    ['another currency', { amount: { minor: 1234, currency: 'CHF' as const } }],
    ['an amount of nothing', { amount: { minor: 0, currency: 'EUR' as const } }],
    ['nine digits of cents', { amount: { minor: 100_000_000, currency: 'EUR' as const } }],
  ])('%s is refused before anything is sent', async (_, changes) => {
    const table = await sitting();
    const before = table.written().length;
    expect(await table.pay({ ...SALE, ...changes })).toMatchObject({
      kind: 'not_started',
      code: 'TERMINAL_CANNOT',
      message: expect.stringContaining('Nothing was charged'),
    });
    expect(table.written().length).toBe(before);
  });
});

it('a refund is sent to the terminal itself, in words', async () => {
  const table = await sitting();
  expect(await table.pay({ ...SALE, kind: 'refund' })).toMatchObject({
    message: expect.stringContaining('refund at the terminal itself'),
  });
});

describe('abort', () => {
  it('writes nothing: the customer or staff press the red key', async () => {
    const table = await sitting();
    const paying = table.session.execute(SALE, table.observer, table.signal);
    await table.clock.advance(700);
    const before = table.written().length;
    table.session.abort();
    expect(table.written().length).toBe(before);
    expect((await table.wait(paying)).kind).toBe('approved');
  });
});
