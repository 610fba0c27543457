import type { MoneyCommand, Observer, Outcome } from '../../../src/driver-kit/terminal.ts';
import type { Enquiry } from './talk-line.ts';
import type { V3Message } from './v3-messages.ts';

/** A question that moves no money. */
export interface Question {
  readonly request: Uint8Array;
  /** Its tag CD. */
  readonly action: string;
  /** Longest wait for the answer. */
  readonly ms: number;
  /**
   * It must not be executed twice: its frame is repeated on a NAK only. Called right before its first byte is handed over; a later
   * error does not tell what the terminal did, unless it is LINK_CLOSED or TERMINAL_NOT_HEARD.
   */
  readonly once?: () => void;
}

/** The driver's dialogue over one kind of link. */
export interface Channel {
  /** The first bytes received on it. */
  readonly heard: Uint8Array;
  /**
   * Sends a question and returns the answer, for V3.
   * @throws TERMINAL_BUSY when the terminal takes no question now, or the answer is that of an older payment, which stays
   * unacknowledged; LINK_REFUSED, LINK_CLOSED when nothing was sent; TERMINAL_NO_ANSWER, TERMINAL_LINK_LOST, TERMINAL_GARBLED
   */
  ask(question: Question, signal: AbortSignal): Promise<V3Message>;
  /** On a cable: the answer to our ENQ; undefined over the network. @throws LINK_CLOSED, TERMINAL_LINK_LOST, TERMINAL_STOPPED */
  enquire?(signal: AbortSignal): Promise<Enquiry>;
  /** On a cable: lets a terminal that has a message send it first. @throws as `enquire` */
  listen?(ms: number, signal: AbortSignal): Promise<boolean>;
  /** Never throws. */
  pay(command: MoneyCommand, observer: Observer, signal: AbortSignal): Promise<Outcome>;
  lateEnd?(command: MoneyCommand, observer: Observer, signal: AbortSignal): Promise<Outcome | null>;
  close(): Promise<void>;
}
