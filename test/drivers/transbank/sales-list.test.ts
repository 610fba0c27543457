import { describe, expect, it } from 'vitest';
import { atTheTable, END, listed, signal } from './scripted-terminal.ts';

const OWN = { attemptId: '0198c5a0-0000-7000-8000-000000000001', ticket: 'A1B2C3' };
const OTHER = listed({ 4: 'A00001', 5: '111111', 8: '000121', 14: '110000' });

/** Asks for our payment; the terminal sends these lines, and then takes the poll behind them. */
async function asked(...lines: readonly string[]) {
  const table = atTheTable();
  const session = await table.opened();
  const answer = session.ownTransaction?.(OWN, signal) ?? Promise.reject(new Error('it cannot be asked'));
  answer.catch(() => undefined);
  await table.clock.advance(1);
  await table.ack();
  await table.says(...lines);
  await table.clock.advance(1);
  return { ...table, session, answer };
}

async function searched(...lines: readonly string[]) {
  const table = await asked(...lines);
  await table.ack();
  return table.answer;
}

describe('a payment of ours', () => {
  it('is found in the list under its ticket; each line is acknowledged, nothing is printed', async () => {
    const { answer, written, ack } = await asked(OTHER, listed(), END);
    await ack();
    expect(await answer).toMatchObject({
      kind: 'found',
      report: {
        verdict: 'approved',
        kind: 'sale',
        reference: 'A1B2C3',
        amountMinor: 13_990,
        trace: '000123',
      },
    });
    expect(written()).toEqual(['0260|1|', 'ACK', 'ACK', 'ACK', '0100']);
  });

  it.each(['00A1B2C3', '  A1B2C3'])('is found however its ticket is filled: "%s"', async (ticket) => {
    expect((await searched(listed({ 4: ticket }), END)).kind).toBe('found');
  });

  it.each(['A1B2C4', 'A1B2C', '1B2C3', 'a1b2c3'])('is not one under another ticket: %s', async (ticket) => {
    expect((await searched(listed({ 4: ticket }), END)).kind).toBe('absent');
  });

  it('that was voided is reported as a void, whether the list keeps the sale beside it or not', async () => {
    const twin = listed({ 5: '794981', 6: '-13990', 14: '121212' });
    const expected = {
      kind: 'found',
      report: { kind: 'void', amountMinor: 13_990, originalTrace: '000123' },
    };
    expect(await searched(listed(), twin, END)).toMatchObject(expected);
    expect(await searched(twin, END)).toMatchObject(expected);
  });

  it('that stands twice under one ticket is left to a person', async () => {
    expect(await searched(listed(), listed({ 8: '000124' }), END)).toMatchObject({
      kind: 'unreadable',
      detail: expect.stringContaining('possible double charge'),
    });
  });

  it('that is absent is told with everything else that the list has, oldest first', async () => {
    const older = listed({ 4: 'A00000', 5: '111110', 8: '000120', 14: '100000' });
    expect(await searched(OTHER, older, END)).toMatchObject({
      kind: 'absent',
      others: [
        { reference: 'A00000', number: '000120' },
        { reference: 'A00001', number: '000121' },
      ],
    });
  });
});

