import { AppError } from '../../../src/base/errors.ts';
import type { LedgerEntry, TypedTransaction } from '../../../src/sandbox/controllable-terminal.ts';
import { cardOfCustomer } from '../../../src/sandbox/terminal/cards.ts';
import type { Firmware, VirtualDevice } from '../../../src/sandbox/terminal/dialect.ts';
import { entryOf } from '../../../src/sandbox/terminal/ledger.ts';
import type { Wire } from '../../../src/sandbox/terminal/wire.ts';
import { VirtualLine } from './virtual-line.ts';
import {
  type Command,
  nothingText,
  readCommand,
  resultText,
  statusText,
  totalsText,
} from './virtual-messages.ts';
import type { Ecr17VirtualOptions } from './virtual-options.ts';
import { closeDay, originalOf, reprint, sell, sumOf, takeBack } from './virtual-procedures.ts';

/** Any terminal. */
const ANY = '00000000';

/**
 * The terminal's firmware, from power-up to power loss.
 *
 * INVARIANTS:
 * - one procedure at a time, whatever the number of calls; it continues when its call ends;
 * - an approval is kept whether the till acknowledged it or not: no other behaviour is published;
 * - "print on the till" holds for one procedure.
 */
export class Ecr17Firmware implements Firmware {
  readonly #device: VirtualDevice;
  readonly #options: Ecr17VirtualOptions;
  readonly #paidWithP: Set<number>;
  #busy = false;
  #printsOnTill = false;

  /** `paidWithP`: the payments, by their number in the ledger, whose result has no amount; they survive a power loss. */
  constructor(device: VirtualDevice, options: Ecr17VirtualOptions, paidWithP: Set<number>) {
    this.#device = device;
    this.#options = options;
    this.#paidWithP = paidWithP;
  }

  get busy(): boolean {
    return this.#busy;
  }

  async serve(wire: Wire): Promise<void> {
    const line = new VirtualLine(wire, this.#device.clock, this.#options);
    for await (const text of line.texts()) this.#obey(text, line).catch(() => undefined);
  }

  typeByHand({ kind, amountMinor, result = 'approved' }: TypedTransaction): LedgerEntry {
    const { ledger, clock, settings } = this.#device;
    const original = kind === 'void' ? originalOf(ledger) : undefined;
    const minor = original?.amountMinor ?? amountMinor ?? 0;
    if (minor <= 0) throw notPossible('there is no payment that it could take back, or no amount');
    const trace = ledger.nextTrace();
    const approved = result === 'approved';
    const record = ledger.enter({
      kind,
      amountMinor: minor,
      currency: settings.currency,
      result,
      at: clock.now(),
      trace,
      cardId: approved ? cardOfCustomer(Number(trace) - 1).id : null,
      authCode: approved ? trace : null,
      stored: approved || this.#options.savesKo,
      unsettled: false,
      byHand: true,
      ...(original && approved ? { undoes: original } : {}),
    });
    return entryOf(record);
  }

  closeByHand(): void {
    const { forgetsAtClose } = this.#options;
    this.#device.ledger.closeBatch({ numbersRestart: false, forgetsAtClose });
  }

  async #obey(text: string, line: VirtualLine): Promise<void> {
    const read = readCommand(text);
    const { checksTerminalId, whenBusy } = this.#options;
    const isOther =
      checksTerminalId && ![ANY, this.#device.settings.terminalId].includes(read?.terminalId ?? ANY);
    if (!read || isOther || !this.#knows(read.command)) return line.nak();
    const { command } = read;
    const isQuestion = ['s', 'G', 'T'].includes(command.code);
    if (this.#busy && !(isQuestion && whenBusy === 'looks_idle')) {
      if (whenBusy === 'nak') line.nak();
      return;
    }
    if (isQuestion) await this.#answer(command, line);
    else await this.#carryOut(command, line);
    if (this.#options.hangsUp && line.wire.kind === 'tcp') line.wire.close();
  }

  #knows({ code }: Command): boolean {
    const { knowsX, knowsReversal, lastResult, totals } = this.#options;
    if (code === 'X') return knowsX;
    if (code === 'S') return knowsReversal;
    if (code === 'G') return lastResult !== 'refused';
    return code !== 'T' || totals !== 'refused';
  }

  async #answer({ code }: Command, line: VirtualLine): Promise<void> {
    const { settings, clock, ledger, power } = this.#device;
    await this.#device.reach('idle', line.wire);
    if (code === 'G' && this.#options.lastResult === 'silent') return;
    line.ack();
    if (code === 's')
      await line.send(statusText(settings.terminalId, clock.now(), this.#options.status), power);
    else if (code === 'T') await line.send(totalsText(settings.terminalId, sumOf(ledger)), power);
    else await line.send(this.#lastResult(), power);
  }

  async #carryOut(command: Command, line: VirtualLine): Promise<void> {
    if (command.code === 'E') {
      this.#printsOnTill = command.onEcr;
      line.ack();
      return;
    }
    const [device, options, paidWithP] = [this.#device, this.#options, this.#paidWithP];
    const till = { device, options, line, prints: this.#printsOnTill, paidWithP };
    this.#busy = true;
    try {
      await this.#device.reach('command', line.wire);
      if (this.#options.acksFirst || command.code === 'R') line.ack();
      if (command.code === 'R') await reprint(till, command.onEcr);
      else if (command.code === 'S') await takeBack(till, command.stan);
      else if (command.code === 'C') await closeDay(till);
      else if ('amountMinor' in command) await sell(till, command);
    } finally {
      this.#busy = false;
      this.#printsOnTill = false;
      if (!this.#device.power.aborted) this.#device.show('ready');
    }
  }

  /** The same bytes as the original result; only results of a till's command. */
  #lastResult(): string {
    const { ledger, settings } = this.#device;
    const record = ledger.lastStored(({ byHand }) => !byHand || this.#options.savesByHand);
    return record
      ? resultText(settings.terminalId, record, this.#paidWithP)
      : nothingText(settings.terminalId);
  }
}

function notPossible(why: string): AppError {
  return new AppError('SANDBOX_NOT_POSSIBLE', `the virtual terminal cannot do this: ${why}`);
}
