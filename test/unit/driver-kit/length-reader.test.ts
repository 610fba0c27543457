import { describe, expect, it } from 'vitest';
import { toHex } from '../../../src/driver-kit/hex.ts';
import { LengthFraming } from '../../../src/driver-kit/length-reader.ts';

const bytes = (...values: number[]) => Uint8Array.from(values);

describe('frames with a length in front', () => {
  it.each([
    [2, [0, 2, 0xaa, 0xbb]],
    [4, [0, 0, 0, 2, 0xaa, 0xbb]],
  ] as const)('with %i bytes of length are written, and read in any segmentation', (head, frame) => {
    const framing = new LengthFraming(head, 1000);
    expect([...framing.frame(bytes(0xaa, 0xbb))]).toEqual(frame);
    const stream = [...frame, ...framing.frame(bytes()), ...framing.frame(bytes(1))];
    const reader = framing.reader();
    expect(stream.flatMap((byte) => reader.push(bytes(byte))).map(toHex)).toEqual(['AABB', '', '01']);
    expect(
      framing
        .reader()
        .push(bytes(...stream))
        .map(toHex),
    ).toEqual(['AABB', '', '01']);
  });

  it('end the stream at the first byte that shows that one is too long, and the frames before it still count', () => {
    const reader = new LengthFraming(4, 1000).reader();
    expect(reader.push(bytes(0, 0, 0, 1, 7, 0, 0)).map(toHex)).toEqual(['07']);
    expect(reader.broken).toBeUndefined();
    expect(reader.push(bytes(0x04))).toEqual([]);
    expect(reader.broken).toMatchObject({ code: 'TERMINAL_GARBLED' });
    expect(reader.push(bytes(0, 0, 0, 0, 1, 7))).toEqual([]);
  });

  it('that the length cannot count, or the protocol does not take, are never cut', () => {
    expect(() => new LengthFraming(2, 65_536)).toThrow();
    expect(() => new LengthFraming(2, 10).frame(new Uint8Array(11))).toThrow('at most 10 bytes');
  });
});
