import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/base/errors.ts';
import { toHex } from '../../../src/driver-kit/hex.ts';
import { openCounter, result, SALE, saleTurns } from './scripted-terminal.ts';

const APPROVED = result('00');
const SALE_FRAME = '100206010A040000000012344909781003';

/** How often the sale's frame was written. */
function salesWritten(counter: Awaited<ReturnType<typeof openCounter>>): number {
  return counter.pair.ours.written.filter((write) => toHex(write).startsWith(SALE_FRAME)).length;
}

describe('the money frame on a serial line', () => {
  it('is written again after a NAK, and the sale goes on', async () => {
    const counter = await openCounter(saleTurns([APPROVED], '060F00'), { kind: 'serial' });
    counter.terminal.signs.push('NAK', 'NAK');
    expect(await counter.sell()).toMatchObject({ kind: 'approved' });
    expect(salesWritten(counter)).toBe(3);
  });

  it('is written three times at most; then nothing was started', async () => {
    const counter = await openCounter([], { kind: 'serial' });
    counter.terminal.signs.push('NAK', 'NAK', 'NAK', 'NAK');
    expect(await counter.sell()).toMatchObject({ kind: 'not_started', code: 'TERMINAL_NOT_HEARD' });
    expect(salesWritten(counter)).toBe(3);
  });

  it('is never written again after silence', async () => {
    const counter = await openCounter([], { kind: 'serial' });
    counter.terminal.signs.push('');
    expect(await counter.sell()).toMatchObject({ kind: 'unknown' });
    expect(salesWritten(counter)).toBe(1);
  });

  it('is never written again after a NAK and then silence twice', async () => {
    const counter = await openCounter([], { kind: 'serial' });
    counter.terminal.signs.push('NAK', '');
    expect(await counter.sell()).toMatchObject({ kind: 'unknown' });
    expect(salesWritten(counter)).toBe(2);
  });

  it('is not written again when noise came with the NAK', async () => {
    const counter = await openCounter([], { kind: 'serial' });
    counter.terminal.signs.push('');
    const selling = counter.sell();
    await counter.clock.advance(300);
    await counter.terminal.send('raw:FF15');
    expect(await selling).toMatchObject({ kind: 'unknown' });
    expect(salesWritten(counter)).toBe(1);
  });

  it.each([20, 150])('is not written again when the answer follows the NAK after %d ms', async (ms) => {
    const counter = await openCounter([], { kind: 'serial' });
    counter.terminal.signs.push('');
    const selling = counter.session.execute(SALE, counter.observer, counter.signal);
    await counter.clock.advance(300);
    await counter.terminal.send('raw:15');
    await counter.clock.advance(ms);
    expect(salesWritten(counter)).toBe(1);
    counter.terminal.add({ expect: '800000', send: ['060F00'] });
    await counter.terminal.send('800000');
    await counter.terminal.send(APPROVED);
    expect(await counter.clock.runUntil(selling)).toMatchObject({ kind: 'approved' });
    expect(salesWritten(counter)).toBe(1);
  });

  it('is not written again for a second NAK that nobody asked for', async () => {
    const counter = await openCounter([], { kind: 'serial' });
    counter.terminal.signs.push('');
    const selling = counter.session.execute(SALE, counter.observer, counter.signal);
    await counter.clock.advance(300);
    await counter.terminal.send('raw:15');
    await counter.clock.advance(50);
    await counter.terminal.send('raw:15');
    expect(await counter.clock.runUntil(selling)).toMatchObject({ kind: 'unknown' });
    expect(salesWritten(counter)).toBe(1);
  });

  it('is not written again for a NAK that was on the line before', async () => {
    const counter = await openCounter(saleTurns([APPROVED], '060F00'), { kind: 'serial' });
    await counter.terminal.send('raw:1515');
    expect(await counter.sell()).toMatchObject({ kind: 'approved' });
    expect(salesWritten(counter)).toBe(1);
  });

  it('counts as heard when the ACK was lost and the answer came', async () => {
    const counter = await openCounter(saleTurns([APPROVED], '060F00'), { kind: 'serial' });
    counter.terminal.signs.push('');
    const selling = counter.sell();
    await counter.clock.advance(300);
    for (const packet of ['800000', APPROVED]) await counter.terminal.send(packet);
    await counter.clock.settle();
    await counter.terminal.send('060F00');
    expect(await selling).toMatchObject({ kind: 'approved' });
    expect(salesWritten(counter)).toBe(1);
  });

  it('waits for the line to fall silent, so that a late NAK is not taken for an answer', async () => {
    const counter = await openCounter([], { kind: 'serial' });
    counter.terminal.signs.push('');
    const selling = counter.sell();
    await counter.clock.advance(100);
    await counter.terminal.send('raw:15');
    expect(await selling).toMatchObject({ kind: 'unknown' });
    expect(salesWritten(counter)).toBe(1);
  });

  it('is unknown when the link ends between a NAK and the repetition', async () => {
    const counter = await openCounter([], { kind: 'serial' });
    counter.terminal.signs.push('NAK');
    counter.pair.ours.beforeWrite = () => {
      if (salesWritten(counter) === 1) throw new AppError('LINK_CLOSED', 'the link is closed');
    };
    expect(await counter.sell()).toMatchObject({ kind: 'unknown', code: 'TERMINAL_LINK_LOST' });
  });
});

