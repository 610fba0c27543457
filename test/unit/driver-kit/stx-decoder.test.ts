import { describe, expect, it } from 'vitest';
import { hasCode } from '../../../src/base/errors.ts';
import { malformed } from '../../../src/driver-kit/byte-reader.ts';
import { decodeStx, type StxMeaning } from '../../../src/driver-kit/stx-decoder.ts';

const MEANING: StxMeaning = {
  framing: {
    checks: [
      { start: 0, covers: 'data_etx' },
      { start: 0x7f, covers: 'data' },
    ],
    maxData: 20,
    controls: [0x05, 0x06, 0x15],
  },
  controls: { 5: 'ENQ' },
  modeOf: ({ start }) => (start === 0 ? 'zero' : 'ones'),
  message: (data, base) => {
    const strange = data.indexOf(0x3f);
    if (strange !== -1) throw malformed(base + strange, 'no questions');
    const fields = { text: Buffer.from(data).toString('latin1') };
    return { layer: 'message', kind: 'text', name: 'Text', fields, checksum: null, parts: [] };
  },
  framed: (_data, length) => ({ length }),
};

const bytesOf = (hex: string) => Buffer.from(hex, 'hex');
const decoded = (hex: string, layer?: 'frame' | 'message' | 'stream' | 'apdu') =>
  decodeStx(bytesOf(hex), layer, MEANING);

function refusal(hex: string, layer?: 'frame' | 'message' | 'stream' | 'apdu'): string {
  try {
    decoded(hex, layer);
    return 'none';
  } catch (error) {
    if (!(error instanceof Error && hasCode(error, String(Reflect.get(error, 'code'))))) throw error;
    const { code, context } = error as Error & { code: string; context: { offset?: number } };
    return `${code} at ${context.offset}`;
  }
}

describe('recorded bytes of a line with STX frames', () => {
  it('a frame has the fields of its message, its length, and the check that fits', () => {
    expect(decoded('02414203' + '00')).toMatchObject({
      layer: 'frame',
      name: 'Text',
      fields: { text: 'AB', length: 5 },
      checksum: { mode: 'zero', ok: true },
    });
    expect(decoded('024142037c', 'frame').checksum).toEqual({ mode: 'ones', ok: true });
  });

  it('a message has no frame; a lone control is one', () => {
    expect(decoded('4142', 'message')).toMatchObject({ fields: { text: 'AB' }, checksum: null });
    expect(decoded('05', 'message')).toMatchObject({ kind: 'control', name: 'ENQ' });
    expect(decoded('06')).toMatchObject({ kind: 'control', name: 'ACK' });
  });

  it('more than one packet is a stream, with the checks of its frames', () => {
    const stream = decoded('0502414203000602414203' + '7c');
    expect(stream).toMatchObject({ layer: 'stream', name: '4 packets', checksum: { mode: 'zero, ones' } });
    expect(stream.parts.map(({ name }) => name)).toEqual(['ENQ', 'Text', 'ACK', 'Text']);
    expect(decoded('0606', 'stream').checksum).toBeNull();
  });

  it.each([
    ['', undefined, 'DECODE_INCOMPLETE at 0'],
    ['024142', 'frame', 'DECODE_INCOMPLETE at 3'],
    ['0241420301', 'frame', 'DECODE_CHECKSUM at 4'],
    ['024142030006', 'frame', 'DECODE_TRAILING_BYTES at 5'],
    ['0606', 'message', 'DECODE_TRAILING_BYTES at 1'],
    ['0602413f037d', 'stream', 'DECODE_MALFORMED at 3'],
    ['413f', 'message', 'DECODE_MALFORMED at 1'],
    ['02414203007a', 'stream', 'DECODE_MALFORMED at 5'],
    ['4142', 'apdu', 'DECODE_MALFORMED at 0'],
  ] as const)('%s as %s is refused: %s', (hex, layer, words) => {
    expect(refusal(hex, layer)).toBe(words);
  });

  it('more than a megabyte is refused before it is read', () => {
    const huge = Buffer.alloc(1024 * 1024 + 1, 0x06);
    expect(() => decodeStx(huge, 'stream', MEANING)).toThrow(/more than 1048576 bytes/);
  });
});
