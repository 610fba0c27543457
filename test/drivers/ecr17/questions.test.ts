import { describe, expect, it } from 'vitest';
import { driver } from '../../../drivers/terminals/ecr17/driver.ts';
import { AppError } from '../../../src/base/errors.ts';
import { fromHex } from '../../../src/driver-kit/hex.ts';
import { memoryLinkPair } from '../../support/memory-link.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { ACK, approval, frame, NAK, refusal, STATUS, scripted } from './scripted.ts';
import { contextOf, reportOf, sitting } from './sitting.ts';

describe('the last result', () => {
  it('is the same report for the same bytes, and another for every other transaction', async () => {
    const replies = [
      approval(),
      approval({ stan: '000044' }),
      approval({ amount: '00001235' }),
      approval({ time: '2111521' }),
      approval({ tid: '00000000' }),
      refusal('NEGATA', '000043'),
      approval().slice(0, 71),
    ];
    let turn = 0;
    const table = await scripted((text) =>
      text.includes('0G') ? [ACK, frame(replies[turn >> 1] ?? '')] : [],
    );
    const seen: string[] = [];
    for (turn = 0; turn < replies.length * 2; turn += 1) {
      const last = await table.last();
      seen.push(JSON.stringify(last.kind === 'found' ? last.report : last));
    }
    for (let index = 0; index < seen.length; index += 2) expect(seen[index + 1]).toBe(seen[index]);
    expect(new Set(seen).size).toBe(replies.length);
  });

  it.each([
    ['a sale with its amount', approval(), { kind: 'sale', verdict: 'approved', amountMinor: 1234 }],
    ['a payment by P, which may be a card verification', approval().slice(0, 71), { kind: 'unknown' }],
    ['a reversal', `${approval().slice(0, 75)}${'0'.repeat(9)}`, { kind: 'void', verdict: 'approved' }],
    ['a refused payment', refusal('NEGATA'), { verdict: 'refused', text: 'NEGATA', number: '000044' }],
    ['a pre-authorisation', `123456780e${approval().slice(10, 71)}`, { kind: 'preauthorisation' }],
    ['a capture', `123456780c${approval().slice(10, 74)}`, { kind: 'capture' }],
  ])('is reported as what it is: %s', async (_, reply, expected) => {
    const table = await scripted((text) => (text.includes('0G') ? [ACK, frame(reply)] : []));
    expect(await table.last()).toMatchObject({ kind: 'found', report: expected });
  });

  it('of nothing at all is empty', async () => {
    const table = await sitting();
    expect(await table.last()).toEqual({ kind: 'empty' });
  });

  it('that is refused proves nothing: unreadable, and the grade is none until it is told', async () => {
    let knows = false;
    const table = await scripted((text) =>
      text.includes('0G') ? (knows ? [ACK, frame(approval())] : [NAK]) : [],
    );
    expect((await table.last()).kind).toBe('unreadable');
    expect(table.session.capabilities.recover).toBe('none');
    knows = true;
    expect((await table.last()).kind).toBe('found');
    expect(table.session.capabilities.recover).toBe('last_only');
  });

  it('that is not told at all rejects, and is no answer', async () => {
    const table = await sitting({ dialect: { lastResult: 'silent' } });
    await expect(table.last()).rejects.toThrowError(AppError);
  });

  it('is of what a till commanded: what staff type is not in it, and shows in the sum', async () => {
    const table = await sitting();
    const sold = reportOf(await table.pay());
    table.terminal.typeByHand({ kind: 'sale', amountMinor: 500 });
    const last = await table.last();
    expect(last.kind === 'found' && last.report.trace).toBe(sold.trace);
    expect(await table.wait(table.session.totals(table.signal))).toEqual({
      amountMinor: 1734,
      currency: 'EUR',
    });
  });

  it('of a stopped payment without a STAN has no number', async () => {
    const table = await sitting({ dialect: { abortTakesStan: false } });
    table.terminal.press('abort');
    await table.pay();
    const last = await table.last();
    expect(last.kind === 'found' && [last.report.verdict, last.report.number]).toEqual([
      'refused',
      undefined,
    ]);
  });
});

