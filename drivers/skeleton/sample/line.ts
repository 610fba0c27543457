import type { Handed, LineEvent, TimeLimit } from '../../../src/driver-kit/terminal.ts';

/** What the dialogues need of a line: `StxLine` of the kit has it. */
export interface Line {
  /** Sends a question. @throws TERMINAL_NOT_HEARD, LINK_CLOSED, LINK_LOST, TERMINAL_LINK_LOST, or the signal's reason */
  send(data: Uint8Array, signal: AbortSignal): Promise<unknown>;
  /** Sends a command that moves money; `handed` is called right before its first byte. @throws as `send` */
  sendMoney(data: Uint8Array, handed: () => void, signal: AbortSignal): Promise<Handed>;
  /** The terminal's next event. @throws TERMINAL_NO_ANSWER, TERMINAL_LINK_LOST, TERMINAL_GARBLED, or the signal's reason */
  receive(timeLimit: TimeLimit, signal: AbortSignal): Promise<LineEvent>;
  /** Acknowledges what came last: its content is on disk, or is not needed. @throws LINK_CLOSED */
  acknowledge(): Promise<void>;
  /** Drops unsolicited events. */
  drain(): void;
  /** Writes and reads nothing from now on. */
  mute(): void;
}
