/** What a till writes, as far as the suite must tell it apart. */
export type TillWord =
  /** Moves money when the terminal takes it: a sale, a refund, a void, a pre-authorisation, ... */
  | 'money'
  /** Closes the batch. */
  | 'close'
  /** Makes the terminal print, or changes what it keeps. */
  | 'paper'
  | 'abort'
  /** Answers a packet of the terminal; where a result can be answered by it, it is the commitment. */
  | 'acknowledgement'
  /** Any other command. */
  | 'question'
  /** The line's own "arrived" and "damaged". */
  | 'line_ack'
  | 'line_nak'
  | 'unreadable';

/** What a terminal says. */
export type TerminalWord =
  | 'accepted'
  | 'refused'
  | 'progress'
  /** A result of a payment, or the totals of an end of day. */
  | 'result'
  | 'print'
  | 'end'
  | 'line_ack'
  | 'line_nak'
  | 'other'
  | 'unreadable';

/** One packet of the till. */
export interface TillPacket {
  readonly word: TillWord;
}

/** One packet of the terminal. `asks`: the till sends it exactly one acknowledgement. */
export interface TerminalPacket {
  readonly word: TerminalWord;
  readonly asks: boolean;
}

/** Reads one direction of a line in any segmentation; keeps what is incomplete. Shares nothing with the driver. */
export interface Reader<Packet> {
  read(bytes: Uint8Array): readonly Packet[];
  /** What the till asked last, in the words of its own subject, where the terminal's packets mean nothing without it. */
  asked?(): string;
}
