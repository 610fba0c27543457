import { describe, expect, it } from 'vitest';
import type { Attempt } from '../../../src/payment/attempt/attempt.ts';
import { whichTerminal } from '../../../src/sentences/sentences.js';
import { LANGUAGES } from '../../judge/reader.ts';
import { paymentTexts, type ShownText, taskTexts } from '../../support/shown-texts.ts';
import { taskOf } from '../api/memory-back-office.ts';
import { attemptOf, viewOf } from '../api/memory-payments.ts';

const OLD = { grade: 'serial', serial: '17F00001', terminalId: '52500038' } as const;
const baseline = { batch: 1, day: 1, last: { kind: 'empty' }, terminal: OLD } as const;
const DOUBT = { state: { name: 'in_doubt', hadApproval: false }, needsPerson: true, baseline } as const;
const REPLACED = { ...DOUBT, reason: { code: 'terminal_replaced', message: 'It was replaced.' } } as const;
const STATES: readonly (readonly [string, Partial<Attempt>])[] = [
  ['with a person', DOUBT],
  ['whose terminal was replaced', REPLACED],
];
const nameless = (texts: Iterable<ShownText>) => [...texts].filter(([, text]) => !text.includes('17F00001'));

describe('a payment in doubt', () => {
  const rows = STATES.flatMap(([name, state]) =>
    (['sale', 'refund', 'void'] as const).flatMap((type) =>
      LANGUAGES.map((language) => [type, name, language, state] as const),
    ),
  );

  it.each(rows)(
    '%s %s names the terminal that it went to on every surface (%s)',
    (type, _, language, state) => {
      const view = viewOf({ ...attemptOf(), ...state, type });
      expect(nameless(paymentTexts(view, language))).toEqual([]);
    },
  );

  it.each(LANGUAGES)('whose terminal was replaced has a task with terminal and amount (%s)', (language) => {
    const task = taskOf({ kind: 'terminal_replaced' });
    const texts = [...taskTexts(task, viewOf({ ...attemptOf(), ...REPLACED }), language)];
    expect(nameless(texts)).toEqual([]);
    expect(texts.filter(([, text]) => !text.includes('12.34 EUR'))).toEqual([]);
  });
});

describe('a terminal in a text', () => {
  it.each([
    ['17F00001', '52500038', ' 17F00001 (ID 52500038)'],
    ['17F00001', null, ' 17F00001'],
    [null, '52500038', ' (ID 52500038)'],
    [null, null, ''],
  ])('of serial %s and ID %s', (terminal_serial, terminal_id, words) => {
    expect(whichTerminal({ terminal_serial, terminal_id })).toBe(words);
  });
});
