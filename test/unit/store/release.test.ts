import { describe, expect, it } from 'vitest';
import { canWrite, laterRelease, ownRelease } from '../../../src/store/schema/release.ts';

describe('a release', () => {
  it.each([
    ['0.1.0', '0.1.0', true],
    ['0.2.0', '0.1.9', true],
    ['0.10.0', '0.9.0', true],
    ['1.0.0', '0.99.99', true],
    ['0.2.0~rc1', '0.2.0', true],
    ['0.1.9', '0.2.0', false],
    ['0.9.9', '1.0.0', false],
    ['', '0.1.0', false],
    ['latest', '0.1.0', false],
    ['0.1.0', 'any', false],
    ['0.1.0', null, false],
  ])('%s can write what needs %s: %s', (release, least, can) => {
    expect(canWrite(release, least)).toBe(can);
  });

  it('of two is the later one, whichever comes first; a word that is none loses', () => {
    expect([laterRelease('0.1.0', '0.3.0'), laterRelease('0.3.0', '0.1.0')]).toEqual(['0.3.0', '0.3.0']);
    expect([laterRelease('0.1.0', ''), laterRelease('', '0.1.0')]).toEqual(['0.1.0', '0.1.0']);
  });

  it('knows itself', () => {
    expect(ownRelease()).toMatch(/^\d+\.\d+\.\d+/);
  });
});
