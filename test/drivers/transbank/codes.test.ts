import { describe, expect, it } from 'vitest';
import { resultWords, verdictOf } from '../../../drivers/terminals/transbank/result-codes.ts';
import { atTheTable, SALE, signal, sold } from './scripted-terminal.ts';

/** The maker's table, and what each code means for money. */
const REFUSED =
  '01 04 05 06 08 09 10 11 12 13 14 15 17 18 19 20 21 24 25 26 27 60 61 62 67 68 70 71 72 73 74 75 76 77 88 93'.split(
    ' ',
  );
const ABORTED = ['07', '22'];
const UNCLEAR = ['02', '03', '16', '65', '94', '95'];

async function outcomeOf(code: string) {
  const table = atTheTable();
  const session = await table.opened();
  const outcome = session.execute(SALE, table.observer, signal);
  await table.gap();
  await table.ack();
  await table.says(sold({ 1: code, 5: '      ', 6: '0', 10: '' }));
  return outcome;
}

describe('a result code', () => {
  it.each(REFUSED)('%s is an explicit refusal', async (code) => {
    expect(await outcomeOf(code)).toMatchObject({
      kind: 'declined',
      report: { verdict: 'refused', responseCode: code, text: resultWords(code), reference: 'A1B2C3' },
    });
  });

  it.each(ABORTED)('%s is a payment that was stopped', async (code) => {
    expect((await outcomeOf(code)).kind).toBe('aborted');
  });

  it.each(UNCLEAR)('%s comes when money may have moved: unknown', async (code) => {
    expect(await outcomeOf(code)).toMatchObject({ kind: 'unknown', code: 'TERMINAL_RESULT_UNCLEAR' });
  });

  it('that is on no list is unclear, and 00 alone approves', () => {
    const listed = new Set([...REFUSED, ...ABORTED]);
    for (let number = 0; number < 100; number += 1) {
      const code = String(number).padStart(2, '0');
      if (code === '00') expect(verdictOf(code)).toBe('approved');
      else if (!listed.has(code)) expect(verdictOf(code), code).toBe('unclear');
    }
  });
});
