import {
  type Decoder,
  decodeStx,
  type StxFraming,
  type StxMeaning,
} from '../../../src/driver-kit/terminal.ts';
import { CONTROLS, isControl, isV3, messagePart } from './decode-parts.ts';
import { FRAMING, SEVEN_BIT_FRAMING } from './framing.ts';

const [STX, ETX] = [0x02, 0x03];

/**
 * `frame`: one `02 … 03 LRC`; `message`: the text of one, or of a V3 answer over TCP, or a lone control; `stream`: any sequence of
 * frames and controls. A recording whose data has even parity in bit 7 throughout is read without it.
 */
export const decode: Decoder = (bytes, layer) => {
  try {
    return decodeStx(bytes, layer, meaningOf(FRAMING));
  } catch (error) {
    if (layer === 'message' || !hasEvenParity(bytes)) throw error;
    return decodeStx(bytes, layer, meaningOf(SEVEN_BIT_FRAMING));
  }
};

/** Over TCP a V3 answer has no frame: bytes that begin neither with a frame nor with a control are a message. */
function meaningOf(framing: StxFraming): StxMeaning {
  return {
    framing,
    message: messagePart,
    controls: CONTROLS,
    controlFields: { direction: 'both' },
    framed: (data, length) => ({ variant: isV3(data) ? 'V3-serial' : 'E+', length }),
    beginsMessage: ([first = 0]) => !isControl(first) && (framing.sevenBits ? first & 0x7f : first) !== STX,
  };
}

/** Whether some bytes have bit 7 set, and every data byte has it as even parity: a single flipped bit is damage. */
function hasEvenParity(bytes: Uint8Array): boolean {
  const isData = (byte: number, index: number) =>
    (byte & 0x7f) > ETX && !isControl(byte & 0x7f) && (bytes[index - 1] ?? 0) % 0x80 !== ETX;
  return (
    bytes.some((byte) => byte > 0x7f) && bytes.every((byte, index) => !isData(byte, index) || isEven(byte))
  );
}

function isEven(byte: number): boolean {
  let bits = 0;
  for (let rest = byte; rest > 0; rest >>= 1) bits += rest & 1;
  return bits % 2 === 0;
}
