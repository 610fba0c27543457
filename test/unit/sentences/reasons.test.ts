import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { INTERNAL, REFUSALS } from '../../../src/api/reply/refusals.ts';
import { ENGLISH } from '../../../src/sentences/english.ts';
import { endWords, standWords } from '../../../src/sentences/reasons.js';
import { refusalWords } from '../../../src/sentences/sentences.js';
import { de } from '../../../src/sentences/words/de.js';
import { en } from '../../../src/sentences/words/en.js';
import { fr } from '../../../src/sentences/words/fr.js';

const SRC = join(import.meta.dirname, '../../../src');
const textOf = (files: string) =>
  globSync(files, { cwd: SRC })
    .map((file) => readFileSync(join(SRC, file), 'utf8'))
    .join('\n');
const codesIn = (text: string, pattern: RegExp) => [
  ...new Set([...text.matchAll(pattern)].flatMap(([, code]) => code ?? [])),
];

/** Of settlements, which the pages do not show. */
const OF_DAYS = ['noticed', 'end_of_day_blocked', 'unknown_end'];
const REFUSED = [...new Set([...Object.values(REFUSALS), INTERNAL].map(({ code }) => code)), 'unreachable'];
const ENDED = codesIn(textOf('payment/**/*.ts'), /(?:code: |#expire\(attempt, )'([a-z_]+)'/g).filter(
  (code) => !OF_DAYS.includes(code),
);
/** What the guards refuse work of the service with, before it reaches a terminal. */
const OF_GUARDS = [
  'payment_already_open',
  'payment_already_paid',
  'refund_blocked',
  'invoice_already_paid',
  'written_off',
];
const STANDING = [
  ...codesIn(textOf('agent/status-report.ts'), /'(terminal_[a-z_]+)'/g),
  ...codesIn(textOf('agent/{status-report,sync-indicators}.ts'), /code: '([a-z_]+)'/g),
  ...codesIn(textOf('payment/guards/disk-space.ts').match(/readonly kind: .*/)?.[0] ?? '', /'([a-z_]+)'/g),
  ...codesIn(
    textOf('api/contract/terminal-device.ts').match(/DeviceStatus = .*/)?.[0] ?? '',
    /'([a-z_]+)'/g,
  ).map((status) => `terminal_${status}`),
];

describe('what tilld says by a code', () => {
  it.each([
    ['refusal', REFUSED],
    ['end', [...new Set([...ENDED, ...OF_GUARDS])]],
    ['stand', STANDING],
  ])(
    'has words in three languages at the pages: every %s that the product knows, and no other',
    (kind, codes) => {
      const keys = codes.map((code) => `${kind}_${code}`).sort();
      for (const texts of [en, de, fr]) {
        const known = Object.keys(texts).filter(
          (key) => key.startsWith(`${kind}_`) && key !== 'refusal_unknown',
        );
        expect(known.sort()).toEqual(keys);
      }
      expect(keys.length).toBeGreaterThan(10);
    },
  );

  it('is told in its own English words where the pages have none', () => {
    expect(refusalWords({ code: 'of_tomorrow', message: 'Not on Sundays.' }, ENGLISH)).toBe(
      'tilld says: Not on Sundays.',
    );
    const payment = { error_code: 'terminal_of_tomorrow', error_message: 'It sang.' };
    expect(endWords(payment, 'en')).toEqual({ text: '', more: 'It sang.' });
    expect(standWords({ code: 'of_tomorrow' }, 'en')).toBeNull();
  });

  it('keeps what the terminal said, and what tilld says beside where that is more than the code', () => {
    const reason = { error_code: 'declined', error_message: 'The terminal said: "KARTE "A" GESPERRT".' };
    expect(endWords(reason, 'en')?.text).toBe(
      'The terminal declined it. The terminal said: “KARTE "A" GESPERRT”',
    );
    const more = { error_code: 'not_started', error_message: 'No paper.' };
    expect(endWords(more, 'en')).toEqual({ text: 'The terminal did not begin.', more: 'No paper.' });
    expect(endWords({ error_code: null, error_message: null }, 'en')).toBeNull();
    const aborted = { error_code: 'aborted', error_message: 'The terminal said: "Stop".' };
    expect(endWords(aborted, 'en')?.text).toMatch(/^It was stopped at the terminal\./);
    const asked = { ...aborted, cancel_requested_at: '2026-05-01T10:00:00.000Z' };
    expect(endWords(asked, 'en')?.text).toMatch(/^It was cancelled from the till\./);
  });
});
