import { describe, expect, it } from 'vitest';
import { maskCredentials } from '../../../src/base/credential.ts';
import { guardJson, guardText } from '../../../src/base/text-guard.ts';

const SECRET = 'Zz0'.repeat(11);

describe('a text that holds a credential', () => {
  it.each([
    [`rk_live_${SECRET}`, 'rk_live_[cut]'],
    [`the key is rk_sandbox_${SECRET}, says Anna`, 'the key is rk_sandbox_[cut], says Anna'],
    [`whsec_${SECRET}=`, 'whsec_[cut]'],
    [`rk_live_${SECRET} rk_live_${SECRET}`, 'rk_live_[cut] rk_live_[cut]'],
    [`xrk_live_${SECRET}`, 'xrk_live_[cut]'],
  ])('%s loses what opens a door', (text, cut) => {
    expect(maskCredentials(text)).toBe(cut);
    expect(maskCredentials(cut)).toBe(cut);
    expect(guardText(text)).toBe(cut);
    expect(guardJson({ [text]: [text] })).toEqual({ [cut]: [cut] });
  });

  it.each(['keys begin with rk_sandbox_', 'rk_live_short', 'till 3'])('%s has none and stays', (text) => {
    expect(guardText(text)).toBe(text);
  });
});
