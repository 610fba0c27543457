import type { Currency } from '../base/money.ts';
import type { AnsweringTerminal } from './identity.ts';
import type { Capabilities, TerminalIdentity } from './ports.ts';

/** A configured point of sale with one card terminal. */
export interface Device {
  readonly id: string;
  readonly name: string;
  readonly driver: string;
  readonly currency: Currency;
  readonly minAmountMinor: number;
  readonly maxAmountMinor: number;
  /** The till asks once more above this; absent: above 1,000 of the currency. */
  readonly askAboveMinor?: number;
  /** Whether its terminal asks each customer for a tip; absent: it does not. */
  readonly tip?: 'none' | 'ask';
  /** Its terminal is reached over the shop's network, where another machine could answer at its address. */
  readonly onNetwork?: true;
}

export type DeviceStatus = 'ready' | 'busy' | 'recovering' | 'offline' | 'wrong_terminal';

/** The present state of a device. */
export interface DeviceView {
  readonly device: Device;
  readonly status: DeviceStatus;
  /** Why the device is not ready and what to do, in words. */
  readonly statusReason: string | null;
  readonly identity: TerminalIdentity | null;
  /** The terminal that answers in the place of the known one; null unless the status is `wrong_terminal`. */
  readonly answering: AnsweringTerminal | null;
  readonly capabilities: Capabilities;
  readonly lastSeenAt: number | null;
  readonly inDoubtAttemptId: string | null;
  /** The terminal was used by hand, without a command from tilld. */
  readonly sharedUse: boolean;
  /** What its terminal needs from a person before it sells, like `terminal_printer`; null: nothing, or it does not answer. */
  readonly needs: string | null;
  /** The terminal answers right now; also false while a doubt waits on one without power. */
  readonly isConnected: boolean;
  readonly waiting: number;
}

export interface Devices {
  list(): readonly DeviceView[];
  get(id: string): DeviceView | undefined;
}
