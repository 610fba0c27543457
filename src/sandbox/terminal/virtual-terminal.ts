import { type Clock, sleep } from '../../base/clock.ts';
import { AppError, messageOf } from '../../base/errors.ts';
import { assertNever } from '../../base/invariant.ts';
import type { Log } from '../../base/log.ts';
import type {
  Added,
  Bench,
  Fault,
  FaultPoint,
  Key,
  LedgerEntry,
  Memory,
  NextClose,
  SpoiltEnd,
  StaffedTerminal,
  TerminalSnapshot,
  TypedTransaction,
  VirtualTerminalSettings,
} from '../controllable-terminal.ts';
import type { BytePipe } from './byte-pipe.ts';
import type { Firmware, VirtualDevice, VirtualDialect } from './dialect.ts';
import { FaultInjection } from './fault-injection.ts';
import { FaultScript, type Strike } from './fault-script.ts';
import { Keypad } from './keypad.ts';
import { Ledger } from './ledger.ts';
import { Wire } from './wire.ts';

export interface VirtualTerminalDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly memory: Memory;
}

/** Most simultaneous connections; further ones are closed. */
const MAX_WIRES = 8;

/**
 * A simulated terminal: it speaks a family's protocol on any attached pipe.
 * Why: the mock is below the driver, so that the real driver code runs against it, in memory as well as over a socket.
 *
 * INVARIANTS:
 * - volatile state is in the firmware, which is created anew at every power-up; only the ledger survives;
 * - an unacknowledged approval is settled before the terminal sends anything again.
 */
export class VirtualTerminal implements StaffedTerminal {
  readonly name: string;
  /** The copies of receipts that it printed on its own paper. */
  readonly printed: string[] = [];
  readonly #settings: VirtualTerminalSettings;
  readonly #dialect: VirtualDialect;
  readonly #deps: VirtualTerminalDeps;
  readonly #log: Log;
  readonly #ledger: Ledger;
  readonly #keypad: Keypad;
  readonly #faults: FaultScript;
  readonly #injected = new FaultInjection();
  readonly #wires = new Set<Wire>();
  readonly #listeners = new Set<(on: boolean) => void>();
  #running: { readonly firmware: Firmware; readonly power: AbortController } | undefined;
  #screen = 'off';
  #muteUntil = 0;
  #isPlugged = true;
  #hasPaper = true;
  #stopped = false;

  /** @throws SANDBOX_LEDGER_UNREADABLE, SANDBOX_FAULT_INVALID. */
  constructor(settings: VirtualTerminalSettings, dialect: VirtualDialect, deps: VirtualTerminalDeps) {
    this.name = settings.name;
    this.#settings = settings;
    this.#dialect = dialect;
    this.#deps = deps;
    this.#log = deps.log.child({ virtual_terminal: settings.name });
    this.#ledger = new Ledger(deps.memory);
    this.#keypad = new Keypad(deps.clock, settings.autopilot, settings.autopilotMs);
    this.#faults = new FaultScript(settings.faults);
  }

  get powered(): boolean {
    return this.#running !== undefined;
  }

  /** Calls `listener` when it becomes reachable or unreachable (power, cable). */
  subscribe(listener: (on: boolean) => void): void {
    this.#listeners.add(listener);
  }

