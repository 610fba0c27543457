export type VirtualKey = 'approve' | 'decline' | 'wrong_pin' | 'abort' | 'walk_away';

/** A fault that takes effect at one moment of a dialogue. */
export interface VirtualFault {
  readonly when: 'command' | 'customer' | 'result' | 'result_acknowledged' | 'print' | 'completion' | 'idle';
  readonly do: 'silence' | 'cut' | 'garbage' | 'duplicate' | 'delay' | 'power_loss';
  readonly ms: number;
  readonly times: number;
}

/** The current state of a virtual terminal. */
export interface VirtualTerminalView {
  readonly name: string;
  readonly protocol: string;
  readonly address: string;
  /** Serial number of the terminal that is there now. */
  readonly serial: string;
  /** The devices of the configuration that it serves. */
  readonly deviceIds: readonly string[];
  readonly isOn: boolean;
  readonly isPlugged: boolean;
  readonly isBusy: boolean;
  readonly screen: string;
  /** The customer's action without a key; `off`: none. */
  readonly autopilot: VirtualKey | 'off';
  readonly cards: readonly {
    readonly id: string;
    readonly label: string;
    readonly entry: 'chip' | 'contactless';
    readonly verification: 'none' | 'online_pin' | 'signature';
  }[];
  readonly faults: readonly VirtualFault[];
  /** What the terminal really charged, newest first, at most 20. `at`: epoch ms. */
  readonly ledger: readonly VirtualLedgerLine[];
  /** The same of the terminals that stood here before, the newest first. */
  readonly earlier: readonly { readonly serial: string; readonly ledger: readonly VirtualLedgerLine[] }[];
}

export interface VirtualLedgerLine {
  readonly receiptNumber: string;
  readonly kind: 'sale' | 'refund' | 'void';
  readonly amountMinor: number;
  readonly currency: string;
  readonly result: 'approved' | 'declined' | 'aborted';
  readonly isReversed: boolean;
  readonly at: number;
}

/** The virtual terminals of the sandbox, and the actions of a person at them. @throws VIRTUAL_TERMINAL_UNKNOWN */
export interface VirtualTerminals {
  all(): readonly VirtualTerminalView[];
  /** `card`: the one the customer shows. @throws VIRTUAL_TERMINAL_REFUSED */
  press(name: string, key: VirtualKey, card: string | null): VirtualTerminalView;
  /** @throws VIRTUAL_TERMINAL_REFUSED */
  inject(name: string, fault: VirtualFault): VirtualTerminalView;
  /** Removes faults that have not taken effect yet. */
  forgetFaults(name: string): VirtualTerminalView;
  set(
    name: string,
    switches: {
      readonly isOn?: boolean;
      readonly isPlugged?: boolean;
      readonly autopilot?: VirtualKey | 'off';
      /** Another terminal replaces it. */
      readonly exchange?: boolean;
    },
  ): VirtualTerminalView;
}
