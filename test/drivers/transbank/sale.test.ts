import { describe, expect, it } from 'vitest';
import { atTheTable, framed, RecordingObserver, SALE, signal, sold } from './scripted-terminal.ts';

/** A sale that is on its way and was acknowledged. */
async function selling() {
  const table = atTheTable();
  const session = await table.opened();
  const outcome = session.execute(SALE, table.observer, signal);
  await table.gap();
  await table.ack();
  return { ...table, session, outcome };
}

const FRAME = '0200|13990|A1B2C3|||1|';

describe('a sale', () => {
  it('goes out with our ticket and asks for progress; each frame is acknowledged, the result once it is stored', async () => {
    const { outcome, says, written, observer } = await selling();
    await says('0900|78|', '0900|81|', '0900|82|', sold());
    expect(await outcome).toMatchObject({
      kind: 'approved',
      report: {
        reference: 'A1B2C3',
        amountMinor: 13_990,
        authCode: '252985',
        number: '000123',
        trace: '000123',
        terminalId: '75001637',
        merchantId: '597029414300',
        cardScheme: 'Visa',
        terminalClock: '0726113748',
        responseCode: '00',
      },
    });
    expect(String(observer.reports[0]?.maskedPan)).toBe('************0461');
    expect(written()).toEqual([FRAME, 'ACK', 'ACK', 'ACK', 'ACK']);
    expect(observer.texts).toEqual(['Waiting for the card', 'Entering the PIN', 'Asking the bank']);
  });

  it('takes the acknowledgement and the result in one read', async () => {
    const table = atTheTable();
    const session = await table.opened();
    const outcome = session.execute(SALE, table.observer, signal);
    await table.gap();
    await table.raw(Uint8Array.of(0x06), framed(sold()));
    expect((await outcome).kind).toBe('approved');
  });

  it.each([
    ['garbage in front of it', (frame: Uint8Array) => Uint8Array.of(0xff, 0x00, 0x41, ...frame)],
    ['single bytes', (frame: Uint8Array) => frame],
  ])('takes a result with %s', async (how, bent) => {
    const { outcome, raw } = await selling();
    const bytes = bent(framed(sold()));
    if (how === 'single bytes') for (const byte of bytes) await raw(Uint8Array.of(byte));
    else await raw(bytes);
    expect((await outcome).kind).toBe('approved');
  });

  it('refuses a result whose first character was cut, and takes it when it is said again', async () => {
    const { outcome, raw, says, written, clock } = await selling();
    await raw(framed(sold()).filter((_, index) => index !== 1));
    await clock.advance(10);
    expect(written()).toEqual([FRAME, 'NAK']);
    await says(sold());
    expect((await outcome).kind).toBe('approved');
  });

  it('is written once, whatever silence follows, and then unknown', async () => {
    const table = atTheTable();
    const session = await table.opened();
    const outcome = session.execute(SALE, table.observer, signal);
    await table.clock.advance(200_000);
    expect(await outcome).toMatchObject({ kind: 'unknown', code: 'TERMINAL_NO_ANSWER' });
    expect(table.written()).toEqual([FRAME]);
  });

  it('is repeated on NAK only, three times in all; three NAKs prove nothing, for a busy terminal says NAK, too', async () => {
    const table = atTheTable();
    const session = await table.opened();
    const outcome = session.execute(SALE, table.observer, signal);
    await table.gap();
    for (let write = 0; write < 3; write += 1) {
      await table.nak();
      await table.gap();
    }
    expect(table.written()).toEqual([FRAME, FRAME, FRAME]);
    await table.says(sold());
    expect((await outcome).kind).toBe('approved');
  });

  it('is unknown after three NAKs and silence', async () => {
    const table = atTheTable();
    const session = await table.opened();
    const outcome = session.execute(SALE, table.observer, signal);
    await table.gap();
    for (let write = 0; write < 3; write += 1) {
      await table.nak();
      await table.gap();
    }
    await table.clock.advance(200_000);
    expect((await outcome).kind).toBe('unknown');
  });

  it('that the core could not store is not answered, and nothing more is said', async () => {
    const table = atTheTable();
    const session = await table.opened();
    const observer = new RecordingObserver();
    observer.stores = false;
    const outcome = session.execute(SALE, observer, signal);
    await table.gap();
    await table.ack();
    await table.says(sold(), sold());
    expect(await outcome).toMatchObject({ kind: 'unknown', code: 'NOT_STORED' });
    expect(table.written()).toEqual([FRAME]);
  });
});

