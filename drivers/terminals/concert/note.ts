import { messageRecorder, type Transcript } from '../../../src/driver-kit/terminal.ts';
import { messagePart } from './decode-parts.ts';

/** Adds a message to the transcript, without card data. */
export type Note = (direction: 'sent' | 'received', data: Uint8Array) => void;

export function noteIn(transcript: Transcript): Note {
  return messageRecorder(transcript, (data) => {
    const { name, fields } = messagePart(data, 0);
    const { payload, tags, ...others } = fields;
    return { name, fields: others };
  });
}
