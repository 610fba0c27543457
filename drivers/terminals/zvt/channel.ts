import type { TimeLimit } from '../../../src/driver-kit/terminal.ts';

/** How many of the first bytes a channel keeps, to recognise another protocol. */
const HEARD_LIMIT = 64;

/** Carries APDUs over one link; the link's own protocol (frames, ACK, repeats) stays below. */
export interface ApduChannel {
  /** The first bytes received, at most {@link HEARD_LIMIT}. */
  readonly heard: Uint8Array;
  /** False on a line where the terminal may receive a frame twice: a NAK caused by noise has it repeated. */
  readonly deliversOnce: boolean;
  /** Starts reading. */
  start(): void;
  /**
   * Sends an ordinary APDU; a serial line repeats it on NAK and silence, at most twice.
   * @throws LINK_CLOSED, LINK_LOST, TERMINAL_NOT_HEARD, or the signal's reason.
   */
  send(apdu: Uint8Array, signal: AbortSignal): Promise<void>;
  /**
   * Sends an APDU that moves money: unsolicited packets are dropped first, and a serial line repeats it on a NAK only, at most
   * twice, and only if nothing else came. The caller handles silence. `handed` is called right before the first byte.
   * @throws LINK_CLOSED when no byte was sent; LINK_LOST, TERMINAL_LINK_LOST when some may have been sent;
   * TERMINAL_NOT_HEARD when the terminal refused all three frames as damaged.
   */
  sendMoney(apdu: Uint8Array, handed: () => void, signal: AbortSignal): Promise<void>;
  /** The next APDU of the terminal. @throws TERMINAL_NO_ANSWER, TERMINAL_LINK_LOST, TERMINAL_GARBLED, or the signal's reason. */
  receive(timeLimit: TimeLimit, signal: AbortSignal): Promise<Uint8Array>;
  /** Drops unsolicited packets. */
  drain(): void;
  /** From now on nothing is written or read. */
  mute(): void;
}

/** Keeps the first bytes of a conversation. */
export function appendHeard(heard: Uint8Array, piece: Uint8Array): Uint8Array {
  if (heard.length >= HEARD_LIMIT) return heard;
  return Uint8Array.from([...heard, ...piece.subarray(0, HEARD_LIMIT - heard.length)]);
}
