import { describe, expect, it } from 'vitest';
import type { MoneyCommand } from '../../../src/terminal/ports.ts';
import { atTheTable, SALE, signal, sold } from './scripted-terminal.ts';

describe('an opening', () => {
  it('is a poll, and nothing else', async () => {
    const table = atTheTable();
    const session = table.opening();
    await table.clock.advance(301);
    await table.ack();
    await session;
    expect(table.written()).toEqual(['0100']);
  });

  it('does not take the late acknowledgement of an older command for its own', async () => {
    const table = atTheTable();
    const session = table.opening();
    session.catch(() => undefined);
    await table.ack();
    await table.clock.advance(7000);
    await expect(session).rejects.toMatchObject({ code: 'TERMINAL_NOT_HEARD', retry: 'safe' });
  });

  it('to a terminal that refuses everything says what may be wrong, and may be tried again', async () => {
    const table = atTheTable();
    const session = table.opening();
    session.catch(() => undefined);
    await table.clock.advance(300);
    for (let poll = 0; poll < 3; poll += 1) {
      await table.clock.advance(1);
      await table.nak();
    }
    await expect(session).rejects.toMatchObject({
      code: 'TERMINAL_WRONG_PROTOCOL',
      retry: 'safe',
      message: expect.stringMatching(/in a payment just now.*integrated mode.*another version/),
    });
  });

  it('to a device that is set to another currency says so, and writes nothing', async () => {
    const table = atTheTable({}, 'EUR');
    await expect(table.opening()).rejects.toMatchObject({
      code: 'TERMINAL_CANNOT',
      message: expect.stringContaining('CLP'),
    });
    expect(table.written()).toEqual([]);
  });
});

describe('what this terminal cannot do', () => {
  const refused: readonly (readonly [string, MoneyCommand, string])[] = [
    ['a refund', { ...SALE, kind: 'refund' }, 'cannot give money back without the sale'],
    ['49 pesos', { ...SALE, amount: { minor: 49, currency: 'CLP' } }, 'no less than 50'],
    ['too many pesos', { ...SALE, amount: { minor: 1_000_000_000, currency: 'CLP' } }, 'no more than'],
    ['euros', { ...SALE, amount: { minor: 1000, currency: 'EUR' } }, 'CLP only'],
    ['a ticket that it cannot carry', { ...SALE, ticket: 'A1B2C3D' }, 'no ticket'],
  ];

  it.each(refused)('%s is refused in words, and nothing is written', async (_, command, words) => {
    const table = atTheTable();
    const session = await table.opened();
    const outcome = await session.execute(command, table.observer, signal);
    expect(outcome).toMatchObject({
      kind: 'not_started',
      message: expect.stringContaining(words),
    });
    expect(outcome).toMatchObject({ message: expect.stringContaining('was not charged') });
    expect(table.written()).toEqual([]);
  });

  it('an abort writes nothing: staff press the stop key', async () => {
    const table = atTheTable();
    const session = await table.opened();
    const outcome = session.execute(SALE, table.observer, signal);
    await table.gap();
    await table.ack();
    session.abort();
    await table.says(sold({ 1: '07', 5: '', 6: '13990' }));
    expect((await outcome).kind).toBe('aborted');
    expect(table.written()).toEqual(['0200|13990|A1B2C3|||1|', 'ACK']);
  });
});

describe('readiness', () => {
  it('is a poll that is acknowledged', async () => {
    const table = atTheTable();
    const session = await table.opened();
    const readiness = session.readiness(signal);
    await table.clock.advance(1);
    await table.ack();
    expect(await readiness).toEqual({ kind: 'ready' });
    expect(table.written()).toEqual(['0100']);
  });

  it('of a terminal that refuses the poll is: wait, it is busy', async () => {
    const table = atTheTable();
    const session = await table.opened();
    const readiness = session.readiness(signal);
    for (let poll = 0; poll < 3; poll += 1) {
      await table.clock.advance(1);
      await table.nak();
    }
    expect(await readiness).toMatchObject({ kind: 'wait', code: 'TERMINAL_BUSY' });
  });

  it('of a terminal that says nothing rejects: it may be gone', async () => {
    const table = atTheTable();
    const session = await table.opened();
    const readiness = session.readiness(signal);
    readiness.catch(() => undefined);
    await table.clock.advance(7000);
    await expect(readiness).rejects.toMatchObject({ code: 'TERMINAL_NOT_HEARD', retry: 'safe' });
  });
});

