import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type {
  FaultPoint,
  LedgerEntry,
  TypedTransaction,
  VirtualTerminalSettings,
} from '../controllable-terminal.ts';
import type { FaultInjection } from './fault-injection.ts';
import type { Keypad } from './keypad.ts';
import type { Ledger } from './ledger.ts';
import type { Wire } from './wire.ts';

/** The protocol of a terminal family, from the terminal's side. */
export interface VirtualDialect {
  /** The word in the config: `zvt`. */
  readonly protocol: string;
  /** Whether the terminal stores a declined transaction for later queries, which uses up a receipt number. */
  readonly storesDeclined: boolean;
  /** The volatile part: created at every power-up, lost at power loss. Must do nothing until it is called. */
  powerUp(device: VirtualDevice): Firmware;
}

/** A running terminal program. */
export interface Firmware {
  /** Whether a dialogue is running. */
  readonly busy: boolean;
  /** Serves one connection until it ends; several may be open, one dialogue runs at a time. Never rejects. */
  serve(wire: Wire): Promise<void>;
  /** A transaction that staff type; called only while idle. @throws SANDBOX_NOT_POSSIBLE */
  typeByHand(typed: TypedTransaction): LedgerEntry;
  /** An end of day without the till; called only while idle. @throws SANDBOX_NOT_POSSIBLE */
  closeByHand(): void;
}

/** The hardware as a dialect sees it. */
export interface VirtualDevice {
  readonly settings: VirtualTerminalSettings;
  readonly clock: Clock;
  readonly log: Log;
  readonly ledger: Ledger;
  readonly keypad: Keypad;
  readonly faults: FaultInjection;
  /** Aborts when the power goes; it ends every wait of a dialogue. */
  readonly power: AbortSignal;
  /** Whether paper is in its printer. */
  hasPaper(): boolean;
  /** Prints a copy on its own paper. */
  print(text: string): void;
  /** Shows a text on the terminal display. */
  show(text: string): void;
  /**
   * A dialogue has reached `point`; a fault may be injected. `wire` is the dialogue's connection.
   * @throws the reason of `power` when the power goes.
   */
  reach(point: FaultPoint, wire: Wire): Promise<void>;
}
