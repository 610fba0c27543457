import { sleep, withDeadline } from '../../../src/base/clock.ts';
import { AppError } from '../../../src/base/errors.ts';
import { underAll } from '../../../src/base/signals.ts';
import type { FaultPoint, Key } from '../../../src/sandbox/controllable-terminal.ts';
import { civilTime } from '../../../src/sandbox/terminal/civil-time.ts';
import type { VirtualDevice } from '../../../src/sandbox/terminal/dialect.ts';
import { bcd, container, encodeApdu, tlv } from './virtual-apdu.ts';
import type { Channel, Reply } from './virtual-channel.ts';
import type { ZvtVirtualOptions } from './virtual-options.ts';
import { encodeText, type PrintManner, printPackets, type VirtualReceipt } from './virtual-receipts.ts';
import type { StatusSetting } from './virtual-status.ts';

/** The agreements of a registration; volatile. */
export interface Registration {
  readonly config: number;
  readonly tlv: boolean;
  readonly permitted: ReadonlySet<number> | null;
  /** Tag 14 of the agreed charset. */
  readonly charset: number;
  readonly maxApdu: number | null;
}

/** Bits of the config byte. */
const [PRINTS_PAYMENTS, PRINTS_ADMIN, WANTS_PROGRESS, AS_COMMANDS] = [0x02, 0x04, 0x08, 0x80];
/** Lines of a text block, where the till sets no limit. */
const BLOCK_LINES = 200;
/** The most bytes of a line in a text block: 24 characters of up to three bytes, tag, length. */
const LINE_BYTES = 24 * 3 + 2;
const BLOCK_HEAD_BYTES = 24;
/** Asks the till to wait this much longer (BCD minutes). */
const MINUTES_MORE = 0x03;

/**
 * One dialogue in which the terminal is the master.
 * Why: the customer at the terminal continues whatever happens to the connection, so a packet that cannot be sent is skipped, not thrown.
 * Every method throws when the power goes, and only then.
 */
export class Dialogue {
  readonly device: VirtualDevice;
  readonly channel: Channel;
  readonly options: ZvtVirtualOptions;
  readonly #registration: Registration;
  #ending = false;
  #unreachable = false;
  #quiet = false;
  #stopCustomer: AbortController | undefined;

  constructor(
    device: VirtualDevice,
    channel: Channel,
    registration: Registration,
    options: ZvtVirtualOptions,
  ) {
    this.device = device;
    this.channel = channel;
    this.options = options;
    this.#registration = registration;
  }

  /** Whether the terminal waits for the customer; later the payment cannot be stopped. */
  get canStop(): boolean {
    return this.#stopCustomer !== undefined;
  }

  /** Stops waiting for the customer. */
  stop(): void {
    this.#stopCustomer?.abort();
  }

  /** Whether the terminal has sent its last packet: the till may send its next command. */
  get ending(): boolean {
    return this.#ending;
  }

  /** A fault may apply here. */
  reach(point: FaultPoint): Promise<void> {
    return this.device.reach(point, this.channel.wire);
  }

  accept(): void {
    this.channel.answer(0x8000);
  }

  /** Sends a command to the till, unless the line was found dead in this dialogue. */
  async ask(apdu: Uint8Array): Promise<Reply> {
    if (this.#unreachable) {
      this.device.power.throwIfAborted();
      return { kind: 'missing', arrived: false };
    }
    const reply = await this.channel.ask(apdu, this.device.power);
    if (reply.kind === 'missing' && !reply.arrived) this.#unreachable = true;
    return reply;
  }

