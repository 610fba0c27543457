import { messageOf } from '../../../src/base/errors.ts';
import { assertNever } from '../../../src/base/invariant.ts';
import type { LedgerEntry, TypedTransaction } from '../../../src/sandbox/controllable-terminal.ts';
import { civilTime } from '../../../src/sandbox/terminal/civil-time.ts';
import type { Firmware, VirtualDevice } from '../../../src/sandbox/terminal/dialect.ts';
import type { Wire } from '../../../src/sandbox/terminal/wire.ts';
import { type Apdu, bcd, concat, container, lvar, packed, tlv, ZvtRefusal } from './virtual-apdu.ts';
import { closeTheDay, sendTotals } from './virtual-batch.ts';
import { notPossible, typeTransaction } from './virtual-by-hand.ts';
import { Channel, isReply } from './virtual-channel.ts';
import { type Command, currencyDigits, currencyField, readCommand } from './virtual-commands.ts';
import { Dialogue, type Registration } from './virtual-dialogue.ts';
import { lineOver } from './virtual-line.ts';
import type { ZvtVirtualOptions } from './virtual-options.ts';
import { reversePayment, takePayment } from './virtual-payment.ts';
import { canWrite, copyReceipt, DEFAULT_CHARSET } from './virtual-receipts.ts';
import { ascii, statusInformation } from './virtual-status.ts';

const MODEL = 'tilld virtual';
const VERSION = 'TILLD-VIRTUAL-1.0';
const [REFUSED, POSITIVE] = [0x8400, 0x8000];
const [BUSY, NOT_POSSIBLE, NOT_REGISTERED, NOTHING_STORED] = [0x9c, 0x83, 0x6b, 0x64];
const [CARD_INSERTED, NO_PAPER] = [0xdc, 0xcc];
/** Bits of the config byte with which a till locks the keys. */
const [LOCKS_PAYMENTS, LOCKS_ADMIN] = [0x10, 0x20];
const WITHOUT_REGISTRATION: Registration = {
  config: 0x86,
  tlv: false,
  permitted: null,
  charset: DEFAULT_CHARSET,
  maxApdu: null,
};
/** The terminal's needs, as the status byte of a registration and as the terminal status. */
const NEEDS = {
  nothing: { bit: 0x00, status: 0x00 },
  initialisation: { bit: 0x01, status: 0x51 },
  diagnosis: { bit: 0x02, status: 0xc2 },
  clock: { bit: 0x00, status: 0x62 },
} as const;

interface Running {
  readonly dialogue: Dialogue;
  readonly done: Promise<void>;
  /** When the till was lost, on the monotonic clock. */
  lostAt: number | undefined;
}

/**
 * The terminal's firmware, from power-up to power loss.
 *
 * INVARIANTS:
 * - one dialogue at a time, whatever the number of connections; other requests are told to wait;
 * - a dialogue continues when its connection ends;
 * - the registration is volatile, the ledger is not.
 */
export class ZvtFirmware implements Firmware {
  readonly #device: VirtualDevice;
  readonly #options: ZvtVirtualOptions;
  readonly #bootedAt: number;
  #registration: Registration | undefined;
  #running: Running | undefined;
  /** A question that is answered during a payment. */
  #beside: Dialogue | undefined;
  #cardInsertedUntil = 0;
  #quietUntil = Number.NEGATIVE_INFINITY;
  #needs: ZvtVirtualOptions['needs'];

  constructor(device: VirtualDevice, options: ZvtVirtualOptions) {
    this.#device = device;
    this.#options = options;
    this.#needs = options.needs;
    this.#bootedAt = device.clock.monotonic() + options.bootMs;
  }

  get busy(): boolean {
    return this.#running !== undefined && !this.#running.dialogue.ending;
  }

