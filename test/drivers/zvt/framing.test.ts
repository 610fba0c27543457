import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeFrame, readFrame, SerialReader } from '../../../drivers/terminals/zvt/serial-framing.ts';
import { TcpReader } from '../../../drivers/terminals/zvt/tcp-framing.ts';
import { concatBytes, toHex } from '../../../src/driver-kit/hex.ts';
import { bytes } from './scripted-terminal.ts';

const apdu = fc.uint8Array({ minLength: 3, maxLength: 600 });

describe('serial framing', () => {
  it('gives back every APDU, however the bytes arrive', () => {
    fc.assert(
      fc.property(fc.array(apdu, { maxLength: 4 }), fc.integer({ min: 1, max: 40 }), (apdus, size) => {
        const wire = concatBytes(...apdus.map((one) => concatBytes(encodeFrame(one), Uint8Array.of(0x06))));
        const reader = new SerialReader();
        const packets: unknown[] = [];
        for (let at = 0; at < wire.length; at += size)
          packets.push(...reader.push(wire.subarray(at, at + size)));
        expect(packets).toEqual(apdus.flatMap((one) => [{ kind: 'frame', apdu: one }, { kind: 'ack' }]));
      }),
    );
  });

  it('finds every frame whose bits were turned, and the next one after it', () => {
    fc.assert(
      fc.property(apdu, fc.nat(), fc.integer({ min: 1, max: 255 }), (one, place, mask) => {
        const wire = encodeFrame(one);
        const at = 2 + (place % (wire.length - 6 || 1));
        wire[at] = (wire[at] ?? 0) ^ mask;
        const packets = new SerialReader().push(wire);
        expect(packets).not.toContainEqual({ kind: 'frame', apdu: one });
      }),
    );
  });

  it('takes a frame that begins before its forerunner ended', () => {
    const packets = new SerialReader().push(concatBytes(bytes('1002060100'), bytes('10028000001003F51F')));
    expect(packets).toEqual([{ kind: 'noise' }, { kind: 'frame', apdu: bytes('800000') }]);
  });

  it('never mistakes noise for a frame', () => {
    expect(new SerialReader().push(bytes('FF00031002'))).toEqual([
      { kind: 'noise' },
      { kind: 'noise' },
      { kind: 'noise' },
    ]);
    expect(new SerialReader().push(bytes('1006'))).toEqual([{ kind: 'noise' }]);
  });

  it('gives up a frame that is longer than any APDU', () => {
    const packets = new SerialReader().push(concatBytes(bytes('1002'), new Uint8Array(65_541)));
    expect(packets).toContainEqual({ kind: 'damaged', why: 'too_long', apdu: new Uint8Array() });
  });

  it('reads a frame from its place and says where it ends', () => {
    const { apdu: found, end } = readFrame(bytes('0610028000001003F51F06'), 1);
    expect([toHex(found), end]).toEqual(['800000', 10]);
  });
});

describe('TCP framing', () => {
  const packet = fc
    .tuple(fc.constantFrom('0601', '040F', '06D3', '8000'), fc.uint8Array({ maxLength: 700 }))
    .map(([control, data]) => {
      const length = data.length < 255 ? [data.length] : [255, data.length & 255, data.length >> 8];
      return concatBytes(bytes(control), Uint8Array.from(length), data);
    });

  it('gives back every APDU, however the bytes arrive', () => {
    fc.assert(
      fc.property(fc.array(packet, { maxLength: 5 }), fc.integer({ min: 1, max: 1024 }), (packets, size) => {
        const wire = concatBytes(...packets);
        const reader = new TcpReader();
        const found: string[] = [];
        for (let at = 0; at < wire.length; at += size)
          found.push(...reader.push(wire.subarray(at, at + size)).map(toHex));
        expect(found).toEqual(packets.map(toHex));
      }),
    );
  });

  it.each(['150369', '000000', '474554'])('ends at bytes that begin no ZVT packet: %s', (hex) => {
    const reader = new TcpReader();
    expect(reader.push(bytes(hex))).toEqual([]);
    expect(reader.broken).toMatchObject({ code: 'TERMINAL_GARBLED' });
    expect(reader.push(bytes('800000'))).toEqual([]);
  });

  it('gives what was complete before them, whatever the pieces', () => {
    const wire = bytes('800000060F00150369');
    const [whole, singly] = [new TcpReader(), new TcpReader()];
    const inOne = whole.push(wire).map(toHex);
    const inMany = [...wire].flatMap((byte) => singly.push(Uint8Array.of(byte))).map(toHex);
    expect([inOne, inMany]).toEqual([
      ['800000', '060F00'],
      ['800000', '060F00'],
    ]);
    expect([whole.broken?.code, singly.broken?.code]).toEqual(['TERMINAL_GARBLED', 'TERMINAL_GARBLED']);
  });
});