  /** Switches it on; does nothing when it is on. */
  start(): void {
    if (this.#running) return;
    this.#stopped = false;
    for (const record of this.#ledger.settleAll(
      this.#settings.missingAcknowledgement,
      this.#dialect.storesDeclined,
    )) {
      this.#log.info(
        { receipt: record.receiptNumber, reversed: record.reversed },
        'settled an unacknowledged approval',
      );
    }
    const power = new AbortController();
    this.#screen = 'ready';
    this.#running = { power, firmware: this.#dialect.powerUp(this.#device(power.signal)) };
    this.#notify(this.#isPlugged);
  }

  /** Switches it off for good; idempotent. */
  stop(): void {
    this.#stopped = true;
    this.#switchOff();
  }

  /** Accepts a pipe and serves it until it ends; without power it is closed at once. */
  attach(pipe: BytePipe): void {
    const running = this.#running;
    if (!running || !this.#isPlugged || this.#wires.size >= MAX_WIRES) {
      pipe.close().catch(() => undefined);
      return;
    }
    const wire = new Wire(pipe, () => this.#deps.clock.monotonic() < this.#muteUntil);
    this.#wires.add(wire);
    running.firmware
      .serve(wire)
      .catch((error) =>
        this.#log.error({ error: messageOf(error) }, 'virtual terminal failed on a connection'),
      )
      .finally(() => {
        this.#wires.delete(wire);
        wire.close();
      });
  }

  snapshot(): TerminalSnapshot {
    return {
      name: this.name,
      protocol: this.#dialect.protocol,
      address: 'memory',
      busy: this.#running?.firmware.busy ?? false,
      screen: this.#screen,
      ledger: this.#ledger.entries(),
    };
  }

  press(key: Key): void {
    this.#keypad.press(key);
  }

  /** An `idle` fault applies at once when the terminal is idle and connected, else as soon as it is. */
  inject(fault: Fault): void {
    this.#faults.add(fault);
    const wire = [...this.#wires].at(-1);
    if (fault.when !== 'idle' || !wire || this.#running?.firmware.busy !== false) return;
    this.#reach('idle', wire, this.#running.power.signal).catch(() => undefined);
  }

  setPower(on: boolean): void {
    if (on) this.start();
    else this.stop();
  }

  setCable(plugged: boolean): void {
    if (plugged === this.#isPlugged) return;
    this.#isPlugged = plugged;
    if (!plugged) this.#dropWires();
    this.#notify(plugged && this.powered);
  }

  setPaper(isIn: boolean): void {
    this.#hasPaper = isIn;
  }

  exchange(): void {
    const wasOn = this.powered;
    this.#switchOff();
    this.#ledger.exchange();
    if (wasOn) this.start();
  }

  setAutopilot(key: Key | 'off'): void {
    this.#keypad.autopilot = key;
  }

  forgetFaults(): void {
    this.#faults.forget();
  }

  bench(): Bench {
    const { autopilot } = this.#keypad;
    const { serial } = this.#identity();
    const earlier = this.#ledger.earlier().map(({ exchanges, entries }) => ({
      serial: later(this.#settings.serial, exchanges),
      ledger: entries,
    }));
    return {
      serial,
      earlier,
      isOn: this.powered,
      isPlugged: this.#isPlugged,
      autopilot,
      faults: this.#faults.waiting,
    };
  }

  typeByHand(typed: TypedTransaction): LedgerEntry {
    return this.#idleFirmware().typeByHand(typed);
  }

  closeByHand(): void {
    this.#idleFirmware().closeByHand();
  }

  nextAmount(amountMinor: number, added: Added = {}): void {
    this.#injected.orderAmount(amountMinor, added);
  }

  nextCard(id: string): void {
    this.#injected.orderCard(id);
  }

  spoilNextEnd(how: SpoiltEnd, code?: number): void {
    this.#injected.orderBadEnd(how, code);
  }

  nextClose(how: NextClose): void {
    this.#injected.orderClose(how);
  }

  presetNumbers(receipt: number, trace: number): void {
    this.#ledger.presetNumbers(receipt, trace);
  }

  #idleFirmware(): Firmware {
    const firmware = this.#running?.firmware;
    if (firmware && !firmware.busy) return firmware;
    const why = firmware ? 'busy' : 'switched off';
    throw new AppError('SANDBOX_TERMINAL_BUSY', `nothing can be typed: the virtual terminal is ${why}`);
  }

  /** Each replacement has the next numbers. */
  #identity(): Pick<VirtualTerminalSettings, 'serial' | 'terminalId'> {
    const { serial, terminalId } = this.#settings;
    const { exchanges } = this.#ledger;
    return { serial: later(serial, exchanges), terminalId: later(terminalId, exchanges) };
  }

  #device(power: AbortSignal): VirtualDevice {
    return {
      settings: { ...this.#settings, ...this.#identity() },
      clock: this.#deps.clock,
      log: this.#log,
      ledger: this.#ledger,
      keypad: this.#keypad,
      faults: this.#injected,
      power,
      hasPaper: () => this.#hasPaper,
      print: (text) => this.printed.push(text),
      show: (text) => {
        if (!power.aborted) this.#screen = text;
      },
      reach: (point, wire) => this.#reach(point, wire, power),
    };
  }

  async #reach(point: FaultPoint, wire: Wire, power: AbortSignal): Promise<void> {
    power.throwIfAborted();
    const strike = this.#faults.take(point);
    if (!strike) return;
    this.#log.info({ point, fault: strike.do, ms: strike.ms }, 'fault strikes');
    await this.#strike(strike, wire, power);
    power.throwIfAborted();
  }

  async #strike(strike: Strike, wire: Wire, power: AbortSignal): Promise<void> {
    switch (strike.do) {
      case 'silence':
        this.#muteUntil = this.#deps.clock.monotonic() + strike.ms;
        return;
      case 'cut':
        wire.close();
        return;
      case 'garbage':
        wire.noise();
        return;
      case 'duplicate':
        wire.doubleNext();
        return;
      case 'delay':
        return sleep(this.#deps.clock, strike.ms, power, 'sandbox delay');
      case 'power_loss':
        return this.#losePower(strike.ms);
      default:
        return assertNever(strike.do);
    }
  }

  #losePower(ms: number): void {
    this.#switchOff();
    this.#deps.clock.timer('sandbox power back', ms, () => {
      if (!this.#stopped) this.start();
    });
  }

  #switchOff(): void {
    const running = this.#running;
    if (!running) return;
    this.#running = undefined;
    this.#screen = 'off';
    this.#muteUntil = 0;
    this.#notify(false);
    running.power.abort(new AppError('SANDBOX_POWER_LOST', 'the virtual terminal has no power'));
    this.#dropWires();
  }

  #notify(on: boolean): void {
    for (const listener of this.#listeners) listener(on);
  }

  #dropWires(): void {
    for (const wire of this.#wires) wire.close();
    this.#wires.clear();
  }
}

/** Adds `by` to the number at the end of a name, keeping its length: `17F00001` and 1 give `17F00002`. */
function later(name: string, by: number): string {
  return name.replace(/\d+$/, (digits) =>
    String(Number(digits) + by)
      .padStart(digits.length, '0')
      .slice(-digits.length),
  );
}