describe('other frames on a serial line', () => {
  it('are repeated on NAK and on silence, at most twice', async () => {
    const turns = [{ expect: '0501', send: ['800000', '060F0100'] }, { expect: '800000' }];
    const counter = await openCounter(turns, { kind: 'serial' });
    counter.terminal.signs.push('NAK', '');
    expect(await counter.clock.runUntil(counter.session.readiness(counter.signal))).toEqual({
      kind: 'ready',
    });
    expect(counter.terminal.count('0501')).toBe(3);
  });

  it('are given up after the third; then nobody answers', async () => {
    const counter = await openCounter([], { kind: 'serial' });
    counter.terminal.signs.push('', '', '', '');
    const asking = counter.clock.runUntil(counter.session.readiness(counter.signal));
    await expect(asking).rejects.toMatchObject({ code: 'TERMINAL_NO_ANSWER' });
    expect(counter.terminal.count('0501')).toBe(3);
  });

  it('a damaged frame is answered with NAK, its repetition is taken', async () => {
    const turns = [
      { expect: '0601', send: ['800000', 'raw:1002040F0227001003FFFF'] },
      { expect: '800000', send: ['060F00'] },
    ];
    const counter = await openCounter(turns, { kind: 'serial' });
    const selling = counter.sell();
    await counter.clock.advance(300);
    expect(counter.terminal.count('NAK')).toBe(1);
    await counter.terminal.send(APPROVED);
    expect(await selling).toMatchObject({ kind: 'approved' });
  });

  it('a frame that stops for longer than T1 is answered with NAK', async () => {
    const counter = await openCounter([], { kind: 'serial' });
    await counter.terminal.send('raw:1002040F02');
    await counter.clock.advance(199);
    expect(counter.terminal.count('NAK')).toBe(0);
    await counter.clock.advance(2);
    expect(counter.terminal.count('NAK')).toBe(1);
  });

  it('an ACK and an answer in one read are two things', async () => {
    const counter = await openCounter([], { kind: 'serial' });
    counter.terminal.signs.push('');
    const asking = counter.session.readiness(counter.signal);
    await counter.clock.settle();
    await counter.terminal.send('raw:0610028000001003F51F');
    await counter.clock.settle();
    await counter.terminal.send('060F0100');
    expect(await counter.clock.runUntil(asking)).toEqual({ kind: 'ready' });
    expect(counter.terminal.count('0501')).toBe(1);
  });
});
