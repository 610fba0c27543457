import {
  AppError,
  currencyOfNumericCode,
  type DriverContext,
  hasCode,
  numberOfBcd,
  numericCodeOf,
  toHex,
  transcriptLine,
} from '../../../src/driver-kit/terminal.ts';
import { type BitmapField, bitmapOf, scanBitmaps } from './bitmaps.ts';
import type { ApduChannel } from './channel.ts';
import type { Charset } from './charset.ts';
import * as commands from './commands.ts';
import { decode } from './decode.ts';
import { Dialogue, type DialogueListener, type DialogueResult } from './dialogue.ts';
import { agreedCharset, registrationTlv } from './registration-tlv.ts';
import { type Asked, refusalWords } from './result-codes.ts';
import type { Settings } from './settings.ts';

/** After a power loss a terminal has no registration, which a Status-Enquiry does not show. */
const NOT_REGISTERED = '6B';
/** Longest silence between two packets of a command that moves no money, ms. */
export const QUICK_STEP_MS = 30_000;

interface ConversationDeps {
  readonly channel: ApduChannel;
  readonly context: DriverContext;
  readonly settings: Settings;
}

/** A question to the terminal: a command that moves no money. */
interface Question {
  readonly command: Uint8Array;
  /** The listener for its answers; print commands are acknowledged and discarded. */
  readonly listener?: Partial<DialogueListener>;
  readonly asked?: Asked;
  /** Longest silence between two packets, ms; default {@link QUICK_STEP_MS}. */
  readonly stepMs?: number;
}

/**
 * Commands and dialogues over one channel, with their transcript and the registration.
 * Why: questions differ, but all send their command and repair a lost registration in the same way.
 */
export class Conversation {
  readonly settings: Settings;
  /** ISO 4217 numeric code of the terminal's only currency. */
  readonly currencyCode: number;
  readonly #channel: ApduChannel;
  readonly #context: DriverContext;
  #request: Uint8Array = new Uint8Array();
  #terminalId: string | undefined;
  #charset: Charset;
  #requested: readonly string[] = [];

  constructor({ channel, context, settings }: ConversationDeps) {
    this.settings = settings;
    this.currencyCode = numericCodeOf(context.currency);
    this.#channel = channel;
    this.#context = context;
    this.#charset = settings.charset;
  }

  /** The charset of the terminal's texts: as agreed at its registration, else that of the device's options. */
  get charset(): Charset {
    return this.#charset;
  }

  /** Epoch ms. */
  now(): number {
    return this.#context.clock.now();
  }

  /**
   * What the terminal requested at its registration, as the status code with the same meaning (51 initialisation,
   * C2 diagnosis). Returned once.
   */
  takeRequested(): string | undefined {
    const [first, ...rest] = this.#requested;
    this.#requested = rest;
    return first;
  }

  /**
   * Whether the refusal of a command proves that it did not begin. "Please wait" is not a proof where the terminal may have received
   * the frame twice: it may be busy with the first one.
   */
  isProof(refusal: string): boolean {
    return this.#channel.deliversOnce || !isBusy(refusal);
  }

  /** The terminal id of the last registration. */
  get terminalId(): string | undefined {
    return this.#terminalId;
  }

  /**
   * Registers the till at the terminal.
   * @throws TERMINAL_BUSY, TERMINAL_REGISTRATION_REFUSED, TERMINAL_NO_ANSWER, TERMINAL_LINK_LOST
   */
  async register(signal: AbortSignal): Promise<void> {
    const { password, configByte } = this.settings;
    const more = registrationTlv(this.settings);
    const command = commands.registration(password, configByte, this.currencyCode, ...more);
    const result = await this.ask({ command, listener: REGISTERING }, signal);
    if (result.kind !== 'ended' || result.control !== '060F') throw registrationRefused(result);
    const { fields } = scanBitmaps(result.data);
    const id = bitmapOf(fields, '29');
    if (id) this.#terminalId = toHex(id);
    this.#charset = agreedCharset(fields, this.settings) ?? this.settings.charset;
    this.#requested = requestedBy(fields);
  }

  /**
   * Sends a question that moves no money.
   * @throws TERMINAL_BUSY when a message of an older payment comes; TERMINAL_NO_ANSWER, TERMINAL_LINK_LOST, TERMINAL_GARBLED
   */
  async ask({ command, listener, asked, stepMs }: Question, signal: AbortSignal): Promise<DialogueResult> {
    const send = async () => {
      this.#channel.drain();
      this.#begin(command);
      await this.#channel.send(command, signal).catch((error: unknown) => {
        throw hasCode(error, 'TERMINAL_NOT_HEARD') ? noAnswer(error) : error;
      });
    };
    const dialogue = this.dialogue(asked ?? 'last', stepMs ?? QUICK_STEP_MS);
    const result = await dialogue.run(send, { ...INDIFFERENT, ...listener }, signal);
    if (result.kind === 'muted') throw olderPayment();
    return result;
  }

  /** Like {@link ask}, but registers first when only the registration is missing. @throws TERMINAL_BUSY, too */
  async askRegistered(question: Question, signal: AbortSignal): Promise<DialogueResult> {
    const first = await this.ask(question, signal);
    const result = isNotRegistered(first) ? await this.#registerAndAsk(question, signal) : first;
    const code = codeOf(result);
    if (isBusy(code)) throw refused('TERMINAL_BUSY', code);
    return result;
  }

  /** Sends a command that must not be repeated; `handed` is called right before its first byte. */
  async sendOnce(command: Uint8Array, handed: () => void, signal: AbortSignal): Promise<void> {
    this.#begin(command);
    await this.#channel.sendMoney(command, handed, signal);
  }

  dialogue(asked: Asked, stepMs: number): Dialogue {
    return new Dialogue({
      channel: this.#channel,
      clock: this.#context.clock,
      charset: this.#charset,
      limits: { answerMs: this.settings.t3Ms, stepMs },
      asked,
      alsoTaken: this.settings.quirks.alsoPermitted,
      note: (direction, apdu) => this.#note(direction, apdu),
    });
  }

  async #registerAndAsk(question: Question, signal: AbortSignal): Promise<DialogueResult> {
    await this.register(signal);
    return this.ask(question, signal);
  }

  #begin(command: Uint8Array): void {
    this.#request = command;
    this.#note('sent', command);
  }

  #note(direction: 'sent' | 'received', apdu: Uint8Array): void {
    this.#context.transcript.record(direction, summaryOf(apdu, this.#request));
  }
}

