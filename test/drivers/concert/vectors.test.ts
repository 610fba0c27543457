import { describe, expect, it } from 'vitest';
import { decode } from '../../../drivers/terminals/concert/decode.ts';
import { FRAMING } from '../../../drivers/terminals/concert/framing.ts';
import { fromHex, toHex } from '../../../src/driver-kit/hex.ts';
import { encodeStx, StxReader } from '../../../src/driver-kit/stx-framing.ts';
import { concertVectors, type Vector, vectorsMissing } from './vectors.ts';

const all = concertVectors();
const vectors = all.filter(({ valid }) => valid !== false);
const framed = vectors.filter(({ variant, payload }) => payload !== undefined || variant === 'V3-serial');
const tagged = vectors.filter(({ tags }) => tags !== undefined);
const bytes = (hex: string) => fromHex(hex) ?? new Uint8Array();
const TEST_PAN = '4111111111111111';

function layerOf({ payload, variant }: Vector) {
  return payload !== undefined || variant === 'V3-serial' ? 'frame' : 'message';
}

function innerOf(vector: Vector): Uint8Array {
  return new TextEncoder().encode(vector.payload ?? vector.text ?? '');
}

describe('the Concert vectors', () => {
  it.skipIf(vectorsMissing)(`are there${vectorsMissing ? `: ${vectorsMissing}` : ''}`, () => {
    expect(vectors.length).toBeGreaterThan(15);
    expect([framed.length > 6, tagged.length > 8]).toEqual([true, true]);
  });

  it.each(vectors)('are decoded in their layer, and when the layer must be found out: $name', (vector) => {
    const part = decode(bytes(vector.hex), layerOf(vector), undefined);
    expect(decode(bytes(vector.hex), undefined, undefined)).toEqual(part);
    expect(part.fields).toMatchObject(
      part.kind === 'control'
        ? { direction: 'both' }
        : { variant: vector.variant, direction: vector.direction },
    );
  });

  it.each(framed.filter(({ payload }) => payload !== undefined))(
    'decode to their payload: $name',
    (vector) => {
      const { fields, checksum } = decode(bytes(vector.hex), 'frame', undefined);
      expect(fields['payload']).toBe(vector.payload?.replace(TEST_PAN, '411111******1111'));
      if (vector.length !== undefined) expect(fields['length']).toBe(vector.length);
      expect(checksum).toEqual({ mode: 'lrc', ok: true });
    },
  );

  it.each(tagged)('decode to their text and tags: $name', (vector) => {
    const { fields } = decode(bytes(vector.hex), layerOf(vector), undefined);
    expect(fields).toMatchObject({ text: vector.text, tags: vector.tags });
  });

  it.each(all.filter(({ valid }) => valid === false))(
    'are refused where they are broken: $name',
    ({ hex }) => {
      for (const layer of ['message', 'frame', 'stream', undefined] as const)
        expect(() => decode(bytes(hex), layer, undefined)).toThrowError(
          expect.objectContaining({ code: expect.stringMatching(/^DECODE_/) }),
        );
    },
  );

  it.each(framed)('are framed byte for byte, and un-framed in single bytes: $name', (vector) => {
    expect(toHex(encodeStx(innerOf(vector), FRAMING))).toBe(vector.hex.toUpperCase());
    const reader = new StxReader(FRAMING);
    const packets = [...bytes(vector.hex)].flatMap((byte) => [...reader.push(Uint8Array.of(byte))]);
    expect(packets).toMatchObject([{ kind: 'frame', data: innerOf(vector) }]);
  });

  it('show no card number', () => {
    for (const { hex } of vectors)
      expect(JSON.stringify(decode(bytes(hex), undefined, undefined))).not.toContain(TEST_PAN);
  });
});
