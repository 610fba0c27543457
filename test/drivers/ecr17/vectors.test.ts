import { describe, expect, it } from 'vitest';
import { decode } from '../../../drivers/terminals/ecr17/decode.ts';
import { framingOf, LRC_MODES, modeOf } from '../../../drivers/terminals/ecr17/framing.ts';
import { asciiBytes } from '../../../src/driver-kit/ascii.ts';
import { fromHex, toHex } from '../../../src/driver-kit/hex.ts';
import { encodeStx, StxReader } from '../../../src/driver-kit/stx-framing.ts';
import { ecr17Vectors, type Vector, vectorsMissing } from './vectors.ts';

const all = ecr17Vectors();
const sound = all.filter(({ valid }) => valid !== false);
const framed = sound.filter(({ payload }) => payload !== undefined);

function bytesOf(hex: string): Uint8Array {
  const bytes = fromHex(hex);
  if (!bytes) throw new Error(`no hex: ${hex}`);
  return bytes;
}

/** The same frame with the check of another mode. */
function inMode({ hex }: Vector, check: string): Uint8Array {
  return bytesOf(hex.slice(0, -2) + check);
}

/** The list writes a card type once with its word and once without. */
function comparable(value: unknown): string {
  return String(value).replace(/^(\d) \w+$/, '$1');
}

describe('the ECR17 vectors', () => {
  it.skipIf(vectorsMissing)(`are there${vectorsMissing ? `: ${vectorsMissing}` : ''}`, () => {
    expect(sound.length).toBeGreaterThan(20);
  });

  it.each(sound)('decode, and name the mode of their check: $name', (vector) => {
    const found = decode(bytesOf(vector.hex), undefined, undefined);
    const framedOnly = decode(bytesOf(vector.hex), 'frame', undefined);
    expect(framedOnly).toEqual(found);
    expect(found.checksum).toEqual(
      vector.lrc_mode === undefined ? null : { mode: vector.lrc_mode, ok: true },
    );
  });

  it.each(sound.filter((vector) => vector.expect))('decode to their fields: $name', (vector) => {
    const { fields } = decode(bytesOf(vector.hex), undefined, undefined);
    const wanted = Object.entries(vector.expect ?? {});
    for (const [word, value] of wanted)
      expect([word, comparable(fields[word])]).toEqual([word, comparable(value)]);
  });

  it.each(all.filter(({ valid }) => valid === false))(
    'are refused where they are broken: $name',
    ({ hex }) => {
      expect(() => decode(bytesOf(hex), undefined, undefined)).toThrowError(/check \(LRC\)/);
    },
  );

  it.each(framed)('are the same message without their frame: $name', (vector) => {
    const payload = vector.payload ?? '';
    expect(payload.length).toBe(vector.payload_length ?? payload.length);
    const { fields, name } = decode(bytesOf(vector.hex), 'frame', undefined);
    expect(decode(asciiOrRaw(payload), 'message', undefined)).toMatchObject({ name, fields });
  });

  it.each(framed)('are framed byte for byte, and un-framed again: $name', (vector) => {
    const rule = Object.values(LRC_MODES).find((one) => modeOf(one) === vector.lrc_mode);
    const frame = encodeStx(asciiOrRaw(vector.payload ?? ''), framingOf(null), rule);
    expect(toHex(frame)).toBe(vector.hex.toUpperCase());
    const packets = [...frame].flatMap((byte) => [
      ...new StxReader(framingOf(null)).push(Uint8Array.of(byte)),
    ]);
    expect(packets.every(({ kind }) => kind !== 'damaged')).toBe(true);
    expect(new StxReader(framingOf(null)).push(frame)).toMatchObject([{ kind: 'frame', check: rule }]);
  });

  it.each(
    framed.flatMap((vector) =>
      Object.entries(vector.lrc_other ?? {}).map(([mode, check]) => ({
        name: vector.name,
        vector,
        mode,
        check,
      })),
    ),
  )('decode alike with the check of mode $mode: $name', ({ vector, mode, check }) => {
    const original = decode(bytesOf(vector.hex), undefined, undefined);
    expect(decode(inMode(vector, check), undefined, undefined)).toEqual({
      ...original,
      checksum: { mode, ok: true },
    });
  });
});

/** Receipts hold 7F, which is no printable character. */
function asciiOrRaw(text: string): Uint8Array {
  return /^[\x20-\x7e]*$/.test(text) ? asciiBytes(text) : Uint8Array.from(Buffer.from(text, 'latin1'));
}