const PRINTING: ReadonlySet<string> = new Set(['06D1', '06D3']);

const INDIFFERENT: DialogueListener = {
  accepted: () => true,
  intermediate: () => undefined,
  // An unsolicited result belongs to an older payment: an answer would acknowledge a result that is not on disk.
  report: () => 'never',
  print: () => 'answer',
  end: () => true,
  mayStop: () => false,
  abortRefused: () => undefined,
};

/** A registration moves no money: only a status that can be of no payment is answered, any other result stays unanswered. */
const REGISTERING = {
  report: (data: Uint8Array) => (isRegistrationStatus(data) ? 'answer' : 'never'),
} as const;

/** The fields of the end of a registration (19, 29, 49), and the result code. @see PA00P015 2.1 */
const REGISTRATION_FIELDS: ReadonlySet<string> = new Set(['19', '27', '29', '49']);

/** Names the terminal (29) and nothing of a payment: no amount, number, trace, time, card, and no byte that cannot be read. */
function isRegistrationStatus(data: Uint8Array): boolean {
  const { fields, error } = scanBitmaps(data);
  const isOwn = fields.every(({ bmp }) => REGISTRATION_FIELDS.has(bmp));
  return error === undefined && isOwn && bitmapOf(fields, '29') !== undefined;
}

/** Bits of the status byte at the end of a registration, and the terminal status that means the same. @see PA00P015 2.1 */
const REQUESTS = [
  [0x01, '51'],
  [0x02, 'C2'],
] as const;

function requestedBy(fields: readonly BitmapField[]): readonly string[] {
  const statusByte = bitmapOf(fields, '19')?.[0] ?? 0;
  return REQUESTS.filter(([bit]) => (statusByte & bit) !== 0).map(([, status]) => status);
}

/** The code of a refusal or of an abort. */
export function codeOf(result: DialogueResult): string | undefined {
  if (result.kind === 'refused') return result.code;
  return result.kind === 'ended' ? result.end.responseCode : undefined;
}

export function isNotRegistered(result: DialogueResult): boolean {
  return codeOf(result) === NOT_REGISTERED;
}

export function isBusy(code: string | undefined): boolean {
  return code === '9C' || code === 'A0';
}

/** The terminal's refusal as a retryable error. */
export function refused(errorCode: string, code: string | undefined): AppError {
  return new AppError(errorCode, `the terminal refused: ${refusalWords(code)}`, {
    retry: 'safe',
    ...(code === undefined ? {} : { context: { responseCode: code } }),
  });
}

/** `84 1E xx` carries the result code, and with 6F (wrong currency) the terminal's own currency. */
function registrationRefused(result: DialogueResult): AppError {
  const reported = result.kind === 'refused' && result.code === '1E' ? result.data : new Uint8Array();
  const code = reported.length > 0 ? toHex(reported.subarray(0, 1)) : codeOf(result);
  if (isBusy(code)) return refused('TERMINAL_BUSY', code);
  const error = refused('TERMINAL_REGISTRATION_REFUSED', code);
  const hint = registrationHint(code, reported.subarray(1));
  if (hint === undefined) return error;
  const { context } = error;
  return new AppError(error.code, `${error.message}; ${hint}`, { retry: 'safe', context });
}

function registrationHint(code: string | undefined, currency: Uint8Array): string | undefined {
  if (code === '83')
    return 'ZVT may be switched off in its menu or by an update, or it wants no TLV (quirks.registration_tlv)';
  if (code !== '6F') return undefined;
  const own = currencyOfNumericCode(numberOfBcd(currency) ?? -1);
  return own === undefined
    ? 'check the currency of this device'
    : `it works in ${own}: check the currency of this device`;
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

/**
 * One line of the transcript; secret fields are left out, unreadable packets are only counted. So are print texts: a receipt
 * may contain a card number in any form, and it is stored as a receipt anyway.
 */
function summaryOf(apdu: Uint8Array, request: Uint8Array): string {
  try {
    const { name, fields } = decode(apdu, 'apdu', request);
    if (PRINTING.has(toHex(apdu.subarray(0, 2)))) return transcriptLine(name, { printed_bytes: apdu.length });
    return transcriptLine(name, fields);
  } catch {
    return `unreadable packet of ${apdu.length} bytes beginning ${toHex(apdu.subarray(0, 2))}`;
  }
}
