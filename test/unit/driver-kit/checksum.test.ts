import { describe, expect, it } from 'vitest';
import { crc16Kermit, type LrcRule, lrcOf } from '../../../src/driver-kit/checksum.ts';

const ascii = (text: string) => new TextEncoder().encode(text);

describe('crc16Kermit', () => {
  it('has the published check value', () => {
    expect(crc16Kermit(ascii('123456789'))).toBe(0x2189);
  });

  it('gives 0 for nothing', () => {
    expect(crc16Kermit([])).toBe(0);
  });
});

describe('lrcOf', () => {
  const plain: LrcRule = { start: 0, covers: 'data_etx' };

  // The constant frames of the maker's C library: poll, set normal mode, load keys, last sale, details, close, totals.
  it.each([
    ['0100', 0x02],
    ['0300', 0x00],
    ['0800', 0x0b],
    ['0250|', 0x78],
    ['0260|1|', 0x36],
    ['0260|0|', 0x37],
    ['0500||', 0x06],
    ['0700||', 0x04],
    ['0200|123|', 0x31],
  ])('Transbank: "%s" is checked by %i', (data, check) => {
    expect(lrcOf(ascii(data), plain)).toBe(check);
  });

  it('Concert E+: the published request of 12.50 EUR is checked by 01', () => {
    expect(lrcOf(ascii('0100001250110978          A010B010'), plain)).toBe(0x01);
  });

  it.each([
    ['data', 0x3e, 0x79, 0x6a],
    ['data_etx', 0x3d, 0x7a, 0x69],
    ['stx_data_etx', 0x3f, 0x78, 0x6b],
    ['stx_data', 0x3c, 0x7b, 0x68],
  ] as const)('ECR17 over %s: "A", ACK and NAK have their published checks', (covers, a, ack, nak) => {
    const rule = { start: 0x7f, covers };
    expect([ascii('A'), [0x06], [0x15]].map((data) => lrcOf(data, rule))).toEqual([a, ack, nak]);
  });

  it('ECR17: the published worked examples', () => {
    const rule: LrcRule = { start: 0x7f, covers: 'data' };
    expect(lrcOf(ascii('AB'), rule)).toBe(0x7c);
    expect(lrcOf(ascii('123456780s'), rule)).toBe(0x34);
  });
});