  async serve(wire: Wire): Promise<void> {
    const line = lineOver(wire, this.#device.clock, this.#options);
    const channel = new Channel(line, this.#device.clock, this.#options.t3Ms);
    for await (const apdu of line.apdus()) {
      if (isReply(apdu)) channel.replied(apdu);
      else this.#receive(channel, apdu);
    }
  }

  typeByHand(typed: TypedTransaction): LedgerEntry {
    this.#assertUnlocked(LOCKS_PAYMENTS);
    return typeTransaction(this.#device, this.#options, typed);
  }

  closeByHand(): void {
    this.#assertUnlocked(LOCKS_ADMIN);
    this.#device.ledger.nextTrace();
    this.#device.ledger.closeBatch(this.#options);
  }

  #receive(channel: Channel, apdu: Apdu): void {
    const running = this.#running;
    if (running?.dialogue.ending && running.dialogue.channel === channel) {
      channel.repliedByGoingOn();
      running.done.then(() => this.#receive(channel, apdu)).catch(() => undefined);
      return;
    }
    try {
      const command = readCommand(apdu, {
        currency: this.#device.settings.currency,
        passwords: this.#options.passwords,
      });
      if (command.kind === 'status_enquiry' && this.#device.clock.monotonic() < this.#quietUntil) return;
      if (running && this.#looksIdle(running, command)) this.#answerBeside(channel, command);
      else if (running || command.kind === 'abort') this.#interrupt(channel, command, running?.dialogue);
      else this.#begin(channel, command);
    } catch (error) {
      if (!(error instanceof ZvtRefusal)) throw error;
      this.#device.log.debug({ reason: error.message }, 'virtual terminal refuses a command');
      channel.answer(REFUSED | (running ? BUSY : error.code));
    }
  }

  /** During a dialogue the till may only abort it, on the dialogue's own connection. */
  #interrupt(channel: Channel, command: Command, running: Dialogue | undefined): void {
    const mayAbort = command.kind === 'abort' && (!running || running.channel === channel);
    if (!mayAbort) {
      channel.answer(REFUSED | BUSY);
      return;
    }
    const accepted = running?.canStop ?? false;
    if (accepted && this.#options.collides)
      running?.progress(0x0e, 'Einen Moment', true).catch(() => undefined);
    channel.answer(accepted ? POSITIVE : REFUSED | NOT_POSSIBLE);
    if (!accepted) return;
    this.#quietUntil = this.#device.clock.monotonic() + this.#options.quietAfterCancelMs;
    running?.stop();
  }

  /** Some terminals look ready for a while after they lost the till, although the customer still pays. */
  #looksIdle(running: Running, command: Command): boolean {
    const isQuestion =
      ['registration', 'status_enquiry', 'repeat_receipt'].includes(command.kind) ||
      (command.kind === 'totals' && !command.close);
    const sinceLost = this.#device.clock.monotonic() - (running.lostAt ?? Number.NEGATIVE_INFINITY);
    return isQuestion && sinceLost < this.#options.looksIdleMs && (this.#beside?.ending ?? true);
  }

  #answerBeside(channel: Channel, command: Command): void {
    if (this.#beside?.channel === channel) channel.repliedByGoingOn();
    const registration = this.#registration ?? WITHOUT_REGISTRATION;
    const dialogue = new Dialogue(this.#device, channel, registration, this.#options);
    this.#beside = dialogue;
    this.#run(dialogue, command)
      .catch(() => undefined)
      .finally(() => {
        if (this.#beside === dialogue) this.#beside = undefined;
      });
  }

  #begin(channel: Channel, command: Command): void {
    const registration = this.#registration ?? WITHOUT_REGISTRATION;
    const dialogue = new Dialogue(this.#device, channel, registration, this.#options);
    const { promise: done, resolve: finish } = Promise.withResolvers<void>();
    const running: Running = { dialogue, done, lostAt: undefined };
    this.#running = running;
    const onLost = () => {
      running.lostAt = this.#device.clock.monotonic();
    };
    channel.wire.ended.addEventListener('abort', onLost, { once: true });
    this.#run(dialogue, command)
      .catch((error) => {
        if (!this.#device.power.aborted) {
          this.#device.log.error({ error: messageOf(error) }, 'virtual dialogue failed');
        }
      })
      .then(() => {
        this.#running = undefined;
        channel.wire.ended.removeEventListener('abort', onLost);
        this.#device.show('ready');
        finish();
        return channel.wire.ended.aborted ? undefined : dialogue.reach('idle');
      })
      .catch(() => undefined);
  }

  async #run(dialogue: Dialogue, command: Command): Promise<void> {
    switch (command.kind) {
      case 'registration':
        return this.#register(dialogue, command);
      case 'status_enquiry':
        return this.#sendStatus(dialogue, command.service);
      case 'payment':
      case 'reversal':
        return this.#moveMoney(dialogue, command);
      case 'own_business':
        return this.#doOwnBusiness(dialogue, command.what);
      case 'repeat_receipt':
        return this.#registered(dialogue, () => this.#repeatReceipt(dialogue, command.service));
      case 'totals':
        if (command.close) await dialogue.reach('command');
        return this.#registered(dialogue, () =>
          command.close ? closeTheDay(dialogue) : sendTotals(dialogue),
        );
      case 'abort':
        return undefined;
      default:
        return assertNever(command);
    }
  }

  async #register(dialogue: Dialogue, command: Extract<Command, { kind: 'registration' }>): Promise<void> {
    const { currency, terminalId } = this.#device.settings;
    const own = currencyDigits(currency);
    if ((command.currencyCode ?? own) !== own) {
      return dialogue.refuse(0x1e, [0x6f, ...bcd(own, 2)]);
    }
    const { config, tlv: knowsTlv, permitted, maxApdu } = command;
    const agreed = this.#agreedCharset(command.charset);
    this.#registration = { config, tlv: knowsTlv, permitted, maxApdu, charset: agreed ?? DEFAULT_CHARSET };
    dialogue.accept();
    const printing = tlv(0x26, tlv(0x0a, [0x06, permitted?.has(0x06d3) ? 0xd3 : 0xd1]));
    const writing = agreed === null ? [] : tlv(0x27, tlv(0x14, [agreed]));
    await dialogue.complete(
      [0x19, NEEDS[this.#needs].bit, 0x29],
      bcd(terminalId, 4),
      currencyField(currency),
      knowsTlv ? container(concat(printing, writing)) : [],
    );
  }

  #agreedCharset(offered: number | null): number | null {
    return offered !== null && this.#options.agreesOnCharset && canWrite(offered) ? offered : null;
  }

  /** Initialisation, diagnosis, clock: contacts the host, and clears the need. A diagnosis also sets the clock. */
  async #doOwnBusiness(dialogue: Dialogue, what: 'initialisation' | 'diagnosis' | 'clock'): Promise<void> {
    return this.#registered(dialogue, async () => {
      if (what !== 'clock') {
        await dialogue.progress(0x0e, 'Bitte warten');
        await dialogue.host();
      }
      if (this.#needs === what || what === 'diagnosis') this.#needs = 'nothing';
      if (what === 'diagnosis') await dialogue.sendTime();
      const printing = what === 'clock' ? undefined : dialogue.printing('admin');
      if (printing) await dialogue.print([{ type: 3, lines: [what, 'OK'] }], printing);
      await dialogue.complete();
    });
  }

  async #sendStatus(dialogue: Dialogue, service: number): Promise<void> {
    const { terminalId, serial } = this.#device.settings;
    const { date, time } = civilTime(this.#device.clock.now());
    dialogue.accept();
    const version = service & 0x02 ? [] : lvar(3, ascii(VERSION));
    const identity = container(
      tlv(0x1f44, bcd(terminalId, 4)),
      tlv(
        0xe4,
        tlv(0x1f40, ascii(MODEL)),
        tlv(0x1f41, ascii(VERSION)),
        tlv(0x1f42, packed(serial)),
        tlv(0x1f43, [0]),
      ),
      tlv(0x34, tlv(0x1f0e, bcd(date, 4)), tlv(0x1f0f, bcd(time, 3))),
    );
    await dialogue.complete(version, [this.#statusByte()], service & 0x04 ? identity : []);
  }

  #statusByte(): number {
    const now = this.#device.clock.monotonic();
    if (now < this.#bootedAt) return BUSY;
    if (this.#needs !== 'nothing') return NEEDS[this.#needs].status;
    if (!this.#device.hasPaper()) return NO_PAPER;
    return now < this.#cardInsertedUntil ? CARD_INSERTED : 0x00;
  }

  async #moveMoney(
    dialogue: Dialogue,
    command: Extract<Command, { kind: 'payment' | 'reversal' }>,
  ): Promise<void> {
    const status = this.#statusByte();
    if (status === BUSY) return dialogue.refuse(BUSY);
    if (!this.#registration) return dialogue.refuse(NOT_REGISTERED);
    if (this.#needs !== 'nothing' || status === NO_PAPER) return dialogue.refuse(status);
    if (command.kind === 'reversal') return reversePayment(dialogue, command);
    await takePayment(dialogue, command);
    this.#cardInsertedUntil = this.#device.clock.monotonic() + this.#options.cardRemovalMs;
  }

  async #registered(dialogue: Dialogue, work: () => Promise<void>): Promise<void> {
    dialogue.accept();
    return this.#registration ? work() : dialogue.fail(NOT_REGISTERED);
  }

  /** Service byte: 01 send the result of the last transaction, 02 no paper. */
  async #repeatReceipt(dialogue: Dialogue, service: number): Promise<void> {
    const { ledger, settings } = this.#device;
    const last = ledger.lastStored();
    if (!last) return dialogue.fail(NOTHING_STORED);
    if (service & 0x01 && this.#sendsLast(service))
      await dialogue.ask(statusInformation(last, dialogue.status(true)));
    const printing = service & 0x02 ? undefined : dialogue.printing('payment');
    const copy = copyReceipt(last, settings.name, settings.terminalId);
    if (printing) await dialogue.print([copy], printing);
    else if ((service & 0x02) === 0 && dialogue.printsItself) {
      if (!this.#device.hasPaper()) return dialogue.fail(NO_PAPER);
      this.#device.print(copy.lines.join('\n'));
    }
    await dialogue.complete();
  }

  #sendsLast(service: number): boolean {
    const { repeatReceipt } = this.#options;
    return repeatReceipt === 'told' || (repeatReceipt === 'only_with_paper' && (service & 0x02) === 0);
  }

  #assertUnlocked(bit: number): void {
    const config = this.#registration?.config ?? 0;
    if (this.#options.honoursLock && (config & bit) !== 0) throw notPossible('the till has locked its keys');
  }
}
