import { describe, expect, it } from 'vitest';
import { decode } from '../../../drivers/terminals/zvt/decode.ts';
import { readReport } from '../../../drivers/terminals/zvt/report.ts';
import { bytes } from './scripted-terminal.ts';

const PAN = '4111111111111111';

describe('card data in decoded packets', () => {
  it.each([
    ['the card number tag', '040F0C060A5A084111111111111111'],
    ['the equivalent of track 2', '040F15061357114111111111111111D29121010000000000'],
    ['a tag that nobody knows, packed', '040F0E1900060A00084111111111111111'],
    ['a bitmap of text, packed', '040F0BF1F0F84111111111111111'],
    ['a text that is none', '040F0F060D070B4111111111111111D29120'],
    ['totals of another length', '040F0B60F0F0F84111111111111111'.replace('0F0B', '0F0C')],
    ['an unknown command', '0FFF084111111111111111'],
    ['plain text in a print line', `06D11100${Buffer.from(PAN).toString('hex')}`],
  ])('is masked in %s', (_where, hex) => {
    const shown = JSON.stringify(decode(bytes(hex), undefined, undefined));
    expect(shown).not.toContain(PAN);
    expect(shown).not.toContain(Buffer.from(PAN).toString('hex'));
    expect(shown).not.toContain('2912101');
  });

  it('is no application id, in whatever way it is spelt', () => {
    const spelt = Buffer.from(PAN).toString('hex');
    for (const value of [`4310${spelt}`, `4308${PAN}`]) {
      const container = `06${(value.length / 2).toString(16).padStart(2, '0')}${value}`;
      expect(readReport(bytes(`2700${container}`), 'sale', 'cp437').applicationId).toBeUndefined();
    }
    const girocard = readReport(bytes('270006084306A00000035910'), 'sale', 'cp437');
    expect(girocard.applicationId).toBe('A00000035910');
  });

  it.each([
    ['an approval code in digits', '040F093B3336363833343336'],
    [
      'a number in text',
      '040F0F060D07083336363833343336'.replace('060D', '060A').replace('040F0F', '040F0C'),
    ],
  ])('is not seen in %s', (_where, hex) => {
    expect(JSON.stringify(decode(bytes(hex), undefined, undefined))).toContain('3336363833343336');
  });
});
