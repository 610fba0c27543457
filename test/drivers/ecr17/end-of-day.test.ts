import { describe, expect, it } from 'vitest';
import { ACK, frame, NAK, scripted } from './scripted.ts';
import { sitting } from './sitting.ts';

const HEAD = '123456780C';

describe('an end of day', () => {
  it('closes the session once, with its sum and its receipt', async () => {
    const table = await sitting();
    await table.pay();
    const outcome = await table.wait(table.session.endOfDay(() => undefined, table.signal));
    expect(outcome).toMatchObject({
      kind: 'closed',
      totals: { amountMinor: 1234, currency: 'EUR' },
      receipts: { merchant: expect.stringContaining('CHIUSURA') },
    });
    expect(await table.wait(table.session.totals(table.signal))).toEqual({ amountMinor: 0, currency: 'EUR' });
  });

  it.each([
    [
      '01 is refused, in the words of the terminal',
      `${HEAD}01${'HOST OCCUPATO'.padEnd(19)}911${'0'.repeat(10)}`,
      'refused',
    ],
    ['09 is unknown', `${HEAD}09${'?'.padEnd(19)}911${'0'.repeat(10)}`, 'unknown'],
    ['00 is closed', `${HEAD}00${'0'.repeat(12)}1234${'0'.repeat(12)}1234`, 'closed'],
  ])('that ends with %s', async (_, reply, kind) => {
    const table = await scripted((text) => (text.startsWith(HEAD) ? [ACK, frame(reply)] : []));
    const outcome = await table.wait(table.session.endOfDay(() => undefined, table.signal));
    expect(outcome.kind).toBe(kind);
    expect(table.count('C')).toBe(1);
  });

  it('that is not answered is unknown, and not sent again', async () => {
    const table = await scripted((text) => (text.startsWith(HEAD) ? [ACK] : []));
    const outcome = await table.wait(table.session.endOfDay(() => undefined, table.signal));
    expect([outcome.kind, table.count('C')]).toEqual(['unknown', 1]);
  });

  it('that the terminal does not know is refused', async () => {
    const table = await scripted((text) => (text.startsWith(HEAD) ? [NAK] : []));
    const outcome = await table.wait(table.session.endOfDay(() => undefined, table.signal));
    expect(outcome).toMatchObject({ kind: 'refused', code: 'TERMINAL_CANNOT' });
  });

  it('leaves nothing of the closed session in the journal, although the terminal still tells its last result', async () => {
    const table = await sitting();
    await table.pay();
    await table.wait(table.session.endOfDay(() => undefined, table.signal));
    expect((await table.last()).kind).toBe('found');
    expect((await table.wait(table.session.journal(table.signal))).lines).toEqual([]);
  });
});
