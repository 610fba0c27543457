import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/base/errors.ts';
import { createSealer, type SealKeyPlace } from '../../../src/runtime/sealer.ts';

const KEY = Buffer.alloc(32, 7);

function placeWith(key?: string): SealKeyPlace & { key: string | undefined } {
  const place = {
    key,
    read: () => place.key,
    keep: (made: string) => {
      place.key = made;
    },
  };
  return place;
}

function codeOf(work: () => unknown): string {
  try {
    work();
    return 'nothing thrown';
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
}

describe('a sealed secret', () => {
  it('opens for its purpose with the same key, also in the next process, and shows nothing of what it holds', () => {
    const place = placeWith();
    const sealed = createSealer(place).seal('whsec_Zażółć', 'a');
    expect(sealed).toMatch(/^v1\.[\w-]+$/);
    expect(Buffer.from(sealed.slice(3), 'base64url').toString('latin1')).not.toContain('whsec');
    expect(createSealer(placeWith(place.key)).open(sealed, 'a')).toBe('whsec_Zażółć');
  });

  it('is another text each time', () => {
    const sealer = createSealer(placeWith());
    expect(sealer.seal('x', 'a')).not.toBe(sealer.seal('x', 'a'));
  });

  it.each([
    ['for another purpose', (text: string) => text, 'b', KEY],
    ['with another key', (text: string) => text, 'a', Buffer.alloc(32, 8)],
    [
      'with one character changed',
      (text: string) => text.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      'a',
      KEY,
    ],
    ['cut short', (text: string) => text.slice(0, 20), 'a', KEY],
    ['without its tag', (text: string) => text.slice(0, -22), 'a', KEY],
    ['that was never sealed', () => 'whsec_plain', 'a', KEY],
    ['that is empty', () => '', 'a', KEY],
  ])('does not open %s', (_name, change, purpose, key) => {
    const sealed = createSealer(placeWith(KEY.toString('hex'))).seal('a secret of some length', 'a');
    const other = createSealer(placeWith(key.toString('base64url')));
    expect(codeOf(() => other.open(change(sealed), purpose))).toBe('SEAL_BROKEN');
  });
});

describe('the key that seals', () => {
  it('is made when something is first sealed, not before', () => {
    const place = placeWith();
    const sealer = createSealer(place);
    expect(codeOf(() => sealer.open('v1.AAAA', 'a'))).toBe('SEAL_BROKEN');
    expect(place.key).toBeUndefined();
    sealer.seal('x', 'a');
    expect(Buffer.from(place.key ?? '', 'base64url')).toHaveLength(32);
  });

  it.each(['hex', 'base64', 'base64url'] as const)('may be written as %s', (encoding) => {
    const sealed = createSealer(placeWith(KEY.toString('hex'))).seal('x', 'a');
    expect(createSealer(placeWith(KEY.toString(encoding))).open(sealed, 'a')).toBe('x');
  });

  it.each(['short', 'a'.repeat(63), `${KEY.toString('hex')}00`])(
    'is refused, and never replaced, where it is %j',
    (text) => {
      const place = placeWith(text);
      const sealer = createSealer(place);
      expect(codeOf(() => sealer.seal('x', 'a'))).toBe('SEAL_KEY_UNUSABLE');
      expect(codeOf(() => sealer.open('v1.AAAA', 'a'))).toBe('SEAL_KEY_UNUSABLE');
      expect(place.key).toBe(text);
    },
  );

  it('is refused, and never replaced, where its place cannot be read', () => {
    let kept = 0;
    const sealer = createSealer({
      read: () => {
        throw new AppError('CREDENTIAL_INVALID', 'no');
      },
      keep: () => {
        kept += 1;
      },
    });
    expect(codeOf(() => sealer.seal('x', 'a'))).toBe('SEAL_KEY_UNUSABLE');
    expect(kept).toBe(0);
  });
});
