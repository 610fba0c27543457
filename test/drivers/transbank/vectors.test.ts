import { describe, expect, it } from 'vitest';
import { decode } from '../../../drivers/terminals/transbank/decode.ts';
import { FRAMING } from '../../../drivers/terminals/transbank/framing.ts';
import { asciiBytes } from '../../../src/driver-kit/ascii.ts';
import { fromHex, toHex } from '../../../src/driver-kit/hex.ts';
import { encodeStx, StxReader } from '../../../src/driver-kit/stx-framing.ts';
import { transbankVectors, vectorsMissing } from './vectors.ts';

const all = transbankVectors();
const vectors = all.filter(({ valid }) => valid !== false);
const framed = vectors.filter(({ fields }) => fields !== undefined);
const bytes = (hex: string) => fromHex(hex) ?? new Uint8Array();

describe('the Transbank vectors', () => {
  it.skipIf(vectorsMissing)(`are there${vectorsMissing ? `: ${vectorsMissing}` : ''}`, () => {
    expect(vectors.length).toBeGreaterThan(20);
    expect(framed.length).toBeGreaterThan(15);
  });

  it.each(vectors.filter((vector) => vector.expect))('decode to their fields: $name', (vector) => {
    for (const layer of ['frame', undefined] as const) {
      const { fields } = decode(bytes(vector.hex), layer, undefined);
      expect(fields).toEqual({ ...vector.expect, fields: vector.fields });
    }
  });

  it.each(framed)('are cut at their separators, and their check fits: $name', ({ hex, fields }) => {
    const part = decode(bytes(hex), 'frame', undefined);
    expect(part.fields['fields']).toEqual(fields);
    expect(part.checksum).toEqual({ mode: 'lrc', ok: true });
  });

  it.each(framed)('decode the same without their frame: $name', ({ hex }) => {
    const whole = bytes(hex);
    const { name, kind, fields } = decode(whole, 'frame', undefined);
    expect(decode(whole.subarray(1, -2), 'message', undefined)).toMatchObject({ name, kind, fields });
  });

  it('are refused where they are broken', () => {
    for (const { hex } of all.filter(({ valid }) => valid === false))
      expect(() => decode(bytes(hex), undefined, undefined)).toThrowError(/./);
  });

  it.each(framed)('are framed byte for byte, and un-framed again: $name', ({ hex, fields }) => {
    const data = asciiBytes((fields ?? []).join('|'));
    expect(toHex(encodeStx(data, FRAMING))).toBe(hex.toUpperCase());
    const reader = new StxReader(FRAMING);
    const packets = [...bytes(hex)].flatMap((byte) => [...reader.push(Uint8Array.of(byte))]);
    expect(packets).toMatchObject([{ kind: 'frame', data }]);
  });

  it.each(vectors)('are whole packets in a stream: $name', ({ hex }) => {
    const { parts } = decode(bytes(hex), 'stream', undefined);
    expect(parts.every(({ checksum, kind }) => checksum?.ok === true || kind === 'control')).toBe(true);
  });
});
