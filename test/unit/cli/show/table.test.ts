import { describe, expect, it } from 'vitest';
import { facts, table } from '../../../../src/cli/show/table.ts';

describe('a table of tillctl', () => {
  it('keeps its columns by the width on the screen, and has no blanks at its ends', () => {
    const rows = [
      ['レジ一', 'ready', ''],
      ['Theke ä – 1', 'busy', 'x'],
      ['e\u0301 👍', 'ready', 'y'],
    ];
    expect(table(['NAME', 'STATUS', 'WHY'], rows)).toBe(
      [
        'NAME         STATUS  WHY',
        'レジ一       ready',
        'Theke ä – 1  busy    x',
        'e\u0301 👍         ready   y',
        '',
      ].join('\n'),
    );
  });

  it('shows control characters of foreign text as dots, and each row on one line', () => {
    expect(table(['A', 'B'], [['a\nb', '\u001b[31mred']])).toBe('A    B\na b  ·[31mred\n');
    expect(
      facts([
        ['名', 'x'],
        ['name', 'y\nz'],
        ['none', null],
      ]),
    ).toBe('  名    x\n  name  y z\n');
  });
});
