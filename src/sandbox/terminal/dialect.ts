import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type {
  FaultPoint,
  LedgerEntry,
  TypedTransaction,
  VirtualTerminalSettings,
} from '../controllable-terminal.ts';
import type { Keypad } from './keypad.ts';
import type { Ledger } from './ledger.ts';
import type { Whims } from './whims.ts';
import type { Wire } from './wire.ts';

/** What a terminal family brings to its virtual terminal: the protocol, from the terminal's side. */
export interface VirtualDialect {
  /** The word in the config: `zvt`. */
  readonly protocol: string;
  /** Whether a declined transaction can be asked for later, and uses up a receipt number. */
  readonly storesDeclined: boolean;
  /** The volatile part: made at every power-up, forgotten at power loss. Must not do anything until it is called. */
  powerUp(device: VirtualDevice): Firmware;
}

/** A running terminal program. */
export interface Firmware {
  /** Whether a dialogue runs. */
  readonly busy: boolean;
  /** Speaks on one connection until it ends; several may be open, one dialogue runs at a time. Never rejects. */
  serve(wire: Wire): Promise<void>;
  /** A transaction that staff type; called while it is idle only. @throws SANDBOX_NOT_POSSIBLE */
  typeByHand(typed: TypedTransaction): LedgerEntry;
  /** An end of day without the till; called while it is idle only. @throws SANDBOX_NOT_POSSIBLE */
  closeByHand(): void;
}

/** The hardware as a dialect sees it. */
export interface VirtualDevice {
  readonly settings: VirtualTerminalSettings;
  readonly clock: Clock;
  readonly log: Log;
  readonly ledger: Ledger;
  readonly keypad: Keypad;
  readonly whims: Whims;
  /** Aborts when the power goes; every wait of a dialogue ends with it. */
  readonly power: AbortSignal;
  /** What the customer reads. */
  show(text: string): void;
  /**
   * A dialogue has come to `point`; a fault may strike. `wire` is where the dialogue is held.
   * @throws the reason of `power` when the power goes.
   */
  reach(point: FaultPoint, wire: Wire): Promise<void>;
}
