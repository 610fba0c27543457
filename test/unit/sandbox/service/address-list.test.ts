import { describe, expect, it } from 'vitest';
import { isAddressOrRange, isAllowedFrom } from '../../../../src/sandbox/service/address-list.ts';

describe('an allow list of addresses', () => {
  it.each([
    ['192.0.2.7', true],
    ['10.0.0.0/8', true],
    ['0.0.0.0/0', true],
    ['2001:db8::/32', true],
    ['::1', true],
    ['10.0.0.0/33', false],
    ['::/129', false],
    ['10.0.0.0/', false],
    ['10.0.0.0/8/8', false],
    ['10.0.0', false],
    ['localhost', false],
    ['', false],
  ])('may hold %j: %s', (text, may) => {
    expect(isAddressOrRange(text)).toBe(may);
  });

  it.each([
    [[], undefined, true],
    [['192.0.2.7'], '192.0.2.7', true],
    [['192.0.2.7'], '::ffff:192.0.2.7', true],
    [['192.0.2.0/24'], '::FFFF:192.0.2.9', true],
    [['192.0.2.0/24'], '192.0.3.1', false],
    [['2001:db8::/32'], '2001:db8:1::9', true],
    [['2001:db8::/32'], '2001:db9::1', false],
    [['0.0.0.0/0'], '::1', false],
    [['192.0.2.7'], undefined, false],
    [['192.0.2.7'], 'nonsense', false],
    [['nonsense'], '192.0.2.7', false],
  ])('%j and %s: %s', (allow, address, allowed) => {
    expect(isAllowedFrom(allow, address)).toBe(allowed);
  });
});
