import { describe, expect, it } from 'vitest';
import { crc16Kermit } from '../../../src/driver-kit/checksum.ts';

describe('crc16Kermit', () => {
  it('has the published check value', () => {
    expect(crc16Kermit(new TextEncoder().encode('123456789'))).toBe(0x2189);
  });

  it('gives 0 for nothing', () => {
    expect(crc16Kermit([])).toBe(0);
  });
});
