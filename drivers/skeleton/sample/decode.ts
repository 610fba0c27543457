import { type Decoder, decodeStx } from '../../../src/driver-kit/terminal.ts';
import { FRAMING } from './framing.ts';
import { meaningOf } from './meaning.ts';

/** `frame`: one framed message; `message`: its text, or a lone 06 or 15; `stream`: any sequence of frames, 06 and 15. */
export const decode: Decoder = (bytes, layer) =>
  decodeStx(bytes, layer, { framing: FRAMING, message: meaningOf });
