import type { Currency } from '../../src/base/money.ts';
import type { TerminalManifest } from '../../src/driver-kit/define.ts';
import type { VirtualDialect } from '../../src/sandbox/terminal/dialect.ts';
import type { Capabilities } from '../../src/terminal/ports.ts';
import type { Reader, TerminalPacket, TerminalWord, TillPacket } from './words.ts';

/**
 * What a terminal of this family can be like, beyond the usual. A family whose terminals cannot says so, with the reason, in
 * {@link Subject.withoutHabit}.
 */
export interface Habits {
  /** It takes back its very last payment only. */
  readonly voidsLastOnly?: boolean;
  /** It answers the question for its last transaction, and tells nothing. */
  readonly reportsNothing?: boolean;
  /** How long it seems idle to a new connection although the customer of a lost till still pays, ms. */
  readonly looksIdleMs?: number;
  /** How long the card stays in the reader after a payment, ms. */
  readonly cardStaysMs?: number;
  /** How long it is not ready after it was switched on, ms. */
  readonly bootMs?: number;
  /** It keeps declined payments, too, and counts them. */
  readonly storesDeclined?: boolean;
  /** Its numbers begin anew with every batch. */
  readonly numbersRestart?: boolean;
  /** It tells of nothing after an end of day. */
  readonly forgetsAtClose?: boolean;
}

/** Somebody who speaks another protocol. */
export interface ForeignTerminal {
  readonly name: string;
  /** What it says as soon as the line is open. */
  readonly greets?: Uint8Array;
  /** What it says to everything that the till writes. */
  readonly answers?: Uint8Array;
  /** The code with which `open` rejects. */
  readonly code: string;
}

/** One driver over one wire: everything that the scenarios cannot know by themselves. */
export interface Subject {
  /** `zvt over tcp`. */
  readonly id: string;
  readonly manifest: TerminalManifest;
  /** The manifest's capabilities, as these options narrow them. */
  readonly capabilities: Capabilities;
  readonly wire: 'serial' | 'tcp';
  /** The device's `options`, as the config has them. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly currency: Currency;
  /** Minor units: what is usually sold, and the least that the protocol can carry. */
  readonly amounts: { readonly usual: number; readonly least: number };
  /** The family's side of the virtual terminal. */
  dialect(habits: Habits): VirtualDialect;
  /** Why a terminal of this family cannot have a habit. */
  readonly withoutHabit: Readonly<Partial<Record<keyof Habits, string>>>;
  /** How a payment ends that the customer stopped, where the protocol has no word of its own for that, and why; default aborted. */
  readonly stopped?: { readonly outcome: 'declined'; readonly because: string };
  /** Times of the protocol, ms. */
  readonly times: {
    /** A delay that every part of every dialogue bears. */
    readonly bearableMs: number;
    /** Longest that a terminal waits for the acknowledgement of a result. */
    readonly acknowledgeMs: number;
    /** No answer of a living terminal takes longer. */
    readonly longestMs: number;
  };
  /** What the line does by itself, below the messages. */
  readonly line: {
    /** Every frame is answered with ACK or NAK, and repeated when it was not. */
    readonly acknowledges: boolean;
    /** A frame carries a checksum: damage is seen. */
    readonly checks: boolean;
    /** Bytes between two frames are passed over. */
    readonly skipsNoise: boolean;
    /** What the terminal says once, without a check, and never again (E+: EOT); its loss cannot be mended. */
    readonly unrepeated?: readonly TerminalWord[];
    /** The line's "damaged", where it is more than a single 15. */
    readonly nak?: Uint8Array;
    /** Why not, for the rows that need it; cites the protocol. */
    readonly because: string;
  };
  /** Bytes that begin no frame and mean nothing, at most a few of each. */
  readonly noise: readonly Uint8Array[];
  /** The beginning of a frame that never ends, longer than any frame may be. */
  readonly overlong: Uint8Array;
  readonly foreign: readonly ForeignTerminal[];
  tillReader(): Reader<TillPacket>;
  /** `till`: the reader of the other direction of the same line. */
  terminalReader(till: Reader<TillPacket>): Reader<TerminalPacket>;
  /** Scenarios that are not for this protocol for a reason that no capability tells: id → a sentence that cites the protocol. */
  readonly exemptions: Readonly<Record<string, string>>;
}