describe('readiness', () => {
  it('of status 2 is ready, with the clock of the terminal to the minute', async () => {
    const table = await sitting();
    expect(await table.wait(table.session.readiness(table.signal))).toEqual({
      kind: 'ready',
      terminalClock: '0105090000',
    });
  });

  it.each([
    ['0', 'person', 'TERMINAL_NOT_CONFIGURED'],
    ['1', 'person', 'TERMINAL_NO_PARAMETERS'],
    ['3', 'person', 'TERMINAL_NOT_ALIGNED'],
    ['4', 'person', 'TERMINAL_KEYS_MISSING'],
    ['5', 'wait', 'TERMINAL_UPDATING'],
    ['6', 'wait', 'TERMINAL_UPDATING'],
    ['9', 'person', 'TERMINAL_STATUS_UNKNOWN'],
  ])('of status %s is %s, and says that nobody was charged', async (status, kind, code) => {
    const table = await sitting({ dialect: { status } });
    const readiness = await table.wait(table.session.readiness(table.signal));
    expect(readiness).toMatchObject({ kind, code, message: expect.stringContaining('Nothing was charged') });
  });

  it('of a status that this maker means otherwise is ready where the device says so', async () => {
    const table = await sitting({ dialect: { status: '5' }, device: { ready_statuses: ['2', '5'] } });
    expect((await table.wait(table.session.readiness(table.signal))).kind).toBe('ready');
  });

  it('of a terminal that refuses the question is to wait: it is busy', async () => {
    let busy = false;
    const table = await scripted((text) => (busy && text.endsWith('0s') ? [NAK] : []));
    busy = true;
    expect(await table.wait(table.session.readiness(table.signal))).toMatchObject({ code: 'TERMINAL_BUSY' });
  });
});

describe('a question', () => {
  it('never acknowledges the result of a payment that somebody else has asked for', async () => {
    const table = await scripted((text) => (text.includes('0T') ? [ACK, frame(approval())] : []));
    await expect(table.wait(table.session.totals(table.signal))).rejects.toMatchObject({
      code: 'TERMINAL_BUSY',
    });
    expect(table.heard).not.toContain(ACK);
  });

  it('for totals that is refused says so, and is not promised any more', async () => {
    const table = await sitting({ dialect: { totals: 'refused' } });
    expect(await table.wait(table.session.totals(table.signal))).toBeNull();
    expect(table.session.capabilities.totalsWithoutPaper).toBe(false);
  });

  it('speaks by the check that the terminal has shown in its first packet', async () => {
    const table = await sitting({ dialect: { lrc: 'stx' } });
    const before = table.written().length;
    await table.wait(table.session.identify(table.signal));
    expect(table.written().slice(before)).toHaveLength(2);
  });
});

describe('opening', () => {
  async function failed(answer: readonly string[], options = {}): Promise<unknown> {
    const clock = new VirtualClock();
    const { ours, theirs } = memoryLinkPair({ kind: 'tcp' });
    void (async () => {
      for await (const _ of theirs.bytes)
        for (const hex of answer) await theirs.write(fromHex(hex) ?? new Uint8Array());
    })();
    const dial = () => Promise.reject(new AppError('LINK_REFUSED', 'no'));
    const context = contextOf({ clock, transcript: [], dial, options });
    const { signal } = new AbortController();
    return clock.runUntil(driver.open(ours, context, signal).catch((error: unknown) => error));
  }

  it('refuses a terminal of another id than the configured one', async () => {
    const error = await failed([ACK, frame(STATUS)], { terminal_id: '99999999' });
    expect(error).toMatchObject({ code: 'TERMINAL_GARBLED', message: expect.stringContaining('99999999') });
  });

  it('tells a terminal that refuses the question: its id may be another one', async () => {
    expect(await failed([NAK], { terminal_id: '11111111' })).toMatchObject({
      code: 'TERMINAL_REFUSED',
      message: expect.stringContaining('terminal_id'),
    });
  });

  it.each([
    ['15', /Concert/],
    ['0284', /./],
    ['848300', /ZVT/],
  ])('tells a terminal of another protocol by %s', async (hex, words) => {
    const error = await failed([hex]);
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ message: expect.stringMatching(words) });
  });
});
