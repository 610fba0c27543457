import { describe, expect, it } from 'vitest';
import { parseReceived } from '../../../drivers/terminals/zvt/apdu.ts';
import { decode } from '../../../drivers/terminals/zvt/decode.ts';
import { encodeFrame, SerialReader } from '../../../drivers/terminals/zvt/serial-framing.ts';
import { TcpReader } from '../../../drivers/terminals/zvt/tcp-framing.ts';
import { concatBytes, toHex } from '../../../src/driver-kit/hex.ts';
import { bytes } from './scripted-terminal.ts';
import { type Vector, vectorsMissing, zvtVectors } from './vectors.ts';

const all = zvtVectors();
const vectors = all.filter((vector) => vector.valid !== false);
const decoded = vectors.filter((vector) => vector.decoded !== undefined);
const frames = vectors.filter((vector) => vector.layer === 'serial-frame');
const LAYER = {
  apdu: 'apdu',
  'serial-frame': 'frame',
  'apdu-stream': 'stream',
  'tcp-fragments': 'apdu',
} as const;

/** The APDUs of a vector whose length fields fit. */
function apdusOf(vector: Vector): readonly string[] {
  if (vector.decoded?.['length_mismatch'] !== undefined) return [];
  return vector.apdus ?? [(vector.apdu_hex ?? vector.hex).toUpperCase()];
}

function singly(reader: { push(bytes: Uint8Array): readonly unknown[] }, wire: Uint8Array): unknown[] {
  return [...wire].flatMap((byte) => [...reader.push(Uint8Array.of(byte))]);
}

describe('the ZVT vectors', () => {
  it.skipIf(vectorsMissing)(`are there${vectorsMissing ? `: ${vectorsMissing}` : ''}`, () => {
    expect(vectors.length).toBeGreaterThan(60);
    expect(frames.length).toBeGreaterThan(15);
  });

  it.each(decoded)('decode to their fields: $name', (vector) => {
    expect(decode(bytes(vector.hex), LAYER[vector.layer], undefined).fields).toEqual(vector.decoded);
    expect(decode(bytes(vector.hex), undefined, undefined).fields).toEqual(vector.decoded);
  });

  it('are refused where they are broken', () => {
    for (const { hex, layer } of all.filter((vector) => vector.valid === false))
      expect(() => decode(bytes(hex), LAYER[layer], undefined)).toThrowError(/./);
  });

  it.each(vectors.filter((vector) => vector.apdus))('split into the listed packets: $name', (vector) => {
    const { parts } = decode(bytes(vector.hex), 'stream', undefined);
    const single = (vector.apdus ?? []).map((apdu) => decode(bytes(apdu), 'apdu', undefined));
    expect(parts).toEqual(single);
  });

  it.each(vectors.filter((vector) => vector.fragments))(
    'are one packet when put together: $name',
    (vector) => {
      const reader = new TcpReader();
      const apdus = (vector.fragments ?? []).flatMap((piece) => [...reader.push(bytes(piece))]);
      expect(apdus.map(toHex)).toEqual([vector.hex.toUpperCase()]);
    },
  );

  it.each(frames)('are framed byte for byte, and un-framed again: $name', (vector) => {
    const apdu = vector.apdu_hex ?? '';
    expect(toHex(encodeFrame(bytes(apdu)))).toBe(vector.hex.toUpperCase());
    expect(new SerialReader().push(bytes(vector.hex))).toEqual([{ kind: 'frame', apdu: bytes(apdu) }]);
    expect(decode(bytes(vector.hex), 'frame', undefined).checksum).toEqual({
      mode: 'crc16-kermit',
      ok: true,
    });
  });

  const apdus = vectors.flatMap(apdusOf).map((hex) => hex.toUpperCase());

  it('come out of both framings in single bytes and glued together', () => {
    const onTcp = concatBytes(...apdus.map(bytes));
    const onLine = concatBytes(...apdus.map((hex) => encodeFrame(bytes(hex))));
    const hexOf = (packets: readonly unknown[]) =>
      packets.map((packet) => (packet instanceof Uint8Array ? toHex(packet) : packet));
    const framed = apdus.map((hex) => ({ kind: 'frame', apdu: bytes(hex) }));
    expect(hexOf(new TcpReader().push(onTcp))).toEqual(apdus);
    expect(hexOf(singly(new TcpReader(), onTcp))).toEqual(apdus);
    expect(new SerialReader().push(onLine)).toEqual(framed);
    expect(singly(new SerialReader(), onLine)).toEqual(framed);
  });

  it.each(decoded.filter((vector) => vector.layer === 'apdu'))(
    'name their control field: $name',
    (vector) => {
      expect(parseReceived(bytes(vector.hex)).control).toBe(vector.decoded?.['control_field']);
    },
  );
});
