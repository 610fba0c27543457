import { expect, it } from 'vitest';
import { quoted } from '../../../src/hub/administration.ts';
import { printable } from '../../../src/hub/printing.ts';

it('what a shop has named shows a terminal no escape, no line of its own and no other direction', () => {
  const foreign = 'a\u001b[2Jb\r\nc\u009b1m\u202ed\u2066e\u2028f\u200bg\u0000';
  expect(printable(foreign)).toBe(
    String.raw`a\u001b[2Jb\u000d\u000ac\u009b1m\u202ed\u2066e\u2028f\u200bg\u0000`,
  );
  expect(printable('Brötchen & Söhne „1“ 日本')).toBe('Brötchen & Söhne „1“ 日本');
});

it('a name in a command to be copied is an argument, whatever a shell would read in it', () => {
  expect(['Bakery', 'Berlin 1', '$(reboot)', "a'b"].map(quoted)).toEqual([
    'Bakery',
    "'Berlin 1'",
    "'$(reboot)'",
    String.raw`'a'\''b'`,
  ]);
});
