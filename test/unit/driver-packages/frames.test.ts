import { describe, expect, it } from 'vitest';
import { FrameReader, frameOf, MAX_MESSAGE_BYTES } from '../../../src/driver-packages/frames.ts';

const MESSAGES = [{ type: 'ready' }, { type: 'log', text: 'ä'.repeat(500) }, {}, { n: [1, 2, 3] }];

function read(reader: FrameReader, bytes: Uint8Array): unknown[] {
  return [...reader.push(Buffer.from(bytes))].map(({ message }) => message);
}

describe('the frames of the channel', () => {
  it.each([1, 3, 7, 4096])('arrive whole in chunks of %i bytes', (size) => {
    const stream = Buffer.concat(MESSAGES.map(frameOf));
    const reader = new FrameReader();
    const whole: unknown[] = [];
    for (let at = 0; at < stream.length; at += size)
      whole.push(...read(reader, stream.subarray(at, at + size)));
    expect(whole).toEqual(MESSAGES);
  });

  it('that are too long are refused at their head, before anything of them is kept', () => {
    const head = Buffer.alloc(4);
    head.writeUInt32BE(MAX_MESSAGE_BYTES + 1);
    expect(() => read(new FrameReader(), head)).toThrow(/longer than/);
    expect(() => frameOf({ text: 'x'.repeat(MAX_MESSAGE_BYTES) })).toThrow(/longer than/);
  });

  it('that are no JSON are refused', () => {
    const text = Buffer.from('{"type":');
    const head = Buffer.alloc(4);
    head.writeUInt32BE(text.length);
    expect(() => read(new FrameReader(), Buffer.concat([head, text]))).toThrow(/no JSON/);
  });
});
