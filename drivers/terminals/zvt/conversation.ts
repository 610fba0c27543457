import {
  AppError,
  type DriverContext,
  hasCode,
  numericCodeOf,
  toHex,
  transcriptLine,
} from '../../../src/driver-kit/terminal.ts';
import { bitmapOf, scanBitmaps } from './bitmaps.ts';
import type { ApduChannel } from './channel.ts';
import * as commands from './commands.ts';
import { decode } from './decode.ts';
import { Dialogue, type DialogueListener, type DialogueResult } from './dialogue.ts';
import { type Asked, resultWords } from './result-codes.ts';
import type { Settings } from './settings.ts';

/** A terminal that lost its power forgets its registration, which a Status-Enquiry does not show. */
const NOT_REGISTERED = '6B';
/** Longest silence between two packets of a command that moves no money, ms. */
export const QUICK_STEP_MS = 30_000;

interface ConversationParts {
  readonly channel: ApduChannel;
  readonly context: DriverContext;
  readonly settings: Settings;
}

/** A question to the terminal: a command that moves no money. */
interface Question {
  readonly command: Uint8Array;
  /** What of its answers is of interest; print commands are taken and thrown away. */
  readonly listener?: Partial<DialogueListener>;
  readonly asked?: Asked;
  /** Longest silence between two packets, ms; default {@link QUICK_STEP_MS}. */
  readonly stepMs?: number;
}

/**
 * Commands and dialogues over one channel, with their transcript and the registration.
 * Why: what is asked differs, how a command goes out and how a forgotten registration is mended does not.
 */
export class Conversation {
  readonly settings: Settings;
  /** ISO 4217 numeric code of the terminal's one currency. */
  readonly currencyCode: number;
  readonly #channel: ApduChannel;
  readonly #context: DriverContext;
  #request: Uint8Array = new Uint8Array();
  #terminalId: string | undefined;

  constructor({ channel, context, settings }: ConversationParts) {
    this.settings = settings;
    this.currencyCode = numericCodeOf(context.currency);
    this.#channel = channel;
    this.#context = context;
  }

  /**
   * Whether the refusal of a command proves that it did not begin. "Please wait" does not where the terminal may have got the frame
   * twice: it may be busy with the first one.
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
    const command = commands.registration(password, configByte, this.currencyCode, { permitted: true });
    const result = await this.ask({ command }, signal);
    if (result.kind !== 'ended' || result.control !== '060F') throw registrationRefused(codeOf(result));
    const id = bitmapOf(scanBitmaps(result.data).fields, '29');
    if (id) this.#terminalId = toHex(id);
  }

  /**
   * Asks something that moves no money.
   * @throws TERMINAL_BUSY when an older payment speaks in between; TERMINAL_NO_ANSWER, TERMINAL_LINK_LOST, TERMINAL_GARBLED
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

  /** Like {@link ask}, but registers first when that is all the terminal lacks. @throws TERMINAL_BUSY, too */
  async askRegistered(question: Question, signal: AbortSignal): Promise<DialogueResult> {
    const first = await this.ask(question, signal);
    const result = isNotRegistered(first) ? await this.#registerAndAsk(question, signal) : first;
    const code = codeOf(result);
    if (isBusy(code)) throw refused('TERMINAL_BUSY', code);
    return result;
  }

  /** Sends a command that must not be doubled; `handed` is called right before its first byte. */
  async sendOnce(command: Uint8Array, handed: () => void, signal: AbortSignal): Promise<void> {
    this.#begin(command);
    await this.#channel.sendMoney(command, handed, signal);
  }

  dialogue(asked: Asked, stepMs: number): Dialogue {
    return new Dialogue({
      channel: this.#channel,
      clock: this.#context.clock,
      charset: this.settings.charset,
      limits: { answerMs: this.settings.t3Ms, stepMs },
      asked,
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

const INDIFFERENT: DialogueListener = {
  accepted: () => true,
  intermediate: () => undefined,
  // A result that nobody asked for belongs to an older payment: an answer would acknowledge what is not on disk.
  report: () => 'never',
  print: () => 'answer',
  end: () => true,
  abortRefused: () => undefined,
};

/** The code of a refusal or of a bad end. */
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

/** The terminal's refusal as an error that may be tried again. */
export function refused(errorCode: string, code: string | undefined): AppError {
  return new AppError(errorCode, `the terminal refused: ${resultWords(code)}`, {
    retry: 'safe',
    ...(code === undefined ? {} : { context: { responseCode: code } }),
  });
}

function registrationRefused(code: string | undefined): AppError {
  return refused(isBusy(code) ? 'TERMINAL_BUSY' : 'TERMINAL_REGISTRATION_REFUSED', code);
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