describe('a result that says yes', () => {
  it.each([
    ['for less', { 6: '13989' }],
    ['for more', { 6: '13991' }],
    ['without an amount', { 6: '' }],
    ['without an authorisation', { 5: '      ' }],
    ['with a minus', { 6: '-13990' }],
  ])('%s contradicts itself: it is stored, acknowledged and unknown', async (_, changes) => {
    const { outcome, says, written, observer } = await selling();
    await says(sold(changes));
    expect(await outcome).toMatchObject({ kind: 'unknown', code: 'TERMINAL_CONTRADICTION' });
    expect(observer.reports).toMatchObject([{ verdict: 'unclear' }]);
    expect(written()).toEqual([FRAME, 'ACK']);
  });

  it('without a ticket proves nothing', async () => {
    const { outcome, says } = await selling();
    await says(sold({ 4: '      ' }));
    expect(await outcome).toMatchObject({ kind: 'unknown', code: 'TERMINAL_CONTRADICTION' });
  });

  it.each(['00A1B2C3', '  A1B2C3', 'A1B2C3  '])(
    'has our ticket however it is filled: "%s"',
    async (ticket) => {
      const { outcome, says } = await selling();
      await says(sold({ 4: ticket }));
      expect((await outcome).kind).toBe('approved');
    },
  );

  it.each(['A1B2C4', 'a1b2c3', 'XA1B2C3', '1B2C3'])(
    'for another ticket is never acknowledged and never ours: %s',
    async (ticket) => {
      const { outcome, says, written, clock, observer } = await selling();
      await says(sold({ 4: ticket }));
      await clock.advance(200_000);
      expect(await outcome).toMatchObject({ kind: 'unknown', code: 'TERMINAL_CONTRADICTION' });
      expect([written(), observer.reports]).toEqual([[FRAME], []]);
    },
  );

  it('of an older payment does not hide ours behind it', async () => {
    const { outcome, says, written } = await selling();
    await says(sold({ 4: 'A00001' }), sold());
    expect(await outcome).toMatchObject({ kind: 'approved', report: { reference: 'A1B2C3' } });
    expect(written()).toEqual([FRAME, 'ACK']);
  });

  it('and a tip is told with its tip', async () => {
    const { outcome, says } = await selling();
    await says(sold({ 6: '15000', 18: '1010' }));
    expect(await outcome).toMatchObject({
      kind: 'approved',
      report: { amountMinor: 15_000, tipMinor: 1010 },
    });
  });
});

describe('a result that is said again', () => {
  it('because our acknowledgement was lost is acknowledged again, once it is on disk', async () => {
    const { session, outcome, says, written, ack, clock, observer } = await selling();
    await says(sold());
    await outcome;
    await clock.advance(10_000);
    await says(sold());
    const readiness = session.readiness(signal);
    await clock.advance(1);
    expect(written()).toEqual([FRAME, 'ACK', 'ACK', '0100']);
    await ack();
    expect(await readiness).toEqual({ kind: 'ready' });
    expect(observer.reports).toHaveLength(1);
  });

  it('and that nobody here has stored is not acknowledged by a question', async () => {
    const table = atTheTable();
    const session = await table.opened();
    await table.says(sold({ 4: 'A00001' }));
    const readiness = session.readiness(signal);
    await table.clock.advance(1);
    expect(await readiness).toMatchObject({ kind: 'wait', code: 'TERMINAL_BUSY' });
    expect(table.written()).toEqual([]);
  });

  it('into a poll is not taken for its acknowledgement', async () => {
    const table = atTheTable();
    const session = await table.opened();
    const readiness = session.readiness(signal);
    await table.clock.advance(1);
    await table.says(sold({ 4: 'A00001' }));
    await table.clock.advance(1);
    expect(await readiness).toMatchObject({ kind: 'wait', code: 'TERMINAL_BUSY' });
    expect(table.written()).toEqual(['0100']);
  });
});

describe('the transcript', () => {
  it('holds neither the account nor anything twice', async () => {
    const { outcome, says, transcript } = await selling();
    await says(sold({ 13: '3000000000000000000' }));
    await outcome;
    const text = transcript.join('\n');
    expect(text).toContain('A1B2C3');
    expect(text).not.toContain('3000000000000000000');
    expect(text).not.toContain('"fields"');
  });
});
