import {
  AppError,
  type Capabilities,
  type DriverContext,
  hasCode,
  invariant,
  type LastTransaction,
  type Link,
  type MoneyCommand,
  messageOf,
  numericCodeOf,
  type Observer,
  type Outcome,
  type Readiness,
  type TerminalIdentity,
  type TerminalSession,
  type TransactionReport,
  toHex,
  transcriptLine,
} from '../../../src/driver-kit/terminal.ts';
import { bitmapOf, scanBitmaps } from './bitmaps.ts';
import type { ApduChannel } from './channel.ts';
import * as commands from './commands.ts';
import { readStatusCompletion, type StatusCompletion } from './completion.ts';
import { decode } from './decode.ts';
import { Dialogue, type DialogueListener, type DialogueResult } from './dialogue.ts';
import { identityOf } from './identity.ts';
import { readReport } from './report.ts';
import { resultWords } from './result-codes.ts';
import { SaleWatch } from './sale.ts';
import type { Settings } from './settings.ts';
import { readinessOf } from './terminal-status.ts';

/** Status-Enquiry: send device data as TLV. */
const WITH_DEVICE_DATA = 0x04;
/** Repeat Receipt: send the Status-Information (1), do not print (2). */
const RESULT_WITHOUT_PAPER = 0x03;
const RESULT_ONLY = 0x01;
/**
 * The only code of `06 1E` to a Repeat Receipt that is taken for "nothing is stored"; every other one may speak of the terminal
 * and not of its memory, and proves nothing.
 */
const NOTHING_STORED = '64';
/** A terminal that lost its power forgets its registration, which a Status-Enquiry does not show. */
const NOT_REGISTERED = '6B';
/** Longest silence between two packets of a command that moves no money, ms. */
const QUICK_STEP_MS = 30_000;

interface SessionParts {
  readonly link: Link;
  readonly channel: ApduChannel;
  readonly context: DriverContext;
  readonly settings: Settings;
  /** What the driver can do at most. */
  readonly capabilities: Capabilities;
}

/**
 * A conversation with one ZVT terminal.
 * Why it keeps little: the terminal is the truth; what is remembered is only its registration and how well it can be told.
 *
 * INVARIANTS:
 * - one dialogue at a time (the caller's promise);
 * - a money frame is handed over once per `execute`; nothing here sends it again.
 */
