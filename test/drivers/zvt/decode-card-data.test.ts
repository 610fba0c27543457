import { describe, expect, it } from 'vitest';
import { decode } from '../../../drivers/terminals/zvt/decode.ts';
import { bytes } from './scripted-terminal.ts';

const PAN = '4111111111111111';

describe('card data in decoded packets', () => {
  it.each([
    ['the card number tag', '040F0C060A5A084111111111111111'],
    ['the equivalent of track 2', '040F15061357114111111111111111D29121010000000000'],
    ['an unknown command', '0FFF084111111111111111'],
    ['plain text in a print line', `06D11100${Buffer.from(PAN).toString('hex')}`],
  ])('is masked in %s', (_where, hex) => {
    const shown = JSON.stringify(decode(bytes(hex), undefined, undefined));
    expect(shown).not.toContain(PAN);
    expect(shown).not.toContain(Buffer.from(PAN).toString('hex'));
    expect(shown).not.toContain('2912101');
  });
});
