/** Keys of a virtual terminal; each key stands for one action of the customer. */
export const KEYS = ['approve', 'decline', 'wrong_pin', 'abort', 'walk_away'] as const;
export type Key = (typeof KEYS)[number];

/** Moments of a dialogue at which a fault can be injected, in the order in which they occur. */
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

/** `silence`: sends nothing for `ms`; `cut`: ends the connection; `power_loss`: cut, and the volatile memory is lost for `ms`. */
export const FAULT_KINDS = ['silence', 'cut', 'garbage', 'duplicate', 'delay', 'power_loss'] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export interface Fault {
  readonly when: FaultPoint;
  readonly do: FaultKind;
  /** Length of a silence, a delay or a power loss; default 1000. */
  readonly ms?: number;
  /** How many times the fault is injected; default 1. */
  readonly times?: number;
}

/** The settings of a virtual terminal, as the config's `sandbox.terminals[]` has them. */
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
  /** The key that is pressed automatically once a payment waits for a card; `off`: none. */
  readonly autopilot: Key | 'off';
  readonly autopilotMs: number;
  /** What a customer who is asked for a tip adds, percent of the amount; absent: nothing. */
  readonly tipPercent?: number;
  /** What the terminal does with an approval that the till does not acknowledge; vendors differ. */
  readonly missingAcknowledgement: 'reverse' | 'decline' | 'keep';
  readonly faults: readonly Fault[];
}

/** One line of the ledger: what happened to the customer's money. */
export interface LedgerEntry {
  /** The ledger's own sequence number; never wraps. */
  readonly sequence: number;
  readonly receiptNumber: string;
  readonly trace: string;
  readonly kind: 'sale' | 'refund' | 'void';
  readonly amountMinor: number;
  readonly currency: string;
  readonly result: 'approved' | 'declined' | 'aborted';
  /** True once the terminal or a void reversed it. */
  readonly reversed: boolean;
  /** Staff typed it at the terminal, without a till. */
  readonly byHand: boolean;
  /** Counts the ends of day from 1. */
  readonly batch: number;
  /** The `sequence` of the transaction that a void undoes. */
  readonly undoes: number | null;
  /** Epoch ms. */
  readonly at: number;
  /** The till's own reference, where the protocol carries one; otherwise empty. */
  readonly reference: string;
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

/** The controls of a virtual terminal for staff and for tests. */
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
  /** The receipt number that a void undoes; absent: the last sale that still stands. */
  readonly receiptNumber?: string;
  /** Default `approved`. */
  readonly result?: 'approved' | 'declined';
}

/** What the customer added at the terminal; both are part of the approved amount. */
export interface Added {
  readonly tipMinor?: number;
  readonly cashbackMinor?: number;
}

/**
 * What happens to an approval that the till acknowledged but whose dialogue ends badly: the terminal keeps it, or reverses it with or
 * without a message to the till. `untold`: the terminal keeps it, and the till receives the bad end only.
 */
export type SpoiltEnd = 'kept' | 'reversed' | 'reversed_silently' | 'untold';

/** The next end of day: the terminal refuses it, or closes its batch and then updates its software. */
export type NextClose = 'refused' | 'updates';

/**
 * A virtual terminal with the actions of staff and vendor. Every call takes effect at once, on the terminal's own clock.
 * A setting for the next dialogue survives a power loss and is used once.
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
  /** The next customer pays with this sandbox card, for example `visa-signed-offline`. */
  nextCard(id: string): void;
  /** The next approval ends with `06 1E` or the protocol's equivalent. `code`: default 66, processing error. */
  spoilNextEnd(how: SpoiltEnd, code?: number): void;
  nextClose(how: NextClose): void;
  /** Off: at once, in any state; volatile memory is lost. */
  setPower(on: boolean): void;
  /** Unplugged: no byte passes in either direction; the terminal itself continues. */
  setCable(plugged: boolean): void;
  /** Without paper in its own printer it answers, and says so where its protocol has a word for it (ZVT, nexo). */
  setPaper(isIn: boolean): void;
  /** Replaces the terminal by another one with other identity numbers and an empty memory. */
  exchange(): void;
  /** The key that is pressed automatically from the next wait for a card on. */
  setAutopilot(key: Key | 'off'): void;
  forgetFaults(): void;
  bench(): Bench;
  /** Sets the numbers that were used last: after 9999 and 999999 the next ones are 0001 and 000001. */
  presetNumbers(receipt: number, trace: number): void;
}

/** The current setup of a virtual terminal. */
export interface Bench {
  /** Of the current terminal. */
  readonly serial: string;
  readonly isOn: boolean;
  readonly isPlugged: boolean;
  readonly autopilot: Key | 'off';
  /** What the terminals charged that stood here before, the newest first; entries oldest first. */
  readonly earlier: readonly { readonly serial: string; readonly ledger: readonly LedgerEntry[] }[];
  /** Pending faults, with what is left of their `times`. */
  readonly faults: readonly Required<Fault>[];
}

/** Non-volatile memory of a sandbox component: one text, written as a whole. */
export interface Memory {
  load(): string | null;
  save(text: string): void;
}