describe('the list', () => {
  it('without its end is no list', async () => {
    const { answer, clock } = await asked(listed());
    await clock.advance(30_000);
    await expect(answer).rejects.toMatchObject({ code: 'TERMINAL_NO_ANSWER' });
  });

  it('ends with a line without authorisation and amount, said once or twice', async () => {
    const { answer, says, written, ack, clock } = await asked(OTHER, END);
    await says(END);
    await clock.advance(1);
    await ack();
    expect((await answer).kind).toBe('absent');
    expect(written()).toEqual(['0260|1|', 'ACK', 'ACK', '0100', 'ACK', '0100']);
  });

  it('without a line may be the end of an older one that comes late: it is read again, once nothing comes any more', async () => {
    const table = atTheTable();
    const session = await table.opened();
    const answer = session.lastTransaction(signal);
    await table.clock.advance(1);
    await table.ack();
    await table.says(END);
    await table.clock.advance(1);
    await table.ack();
    for (let late = 0; late < 3; late += 1) {
      await table.clock.advance(400);
      await table.says(late === 1 ? listed({ 8: '000099' }) : END);
    }
    await table.clock.advance(500);
    await table.lists(OTHER, END);
    expect(await answer).toMatchObject({ kind: 'found', report: { number: '000121' } });
  });

  it('does not end with a sale that has no authorisation', async () => {
    const answer = await searched(listed({ 4: 'A00001', 5: '      ' }), listed(), END);
    expect(answer.kind).toBe('found');
  });

  it('counts a line that is said again once', async () => {
    const answer = await searched(OTHER, OTHER, END);
    expect(answer).toMatchObject({ kind: 'absent', others: [{ number: '000121' }] });
  });

  it('that begins without an acknowledgement of our question is not believed: it may be the rest of an older one', async () => {
    const table = atTheTable();
    const session = await table.opened();
    const answer = session.lastTransaction(signal);
    answer.catch(() => undefined);
    await table.clock.advance(1);
    await table.says(OTHER);
    await table.clock.advance(1);
    await expect(answer).rejects.toMatchObject({ code: 'TERMINAL_BUSY', retry: 'safe' });
    expect(table.written()).toEqual(['0260|1|']);
  });

  it('may be told as empty by code 11', async () => {
    const table = atTheTable();
    const session = await table.opened();
    const answer = session.lastTransaction(signal);
    await table.lists(`0260|11${'|'.repeat(19)}`);
    expect(await answer).toEqual({ kind: 'empty' });
  });

  it('that the terminal does not tell is unreadable, never empty, and nothing can be recovered from it', async () => {
    const { answer, session } = await asked('0261|12|597029414300|75001637|||||||||||||||');
    expect(await answer).toEqual({ kind: 'unreadable', detail: 'the terminal does not support this' });
    expect(session.capabilities.recover).toBe('none');
  });

  it('never costs paper: neither heartbeat nor identity nor mark ask for anything but poll and list', async () => {
    const table = atTheTable();
    const session = await table.opened();
    const questions = [session.readiness(signal).then(() => session.identify(signal))];
    const rest = Promise.all(questions)
      .then(() => session.lastTransaction(signal))
      .then(() => session.journal(signal))
      .then(() => session.totals(signal));
    for (let step = 0; step < 12; step += 1) {
      await table.clock.advance(1);
      const last = table.written().at(-1);
      if (last === '0100' || last === '0260|1|') await table.ack();
      if (last === '0260|1|') await table.says(OTHER, END);
    }
    expect(await rest).toBeNull();
    const asking = table.written().filter((word) => word !== 'ACK');
    expect(new Set(asking)).toEqual(new Set(['0100', '0260|1|']));
  });
});

describe('who the terminal is', () => {
  it.each([
    ['the end of an empty list', [END]],
    ['a line', [OTHER, '0261|00|||||||||||||||||']],
  ])('is told by %s', async (_, lines) => {
    const table = atTheTable();
    const session = await table.opened();
    const identity = session.identify(signal);
    await table.lists(...lines);
    expect(await identity).toEqual({ grade: 'tid', terminalId: '75001637', model: 'POS Integrado' });
  });

  it.each([
    ['is not told yet by an empty list that leaves it out', [], { untold: true }, 'tid'],
    ['is only its port where it is not told beside a sale', [OTHER.replaceAll('75001637', '')], {}, 'port'],
  ])('%s', async (_, lines, besides, grade) => {
    const table = atTheTable();
    const session = await table.opened();
    const identity = session.identify(signal);
    await table.lists(...lines, '0261|00|||||||||||||||||');
    expect(await identity).toEqual({ grade: 'port', model: 'POS Integrado', ...besides });
    expect(session.capabilities.identity).toBe(grade);
  });
});
