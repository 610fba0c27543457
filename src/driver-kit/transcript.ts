import { maskCardNumbers } from '../base/card-number.ts';
import type { Transcript } from '../terminal/ports.ts';
import type { DecodedPart } from './define.ts';

/** The longest line of a transcript, in characters. */
export const MAX_TRANSCRIPT_LINE = 600;

/** Names of fields that never enter a transcript. */
const SECRET = /password|track|cvv|pin|raw/i;

/**
 * One line of a transcript: the frame's name and its fields, with secrets left out, card numbers masked and the length bounded.
 * The driver has already cut track data and truncated card numbers in `fields`.
 */
export function transcriptLine(name: string, fields: Readonly<Record<string, unknown>>): string {
  const shown = Object.entries(fields).filter(([key]) => !SECRET.test(key));
  const hidden = Object.keys(fields).length - shown.length;
  const facts = Object.fromEntries(shown);
  const plain = JSON.stringify(facts);
  // `JSON.stringify` is several times faster without a replacer, and most frames name no secret.
  const text = `${name} ${maskCardNumbers(SECRET.test(plain) ? JSON.stringify(facts, withoutSecrets) : plain)}`;
  const line = hidden === 0 ? text : `${text} (${hidden} left out)`;
  return line.length <= MAX_TRANSCRIPT_LINE ? line : `${line.slice(0, MAX_TRANSCRIPT_LINE - 1)}…`;
}

/** Records one frame: its name and its fields from the driver's decoder, card data already cut. */
export type FrameRecorder = (
  direction: 'sent' | 'received',
  name: string,
  fields: Readonly<Record<string, unknown>>,
) => void;

/** Records frames by {@link transcriptLine} alone, so that no raw frame enters a transcript. */
export function frameRecorder(transcript: Transcript): FrameRecorder {
  return (direction, name, fields) => transcript.record(direction, transcriptLine(name, fields));
}

/** Notes a message in the transcript. */
export type MessageRecorder = (direction: 'sent' | 'received', message: Uint8Array) => void;

/**
 * Records messages by the name and the fields that `meaning` reads of them, card data already cut; a message that it throws at is recorded by its
 * length alone.
 */
export function messageRecorder(
  transcript: Transcript,
  meaning: (message: Uint8Array, direction: 'sent' | 'received') => Pick<DecodedPart, 'name' | 'fields'>,
): MessageRecorder {
  const record = frameRecorder(transcript);
  return (direction, message) => {
    try {
      const { name, fields } = meaning(message, direction);
      record(direction, name, fields);
    } catch {
      record(direction, 'unreadable', { bytes: message.length });
    }
  };
}

/** Empties the value of a nested field whose name is a secret's: `{name: 'password', value: '123456'}`. */
function withoutSecrets(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('name' in value)) return value;
  return typeof value.name === 'string' && SECRET.test(value.name) ? { ...value, value: '' } : value;
}