/** A sale was refused because keys are missing; then it is asked whether the terminal is ready. */
async function withoutKeys(options = {}) {
  const table = atTheTable(options);
  const session = await table.opened();
  const outcome = session.execute(SALE, table.observer, signal);
  await table.gap();
  await table.ack();
  await table.says(sold({ 1: '26', 5: '', 6: '0' }));
  await outcome;
  table.pair.ours.written.length = 0;
  const readiness = session.readiness(signal);
  await table.clock.advance(1);
  await table.ack();
  await table.clock.advance(1);
  return { ...table, session, readiness };
}

describe('keys that are missing (26)', () => {
  it('are loaded once, and the terminal is ready', async () => {
    const { session, readiness, ack, says, written, clock } = await withoutKeys();
    await ack();
    await says('0810|00|597029414300|75001637');
    expect(await readiness).toEqual({ kind: 'ready' });
    const again = session.readiness(signal);
    await clock.advance(1);
    await ack();
    expect(await again).toEqual({ kind: 'ready' });
    expect(written()).toEqual(['0100', '0800', 'ACK', '0100']);
  });

  it('that do not come are a person’s, and are not asked for again by a heartbeat', async () => {
    const { session, readiness, ack, says, written, clock } = await withoutKeys();
    await ack();
    await says('0810|03|597029414300|75001637');
    expect(await readiness).toMatchObject({ kind: 'person', code: 'TERMINAL_KEYS' });
    for (const [waits, kind] of [
      [15_000, 'person'],
      [60_000, 'ready'],
    ] as const) {
      await clock.advance(waits);
      const again = session.readiness(signal);
      await clock.advance(1);
      await ack();
      expect((await again).kind).toBe(kind);
    }
    expect(written().filter((word) => word === '0800')).toHaveLength(1);
  });

  it('are left to a person where the options say so', async () => {
    const { readiness, written } = await withoutKeys({ load_keys: false });
    expect(await readiness).toMatchObject({ kind: 'person', message: expect.stringContaining('keys') });
    expect(written()).toEqual(['0100']);
  });
});

describe('an end of day', () => {
  async function closing() {
    const table = atTheTable();
    const session = await table.opened();
    const outcome = session.endOfDay(() => undefined, signal);
    await table.gap();
    await table.ack();
    return { ...table, outcome };
  }

  it('goes out once and is closed on 00; the terminal tells no sums', async () => {
    const { outcome, says, written } = await closing();
    await says('0510|00|597029414300|75001637|');
    expect(await outcome).toEqual({ kind: 'closed', totals: null, receipts: {} });
    expect(written()).toEqual(['0500||', 'ACK']);
  });

  it.each(['01', '12', '24'])('is refused on the explicit word %s', async (code) => {
    const { outcome, says } = await closing();
    await says(`0510|${code}|597029414300|75001637|`);
    expect(await outcome).toMatchObject({ kind: 'refused', message: expect.stringContaining('still open') });
  });

  it.each(['02', '03', '65', '94', '95', '99'])('is unknown on %s', async (code) => {
    const { outcome, says } = await closing();
    await says(`0510|${code}|597029414300|75001637|`);
    expect((await outcome).kind).toBe('unknown');
  });

  it('is unknown on silence, and not written again', async () => {
    const { outcome, clock, written } = await closing();
    await clock.advance(400_000);
    expect((await outcome).kind).toBe('unknown');
    expect(written()).toEqual(['0500||']);
  });

  it('does not acknowledge the result of a payment that comes instead', async () => {
    const { outcome, says, written } = await closing();
    await says(sold(), '0510|00|597029414300|75001637|');
    expect((await outcome).kind).toBe('closed');
    expect(written()).toEqual(['0500||', 'ACK']);
  });
});
