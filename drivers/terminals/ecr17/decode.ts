import { type DecodedPart, type Decoder, decodeStx, malformed } from '../../../src/driver-kit/terminal.ts';
import { decodeMessage } from './decode-message.ts';
import { framingOf, modeOf, PROGRESS_LENGTH } from './framing.ts';

/** Any of the four LRC modes: a recording does not name its device. */
const FRAMING = framingOf(null);
/**
 * `frame`: one packet with its LRC, in any of the four modes; `message`: a text without its frame, or a lone ACK, NAK or progress
 * packet; `stream`: any sequence of packets. `context`: the request that a message answers, framed or not; some codes mean one thing
 * from the till and another from the terminal.
 */
export const decode: Decoder = (bytes, layer, context) =>
  decodeStx(bytes, layer, {
    framing: FRAMING,
    modeOf,
    message: (data, base) => decodeMessage(data, context !== undefined, base),
    notice: progressPart,
    beginsMessage: ([first]) => isDigit(first),
  });

function progressPart(text: Uint8Array, at: number): DecodedPart {
  if (text.length !== PROGRESS_LENGTH)
    throw malformed(at + 1 + text.length, `a progress text has ${PROGRESS_LENGTH} characters`);
  const strange = text.findIndex((byte) => byte < 0x20 || byte > 0x7e);
  if (strange !== -1) throw malformed(at + 1 + strange, 'a progress text is printable ASCII');
  const words = new TextDecoder('latin1').decode(text).trim();
  return {
    layer: 'message',
    kind: 'progress',
    name: 'Progress',
    fields: { text: words },
    checksum: null,
    parts: [],
  };
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}
