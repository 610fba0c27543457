import { describe, expect, it } from 'vitest';
import {
  frameRecorder,
  MAX_TRANSCRIPT_LINE,
  messageRecorder,
  transcriptLine,
} from '../../../src/driver-kit/transcript.ts';

describe('transcriptLine', () => {
  it('leaves out secrets and masks card numbers', () => {
    const line = transcriptLine('Registration', {
      password: '123456',
      text: 'card 4111111111111111',
      config_byte: 'BE',
    });
    expect(line).toBe('Registration {"text":"card 411111******1111","config_byte":"BE"} (1 left out)');
  });

  it('empties secrets inside lists of fields', () => {
    const line = transcriptLine('Set', { fields: [{ bmp: '3D', name: 'password', value: '123456' }] });
    expect(line).toBe('Set {"fields":[{"bmp":"3D","name":"password","value":""}]}');
  });

  it('has a longest length', () => {
    expect(transcriptLine('Print', { text: 'x'.repeat(5000) })).toHaveLength(MAX_TRANSCRIPT_LINE);
  });
});

describe('frameRecorder', () => {
  it('notes every frame through the redaction', () => {
    const lines: string[] = [];
    const record = frameRecorder({ record: (direction, summary) => lines.push(`${direction} ${summary}`) });
    record('received', 'Result', { text: 'card 4111111111111111', track_2: '4111111111111111D2512' });
    expect(lines).toEqual(['received Result {"text":"card 411111******1111"} (1 left out)']);
  });
});

describe('messageRecorder', () => {
  it('notes a message that cannot be read by its length alone', () => {
    const lines: string[] = [];
    const transcript = {
      record: (direction: string, summary: string) => lines.push(`${direction} ${summary}`),
    };
    const record = messageRecorder(transcript, ([first], direction) => {
      if (first !== 1) throw new TypeError('4111111111111111');
      return { name: 'Result', fields: { direction } };
    });
    record('sent', Uint8Array.of(1));
    record('received', Uint8Array.of(2, 3));
    expect(lines).toEqual(['sent Result {"direction":"sent"}', 'received unreadable {"bytes":2}']);
  });
});
