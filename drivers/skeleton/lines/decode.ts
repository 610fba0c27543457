import type { Decoder } from '../../../src/driver-kit/terminal.ts';
import { meaningOf } from '../sample/meaning.ts';
import { textOf } from './framing.ts';

/** `frame`: one line with its end; `message`: its text. */
export const decode: Decoder = (bytes, layer) => meaningOf(layer === 'message' ? bytes : textOf(bytes), 0);
