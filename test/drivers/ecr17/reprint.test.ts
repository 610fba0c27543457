import { describe, expect, it } from 'vitest';
import { ACK, approval, frame, NAK, scripted } from './scripted.ts';
import { type SittingOptions, sitting } from './sitting.ts';

async function sold(options: SittingOptions = {}) {
  const table = await sitting(options);
  await table.pay();
  const { session, signal } = table;
  const reprint = () => table.wait(session.reprint?.(signal) ?? Promise.resolve(null));
  return { table, reprint };
}

async function answered(answers: readonly string[], receipts: boolean) {
  const table = await scripted((text) => (text.includes('0R') ? answers : []), { receipts });
  return { table, copy: table.wait(table.session.reprint?.(table.signal) ?? Promise.resolve(null)) };
}

describe('the repeated receipt', () => {
  it('comes out of a terminal that prints its receipts itself, and its last result stays', async () => {
    const { table, reprint } = await sold({ device: { receipts: false } });
    const before = [await table.last(), table.terminal.snapshot().ledger];
    expect(await reprint()).toEqual({ kind: 'printed' });
    expect(table.terminal.printed).toEqual([expect.stringMatching(/DUPLICATO[\s\S]*IMPORTO EUR 12,34/)]);
    expect([await table.last(), table.terminal.snapshot().ledger]).toEqual(before);
  });

  it('comes to a till that prints, as text', async () => {
    const { table, reprint } = await sold();
    expect(await reprint()).toEqual({
      kind: 'received',
      text: expect.stringMatching(/DUPLICATO[\s\S]*IMPORTO EUR 12,34/),
    });
    expect(table.terminal.printed).toEqual([]);
  });

  it('is sent as published: to us or not, ticket type 0, ten zeros', async () => {
    const { table, copy } = await answered([ACK], false);
    expect(await copy).toEqual({ kind: 'printed' });
    expect(table.heard).toContain('123456780R000000000000');
  });

  it('is refused by a terminal that does not know the command', async () => {
    const { copy } = await answered([NAK], true);
    expect(await copy).toMatchObject({ kind: 'refused' });
  });

  it.each([
    ['nothing', [ACK]],
    ['a part', [ACK, frame('123456780SIMPORTO EUR 12,34}')]],
  ])('that comes with %s is no receipt', async (_, answers) => {
    const { copy } = await answered(answers, true);
    await expect(copy).rejects.toMatchObject({ code: 'TERMINAL_NO_ANSWER' });
  });

  it('never acknowledges a result that comes in its place: it belongs to an older payment', async () => {
    const { table, copy } = await answered([ACK, frame(approval())], true);
    await expect(copy).rejects.toMatchObject({ code: 'TERMINAL_NO_ANSWER' });
    expect(table.heard).not.toContain(ACK);
  });
});
