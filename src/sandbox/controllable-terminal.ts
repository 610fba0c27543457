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
  readonly receiptNumber: string;
  readonly trace: string;
  readonly kind: 'sale' | 'refund' | 'void';
  readonly amountMinor: number;
  readonly currency: string;
  readonly result: 'approved' | 'declined' | 'aborted';
  /** True once it was taken back by the terminal or by a void. */
  readonly reversed: boolean;
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

/** Non-volatile memory of a sandbox part: a text, written as a whole. */
export interface Memory {
  load(): string | null;
  save(text: string): void;
}
