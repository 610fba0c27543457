import { describe, expect, it } from 'vitest';
import { ByteReader } from '../../../src/driver-kit/byte-reader.ts';

describe('ByteReader', () => {
  it('never reads past its end and says in offsets of the whole where it stopped', () => {
    const reader = new ByteReader(Uint8Array.of(1, 2, 3), 10);
    expect(reader.byte('a')).toBe(1);
    expect(() => reader.take(3, 'the amount')).toThrowError(
      expect.objectContaining({ code: 'DECODE_MALFORMED', context: { offset: 11 } }),
    );
    expect(reader.take(2, 'b')).toEqual(Uint8Array.of(2, 3));
    expect(() => reader.byte('the end')).toThrowError(expect.objectContaining({ context: { offset: 13 } }));
    expect(reader.remaining).toBe(0);
  });

  it('gives what is left as the rest', () => {
    const reader = new ByteReader(Uint8Array.of(1, 2, 3));
    reader.byte('a');
    expect(reader.peek()).toBe(2);
    expect(reader.rest()).toEqual(Uint8Array.of(2, 3));
    expect(reader.peek()).toBeUndefined();
  });
});
