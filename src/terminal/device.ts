import type { Currency } from '../base/money.ts';
import type { Capabilities, TerminalIdentity } from './ports.ts';

/** A place where cards are taken, as configured. */
export interface Device {
  readonly id: string;
  readonly name: string;
  readonly driver: string;
  readonly currency: Currency;
  readonly minAmountMinor: number;
  readonly maxAmountMinor: number;
}

export type DeviceStatus = 'ready' | 'busy' | 'recovering' | 'offline' | 'wrong_terminal';

/** A device as it is right now. */
export interface DeviceView {
  readonly device: Device;
  readonly status: DeviceStatus;
  /** Why it is not ready and what to do, in words. */
  readonly statusReason: string | null;
  readonly identity: TerminalIdentity | null;
  readonly capabilities: Capabilities;
  readonly lastSeenAt: number | null;
  readonly inDoubtAttemptId: string | null;
  /** Somebody was seen to use the terminal without us. */
  readonly sharedUse: boolean;
  readonly waiting: number;
}

export interface Devices {
  list(): readonly DeviceView[];
  get(id: string): DeviceView | undefined;
}
