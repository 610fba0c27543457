import { describe, expect, it } from 'vitest';
import { asciiBytes } from '../../../src/driver-kit/ascii.ts';
import type { LrcRule } from '../../../src/driver-kit/checksum.ts';
import { concatBytes, fromHex, toHex } from '../../../src/driver-kit/hex.ts';
import {
  encodeControl,
  encodeStx,
  readStxPacket,
  type StxFraming,
  type StxPacket,
  StxReader,
} from '../../../src/driver-kit/stx-framing.ts';

const PLAIN: LrcRule = { start: 0, covers: 'data_etx' };
const rule = (covers: LrcRule['covers']): LrcRule => ({ start: 0x7f, covers });

/** As the fact sheet of Transbank has it; data so short that its limit can be tried. */
const BARE: StxFraming = { checks: [PLAIN], maxData: 8, controls: [0x06, 0x15] };
/** As the fact sheet of ECR17 has it. */
const PACKETS: StxFraming = {
  checks: [rule('data'), rule('data_etx'), rule('stx_data_etx'), rule('stx_data')],
  maxData: 8,
  controls: [],
  framedControls: [0x06, 0x15],
  notice: { start: 0x01, end: 0x04, maxText: 20 },
};

const bytes = (hex: string) => fromHex(hex) ?? new Uint8Array();

function read(framing: StxFraming, wire: Uint8Array, pieces = 1): readonly string[] {
  const reader = new StxReader(framing);
  const packets: StxPacket[] = [];
  for (let at = 0; at < wire.length; at += pieces)
    packets.push(...reader.push(wire.subarray(at, at + pieces)));
  return packets.map(shown);
}

function shown(packet: StxPacket): string {
  switch (packet.kind) {
    case 'frame':
      return `frame ${toHex(packet.data)} ${packet.check.covers}`;
    case 'control':
      return `control ${toHex(Uint8Array.of(packet.byte))}`;
    case 'notice':
      return `notice ${toHex(packet.text)}`;
    case 'damaged':
      return `damaged ${packet.why}`;
    default:
      return 'noise';
  }
}

describe('a frame', () => {
  it.each([
    ['0100', '02 30313030 03 02'],
    ['0500||', '02 303530307C7C 03 06'],
    ['0700||', '02 303730307C7C 03 04'],
    ['0300', '02 30333030 03 00'],
  ])('%s has its published bytes, and its check is no control', (data, wire) => {
    expect(encodeStx(asciiBytes(data), BARE)).toEqual(bytes(wire));
    expect(read(BARE, bytes(wire))).toEqual([`frame ${toHex(asciiBytes(data))} data_etx`]);
  });

  it('is taken at its longest and refused one byte above, its check still no control', () => {
    const longest = encodeStx(asciiBytes('12345678'), BARE);
    expect(read(BARE, longest)).toEqual(['frame 3132333435363738 data_etx']);
    const overlong = bytes('02 313233343536373839 03 06 06');
    expect(read(BARE, overlong)).toEqual(['damaged too_long', 'control 06']);
    expect(() => encodeStx(asciiBytes('123456789'), BARE)).toThrowError(
      expect.objectContaining({ code: 'INVARIANT_BROKEN' }),
    );
  });

  it.each([0x02, 0x03])('is not built around the mark %i', (mark) => {
    expect(() => encodeStx(Uint8Array.of(mark), BARE)).toThrowError(
      expect.objectContaining({ code: 'INVARIANT_BROKEN' }),
    );
  });

  it('that never ends holds no more than the longest', () => {
    const reader = new StxReader(BARE);
    reader.push(Uint8Array.of(0x02));
    for (let n = 0; n < 1000; n += 1) expect(reader.push(new Uint8Array(1000).fill(0x31))).toEqual([]);
    expect(reader.begun).toBe('frame');
    reader.reset();
    expect(reader.push(bytes('06')).map(shown)).toEqual(['control 06']);
  });

  it('whose check does not fit is damaged, and the next one is found', () => {
    expect(read(BARE, bytes('02 31 03 00 02 31 03 32'))).toEqual(['damaged checksum', 'frame 31 data_etx']);
  });

  it('begins anew where its forerunner was cut', () => {
    expect(read(BARE, bytes('02 30 31 02 31 03 32'))).toEqual(['noise', 'frame 31 data_etx']);
  });

  it('is read without its parity bits where the line has them', () => {
    const wire = bytes('82 B1 03 32');
    expect(read({ ...BARE, sevenBits: true }, wire)).toEqual(['frame 31 data_etx']);
    expect(read(BARE, wire)).not.toContain('frame 31 data_etx');
  });
});