export class ZvtSession implements TerminalSession {
  readonly #parts: SessionParts;
  readonly #currencyCode: number;
  #request: Uint8Array = new Uint8Array();
  #terminalId: string | undefined;
  #capabilities: Capabilities;
  /** The money dialogue that runs. */
  #paying: Dialogue | undefined;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#currencyCode = numericCodeOf(parts.context.currency);
    this.#capabilities = parts.capabilities;
  }

  get capabilities(): Capabilities {
    return this.#capabilities;
  }

  /**
   * Registers the till at the terminal.
   * @throws TERMINAL_BUSY, TERMINAL_REGISTRATION_REFUSED, TERMINAL_NO_ANSWER, TERMINAL_LINK_LOST
   */
  async register(signal: AbortSignal): Promise<void> {
    const { password, configByte } = this.#parts.settings;
    const command = commands.registration(password, configByte, this.#currencyCode, { permitted: true });
    const result = await this.#ask(command, {}, signal, QUICK_STEP_MS);
    if (result.kind !== 'ended' || result.control !== '060F') throw registrationRefused(codeOf(result));
    const id = bitmapOf(scanBitmaps(result.data).fields, '29');
    if (id) this.#terminalId = toHex(id);
  }

  async identify(signal: AbortSignal): Promise<TerminalIdentity> {
    const { completion, refusal } = await this.#status(signal);
    if (isBusy(refusal)) throw refused('TERMINAL_BUSY', refusal);
    if (refusal !== undefined && refusal !== '83') throw refused('TERMINAL_REFUSED', refusal);
    const identity = identityOf(completion, this.#terminalId);
    this.#capabilities = { ...this.#capabilities, identity: identity.grade };
    return identity;
  }

  async readiness(signal: AbortSignal): Promise<Readiness> {
    const mended = new Set<string>();
    while (true) {
      const { completion, refusal } = await this.#status(signal);
      const status = refusal ?? completion.terminalStatus;
      if (status === undefined || mended.has(status) || !(await this.#mend(status, signal)))
        return readinessOf(status, completion.fields);
      mended.add(status);
    }
  }

  async lastTransaction(signal: AbortSignal): Promise<LastTransaction> {
    const first = await this.#repeatReceipt(RESULT_WITHOUT_PAPER, signal);
    const last = first ?? (await this.#repeatReceipt(RESULT_ONLY, signal));
    if (last) return last;
    this.#capabilities = { ...this.#capabilities, recover: 'none' };
    return {
      kind: 'unreadable',
      detail: 'the terminal ends Repeat Receipt without the result of its last transaction',
    };
  }

  async execute(command: MoneyCommand, observer: Observer, signal: AbortSignal): Promise<Outcome> {
    const watch = new SaleWatch(observer, this.#parts.settings.charset);
    let out: CommandOut = 'not_handed';
    try {
      invariant(command.amount.currency === this.#parts.context.currency, 'the terminal has one currency');
      const bytes = commands.sale(command.amount.minor, this.#currencyCode);
      const send = async () => {
        this.#begin(bytes);
        await this.#parts.channel.sendMoney(
          bytes,
          () => {
            out = 'handing';
          },
          signal,
        );
        out = 'sent';
      };
      this.#paying = this.#dialogue(this.#parts.settings.t4Ms);
      return outcomeOf(await this.#paying.run(send, watch, signal), watch);
    } catch (error) {
      return failed(error, out, watch.lastReport);
    } finally {
      this.#paying = undefined;
    }
  }

  abort(): void {
    this.#paying?.askToStop();
  }

  async close(): Promise<void> {
    this.#parts.channel.mute();
    await this.#parts.link.close();
  }

  /** Registers or initialises the terminal when that is all it lacks; true when it is worth asking again. */
  async #mend(status: string, signal: AbortSignal): Promise<boolean> {
    if (status === NOT_REGISTERED) await this.register(signal);
    else if (status === '51')
      await this.#ask(
        commands.initialisation(this.#parts.settings.password),
        {},
        signal,
        this.#parts.settings.t4Ms,
      );
    else return false;
    return true;
  }

  async #status(signal: AbortSignal): Promise<{ completion: StatusCompletion; refusal?: string }> {
    const { password, t3Ms } = this.#parts.settings;
    const result = await this.#ask(commands.statusEnquiry(password, WITH_DEVICE_DATA), {}, signal, 2 * t3Ms);
    if (result.kind === 'ended' && result.control === '060F') return { completion: statusOf(result.data) };
    return { completion: { fields: [] }, refusal: codeOf(result) ?? 'FF' };
  }

  /** The last transaction; `undefined` when the terminal ended well and told nothing. */
  async #repeatReceipt(
    serviceByte: number,
    signal: AbortSignal,
    mayRegister = true,
  ): Promise<LastTransaction | undefined> {
    let report: TransactionReport | undefined;
    const { password, charset } = this.#parts.settings;
    const listener = {
      report: (data: Uint8Array) => {
        report = readReport(data, 'unknown', charset);
        return true;
      },
    };
    const result = await this.#ask(
      commands.repeatReceipt(password, serviceByte),
      listener,
      signal,
      QUICK_STEP_MS,
    );
    const code = codeOf(result);
    if (isBusy(code)) throw refused('TERMINAL_BUSY', code);
    if (code === NOT_REGISTERED && mayRegister) {
      await this.register(signal);
      return this.#repeatReceipt(serviceByte, signal, false);
    }
    if (result.kind === 'ended' && result.control === '060F') return report && { kind: 'found', report };
    if (result.kind === 'ended' && code === NOTHING_STORED) return { kind: 'empty' };
    return { kind: 'unreadable', detail: `the terminal refused Repeat Receipt: ${resultWords(code)}` };
  }

  /** A command that moves no money, its print commands taken and thrown away. */
  async #ask(
    command: Uint8Array,
    listener: Partial<DialogueListener>,
    signal: AbortSignal,
    stepMs: number,
  ): Promise<DialogueResult> {
    const send = async () => {
      this.#parts.channel.drain();
      this.#begin(command);
      await this.#parts.channel.send(command, signal).catch((error: unknown) => {
        throw hasCode(error, 'TERMINAL_NOT_HEARD') ? noAnswer(error) : error;
      });
    };
    const result = await this.#dialogue(stepMs).run(send, { ...INDIFFERENT, ...listener }, signal);
    if (result.kind === 'muted') throw olderPayment();
    return result;
  }

  #dialogue(stepMs: number): Dialogue {
    const { channel, context, settings } = this.#parts;
    return new Dialogue({
      channel,
      clock: context.clock,
      charset: settings.charset,
      limits: { acceptMs: settings.t3Ms, stepMs },
      note: (direction, apdu) => this.#note(direction, apdu),
    });
  }

  #begin(command: Uint8Array): void {
    this.#request = command;
    this.#note('sent', command);
  }

  #note(direction: 'sent' | 'received', apdu: Uint8Array): void {
    this.#parts.context.transcript.record(direction, summaryOf(apdu, this.#request));
  }
}