  /** Sends progress, if the till requested it; a till that did not answer gets no more of it, except a reversal. */
  async progress(status: number, text: string, urgent = false): Promise<void> {
    if (!this.#wants(WANTS_PROGRESS) || !this.#permits(0x04ff) || (this.#quiet && !urgent)) return;
    const words = this.#registration.tlv ? container(tlv(0x24, tlv(0x07, this.#write(text)))) : [];
    const timeout = this.#registration.tlv ? [MINUTES_MORE] : [];
    const reply = await this.ask(encodeApdu(0x04ff, [status], timeout, words));
    if (reply.kind === 'missing') this.#quiet = true;
  }

  /** How this till wants receipts of this kind printed; undefined: not by commands. */
  printing(sort: 'payment' | 'admin'): PrintManner | undefined {
    if (!this.#wants(AS_COMMANDS) || !this.#wants(sort === 'payment' ? PRINTS_PAYMENTS : PRINTS_ADMIN))
      return undefined;
    const { charset, maxApdu, permitted } = this.#registration;
    const most = Math.min(this.options.blockLines || BLOCK_LINES, linesIn(maxApdu));
    if (permitted?.has(0x06d3)) return { as: 'block', charset, blockLines: most };
    return this.#permits(0x06d1) ? { as: 'lines', charset, blockLines: most } : undefined;
  }

  /** Whether receipts of payments come out of the terminal's own printer. */
  get printsItself(): boolean {
    return !this.#wants(PRINTS_PAYMENTS);
  }

  /** Prints on the till; returns the first answer that is not positive, else the last. */
  async print(receipts: readonly VirtualReceipt[], manner: PrintManner): Promise<Reply> {
    for (const packet of receipts.flatMap((receipt) => printPackets(receipt, manner))) {
      const reply = await this.ask(packet);
      if (reply.kind !== 'positive') return reply;
    }
    return { kind: 'positive' };
  }

  /** Sends the time to the till, unless it excluded that command. */
  async sendTime(): Promise<void> {
    const { date, time } = civilTime(this.device.clock.now());
    if (!this.#permits(0x0401)) return;
    await this.ask(encodeApdu(0x0401, [0xaa], bcd(date.slice(2), 3), [0x0c], bcd(time, 3)));
  }

  /** `06 0F`: success. */
  complete(...data: readonly (readonly number[] | Uint8Array)[]): Promise<void> {
    return this.#end(encodeApdu(0x060f, ...data));
  }

  /** `06 1E`: failure. */
  fail(code: number, ...more: readonly (readonly number[] | Uint8Array)[]): Promise<void> {
    return this.#end(encodeApdu(0x061e, [code], ...more));
  }

  /** `84 xx` before the command was accepted. */
  refuse(code: number, data: readonly number[] = []): void {
    this.#ending = true;
    this.channel.answer(0x8400 | code, data);
  }

  /** Waits for the customer: a key, a timeout, or the till's abort. */
  async customer(): Promise<Exclude<Key, 'walk_away'> | 'timeout' | 'stopped'> {
    const { clock, power } = this.device;
    const stop = new AbortController();
    const timeUp = () => new AppError('SANDBOX_CUSTOMER_TIMEOUT', 'no card in time');
    this.#stopCustomer = stop;
    try {
      return await underAll([power, stop.signal], (either) =>
        withDeadline(clock, this.options.customerTimeoutMs, timeUp, either, (signal) => this.#key(signal)),
      );
    } catch {
      power.throwIfAborted();
      return stop.signal.aborted ? 'stopped' : 'timeout';
    } finally {
      this.#stopCustomer = undefined;
    }
  }

  /** The response time of the host. */
  host(): Promise<void> {
    return sleep(this.device.clock, this.options.hostMs, this.device.power, 'sandbox host');
  }

  status(withCurrency: boolean): StatusSetting {
    const { terminalId, currency } = this.device.settings;
    const { takenBackVoidShows } = this.options;
    return { terminalId, currency, withCurrency, withTlv: this.#registration.tlv, takenBackVoidShows };
  }

  /** After the customer has walked away, only the stop key has an effect. */
  async #key(signal: AbortSignal): Promise<Exclude<Key, 'walk_away'>> {
    const first = await this.device.keypad.next(signal);
    if (first !== 'walk_away') return first;
    for (;;) {
      if ((await this.device.keypad.next(signal, true)) === 'abort') return 'abort';
    }
  }

  async #end(apdu: Uint8Array): Promise<void> {
    this.#ending = true;
    await this.ask(apdu);
  }

  #write(text: string): Uint8Array {
    return encodeText(text, this.#registration.charset);
  }

  #wants(bit: number): boolean {
    return (this.#registration.config & bit) !== 0;
  }

  #permits(command: number): boolean {
    return this.#registration.permitted?.has(command) ?? true;
  }
}

/** How many lines fit into the till's longest packet. */
function linesIn(maxApdu: number | null): number {
  if (maxApdu === null) return BLOCK_LINES;
  return Math.max(1, Math.floor((maxApdu - BLOCK_HEAD_BYTES) / LINE_BYTES));
}