describe('the dialect with packets for ACK and NAK', () => {
  it.each([
    ['data', '06 03 79', '15 03 6A', '02 41 03 3E'],
    ['data_etx', '06 03 7A', '15 03 69', '02 41 03 3D'],
    ['stx_data_etx', '06 03 78', '15 03 6B', '02 41 03 3F'],
    ['stx_data', '06 03 7B', '15 03 68', '02 41 03 3C'],
  ] as const)('over %s writes and knows the published packets', (covers, ack, nak, frame) => {
    expect(encodeControl(0x06, PACKETS, rule(covers))).toEqual(bytes(ack));
    expect(encodeControl(0x15, PACKETS, rule(covers))).toEqual(bytes(nak));
    expect(encodeStx(asciiBytes('A'), PACKETS, rule(covers))).toEqual(bytes(frame));
    expect(read(PACKETS, bytes(ack + nak + frame))).toEqual([
      'control 06',
      'control 15',
      `frame 41 ${covers}`,
    ]);
  });

  it('takes one rule only, once it is told which', () => {
    const reader = new StxReader(PACKETS);
    reader.narrow(rule('data_etx'));
    expect(reader.push(bytes('02 41 03 3E 02 41 03 3D')).map(shown)).toEqual([
      'damaged checksum',
      'frame 41 data_etx',
    ]);
  });

  it('reads a notice up to its longest text', () => {
    const text = '31'.repeat(20);
    expect(read(PACKETS, bytes(`01 ${text} 04`))).toEqual([`notice ${text}`]);
    expect(read(PACKETS, bytes(`01 ${text} 31 04`))).not.toContain(`notice ${text}`);
  });

  it('sees a control without its check as noise, and what follows as what it is', () => {
    expect(read(PACKETS, bytes('06 02 41 03 3E'))).toEqual(['noise', 'frame 41 data']);
    expect(read(PACKETS, bytes('06 03 00'))).toEqual(['noise']);
  });
});

describe('StxReader', () => {
  const streams: Readonly<Record<string, readonly [StxFraming, Uint8Array]>> = {
    'ACK and answer in one read': [BARE, bytes('06 02 303530307C7C 03 06 15')],
    'everything that is wrong': [
      BARE,
      bytes('FF 05 02 31 02 313233343536373839 03 02 03 02 31 03 33 06 02 31 03 32'),
    ],
    'packets, notices and frames': [
      PACKETS,
      concatBytes(bytes('06 03 79 01 31323334 04 06'), bytes('02 41 03 3E 01 02 41 03 3E 15 03 00')),
    ],
  };

  it.each(Object.entries(streams))('%s: the same in any segmentation', (_what, [framing, wire]) => {
    const whole = read(framing, wire, wire.length);
    expect(whole.length).toBeGreaterThan(2);
    for (let size = 1; size < wire.length; size += 1) expect(read(framing, wire, size)).toEqual(whole);
  });
});

describe('readStxPacket', () => {
  const refused = (code: string, offset: number) => expect.objectContaining({ code, context: { offset } });

  it('gives the packet and where it ends', () => {
    const wire = bytes('15 02 31 03 32 06');
    expect(readStxPacket(wire, 1, BARE)).toMatchObject({ packet: { kind: 'frame' }, end: 5 });
    expect(readStxPacket(wire, 0, BARE)).toMatchObject({ packet: { kind: 'control', byte: 0x15 }, end: 1 });
  });

  it.each([
    ['02 31 03 33', 'DECODE_CHECKSUM', 3],
    ['02 31 03', 'DECODE_INCOMPLETE', 3],
    ['', 'DECODE_INCOMPLETE', 0],
    ['41', 'DECODE_MALFORMED', 0],
    ['02 31 02 31 03 32', 'DECODE_MALFORMED', 2],
    ['02 313233343536373839 03 00', 'DECODE_MALFORMED', 11],
  ])('refuses "%s": %s at %i', (hex, code, offset) => {
    expect(() => readStxPacket(bytes(hex), 0, BARE)).toThrowError(refused(code, offset));
  });
});
