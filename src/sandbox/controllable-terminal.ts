/** Keys a person at the counter can press on a virtual terminal, standing for what the customer does. */
export const KEYS = ['approve', 'decline', 'wrong_pin', 'abort', 'walk_away'] as const;
export type Key = (typeof KEYS)[number];

/** Moments of a dialogue at which a fault can strike, in the order they come. */
export const FAULT_POINTS = [
  'command',
  'customer',
  'result',
  'result_acknowledged',
  'print',
  'completion',
  'idle',
] as const;
export type FaultPoint = (typeof FAULT_POINTS)[number];

/** `silence`: says nothing for `ms`; `cut`: ends the connection; `power_loss`: cut, and the volatile memory is gone for `ms`. */
export const FAULT_KINDS = ['silence', 'cut', 'garbage', 'duplicate', 'delay', 'power_loss'] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export interface Fault {
  readonly when: FaultPoint;
  readonly do: FaultKind;
  /** Length of a silence, a delay or a power loss; default 1000. */
  readonly ms?: number;
  /** How many times it strikes; default 1. */
  readonly times?: number;
}

/** What a virtual terminal is, as the config's `sandbox.terminals[]` describes it. */
export interface VirtualTerminalSettings {
  readonly name: string;
  readonly protocol: string;
  readonly over: 'tcp' | 'pty';
  /** TCP port on loopback; 0: any. Unused on a pty. */
  readonly port: number;
  /** ISO 4217 alphabetic code. */
  readonly currency: string;
  /** Serial number, 8 hex digits. */
  readonly serial: string;
  /** Terminal id, 8 digits. */
  readonly terminalId: string;
  /** What happens by itself once a payment waits for a card; `off` waits for a key. */
  readonly autopilot: Key | 'off';
  readonly autopilotMs: number;
  /** What it does when nobody acknowledges its approval: vendors differ. */
  readonly missingAcknowledgement: 'reverse' | 'decline' | 'keep';
  readonly faults: readonly Fault[];
}

/** One line of the ledger: what really happened to the customer's money. */
export interface LedgerEntry {
  /** The ledger's own running number; never wraps. */
  readonly sequence: number;
  readonly receiptNumber: string;
  readonly trace: string;
  readonly kind: 'sale' | 'refund' | 'void';
  readonly amountMinor: number;
  readonly currency: string;
  readonly result: 'approved' | 'declined' | 'aborted';
  /** True once it was taken back by the terminal or by a void. */
  readonly reversed: boolean;
  /** Typed at the terminal itself, without a till. */
  readonly byHand: boolean;
  /** Counts the ends of day from 1. */
  readonly batch: number;
  /** What a void undoes: the `sequence` of its original. */
  readonly undoes: number | null;
  /** Epoch ms. */
  readonly at: number;
}

export interface TerminalSnapshot {
  readonly name: string;
  readonly protocol: string;
  /** `tcp://127.0.0.1:PORT` or the path of the pty. */
  readonly address: string;
  readonly busy: boolean;
  readonly screen: string;
  readonly ledger: readonly LedgerEntry[];
}

/** The side of a virtual terminal that a person or a test can reach. */
export interface ControllableTerminal {
  readonly name: string;
  snapshot(): TerminalSnapshot;
  press(key: Key): void;
  inject(fault: Fault): void;
}

/** What staff type at the terminal itself, without a till. */
export interface TypedTransaction {
  readonly kind: LedgerEntry['kind'];
  /** Minor units; a void takes those of its original. */
  readonly amountMinor?: number;
  /** What a void undoes; without it the last sale that still stands. */
  readonly receiptNumber?: string;
  /** Default `approved`. */
  readonly result?: 'approved' | 'declined';
}

/** What a customer added at the terminal; both are part of the approved amount. */
export interface Added {
  readonly tipMinor?: number;
  readonly cashbackMinor?: number;
}

/**
 * What becomes of an approval whose dialogue ends badly although the till acknowledged it: it stays, or the terminal takes it
 * back, with a word of it to the till or without. `untold`: it stays, and the till hears of nothing but the bad end.
 */
export type SpoiltEnd = 'kept' | 'reversed' | 'reversed_silently' | 'untold';

/** What the next end of day comes to: the terminal refuses it, or closes and then updates its software. */
export type NextClose = 'refused' | 'updates';

/**
 * A virtual terminal with staff at its keys and a vendor behind it. Everything happens at once, on the terminal's own clock.
 * What is said of the next dialogue survives a power loss and is used up once.
 */
export interface StaffedTerminal extends ControllableTerminal {
  /**
   * Runs a transaction without the till; it takes the next numbers.
   * @throws SANDBOX_TERMINAL_BUSY while it is busy or off; SANDBOX_NOT_POSSIBLE for a void without an original, a missing
   * amount, or where the till has locked the keys.
   */
  typeByHand(typed: TypedTransaction): LedgerEntry;
  /** The terminal's own end of day. @throws SANDBOX_TERMINAL_BUSY, SANDBOX_NOT_POSSIBLE, see {@link typeByHand}. */
  closeByHand(): void;
  /** The next sale is approved for this amount: less (partial approval) or more than the till asked for. */
  nextAmount(amountMinor: number, added?: Added): void;
  /** The next customer pays with this card of the sandbox's: `visa-signed-offline`. */
  nextCard(id: string): void;
  /** The next approval ends with `06 1E`, or what the protocol has for it. `code`: default 66, processing error. */
  spoilNextEnd(how: SpoiltEnd, code?: number): void;
  nextClose(how: NextClose): void;
  /** Off: at once, whatever it is doing; what is volatile is gone. */
  setPower(on: boolean): void;
  /** Out: nothing gets through either way, and the terminal itself goes on. */
  setCable(plugged: boolean): void;
  /** Another terminal is put in its place: other numbers of its own, and nothing in its memory. */
  exchange(): void;
  /** What happens from the next wait for a card on, when no key is pressed. */
  setAutopilot(key: Key | 'off'): void;
  forgetFaults(): void;
  bench(): Bench;
  /** The numbers that were used last: 9999 and 999999 make the next ones 0001 and 000001. */
  presetNumbers(receipt: number, trace: number): void;
}

/** How a virtual terminal is set up right now. */
export interface Bench {
  /** Of the terminal that stands there now. */
  readonly serial: string;
  readonly isOn: boolean;
  readonly isPlugged: boolean;
  readonly autopilot: Key | 'off';
  /** Those that have not struck yet, with what is left of their `times`. */
  readonly faults: readonly Required<Fault>[];
}

/** Non-volatile memory of a sandbox part: a text, written as a whole. */
export interface Memory {
  load(): string | null;
  save(text: string): void;
}