const INDIFFERENT: DialogueListener = {
  accepted: () => true,
  intermediate: () => undefined,
  // A result that nobody asked for belongs to an older payment: an answer would acknowledge what is not on disk.
  report: () => false,
  print: () => undefined,
  end: () => true,
  abortRefused: () => undefined,
};

function outcomeOf(result: DialogueResult, watch: SaleWatch): Outcome {
  switch (result.kind) {
    case 'refused':
      return {
        kind: 'not_started',
        code: result.code === '9C' ? 'TERMINAL_BUSY' : 'TERMINAL_REFUSED',
        message: `the terminal did not begin: ${resultWords(result.code)}`,
      };
    case 'muted':
      return unknown(
        'NOT_STORED',
        'the result could not be stored; the terminal was not answered',
        watch.lastReport,
      );
    default:
      return (
        watch.outcome ?? unknown('TERMINAL_RESULT_MISSING', 'the dialogue has no outcome', watch.lastReport)
      );
  }
}

/** How far the money command has come: an error means something else before, while and after it is handed over. */
type CommandOut = 'not_handed' | 'handing' | 'sent';

/** Nothing started when no byte was handed over, or the terminal refused each frame as damaged; else nobody knows. */
function failed(error: unknown, out: CommandOut, lastReport: TransactionReport | undefined): Outcome {
  const code = error instanceof AppError ? error.code : 'DRIVER_FAILED';
  const message = messageOf(error);
  const neverTaken = code === 'LINK_CLOSED' || code === 'TERMINAL_NOT_HEARD';
  if (out === 'not_handed' || (out === 'handing' && neverTaken))
    return { kind: 'not_started', code, message };
  return unknown(code, message, lastReport);
}

function unknown(code: string, message: string, lastReport: TransactionReport | undefined): Outcome {
  return { kind: 'unknown', code, message, ...(lastReport ? { lastReport } : {}) };
}

function statusOf(data: Uint8Array): StatusCompletion {
  try {
    return readStatusCompletion(data);
  } catch (error) {
    throw new AppError('TERMINAL_GARBLED', "the terminal's status cannot be read", {
      retry: 'safe',
      cause: error,
    });
  }
}

function codeOf(result: DialogueResult): string | undefined {
  if (result.kind === 'refused') return result.code;
  return result.kind === 'ended' ? result.end.responseCode : undefined;
}

function registrationRefused(code: string | undefined): AppError {
  return refused(isBusy(code) ? 'TERMINAL_BUSY' : 'TERMINAL_REGISTRATION_REFUSED', code);
}

function isBusy(code: string | undefined): boolean {
  return code === '9C' || code === 'A0';
}

function refused(errorCode: string, code: string | undefined): AppError {
  return new AppError(errorCode, `the terminal refused: ${resultWords(code)}`, {
    retry: 'safe',
    ...(code === undefined ? {} : { context: { responseCode: code } }),
  });
}

function olderPayment(): AppError {
  return new AppError('TERMINAL_BUSY', 'the terminal is still in an older payment', { retry: 'safe' });
}

function noAnswer(cause: unknown): AppError {
  return new AppError('TERMINAL_NO_ANSWER', 'the terminal does not answer on its line', {
    retry: 'safe',
    cause,
  });
}

/** One line of the transcript; fields with secrets are left out, what cannot be read is only counted. */
function summaryOf(apdu: Uint8Array, request: Uint8Array): string {
  try {
    const { name, fields } = decode(apdu, 'apdu', request);
    return transcriptLine(name, fields);
  } catch {
    return `unreadable packet of ${apdu.length} bytes beginning ${toHex(apdu.subarray(0, 2))}`;
  }
}
