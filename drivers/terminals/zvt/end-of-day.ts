import { AppError, type CloseOutcome, messageOf, type Totals } from '../../../src/driver-kit/terminal.ts';
import type { Charset } from './charset.ts';
import * as commands from './commands.ts';
import { type Conversation, codeOf, isBusy, isNotRegistered } from './conversation.ts';
import type { Answering, DialogueListener, DialogueResult } from './dialogue.ts';
import type { IntermediateStatus } from './intermediate-status.ts';
import { spokenText } from './money-watch.ts';
import { OneShot } from './one-shot.ts';
import { PrintSpool } from './printing.ts';
import { refusalWords, verdictOf } from './result-codes.ts';
import { isOfOnePayment, readTotals, resultCodeOf } from './totals.ts';

type Progress = (text: string) => void;

/** With a successful end of day: the terminal updates its software now and does not answer for minutes. */
const UPDATING = 'E0';

/**
 * Closes the terminal's batch (`06 50`). The command is sent once, as a money frame is: a second one would close an empty
 * batch and print its receipt. Registers first when only the registration is missing. Never throws.
 */
export async function closeBatch(
  conversation: Conversation,
  progress: Progress,
  signal: AbortSignal,
): Promise<CloseOutcome> {
  const first = await closeOnce(conversation, progress, signal);
  if (first !== 'not_registered') return first;
  try {
    await conversation.register(signal);
  } catch (error) {
    return refused(codeOfError(error), messageOf(error));
  }
  const second = await closeOnce(conversation, progress, signal);
  return second === 'not_registered' ? refused('TERMINAL_NOT_REGISTERED', refusalWords('6B')) : second;
}

async function closeOnce(
  conversation: Conversation,
  progress: Progress,
  signal: AbortSignal,
): Promise<CloseOutcome | 'not_registered'> {
  const { charset } = conversation;
  const { password, printerWidth, t4Ms } = conversation.settings;
  const watch = new CloseWatch(progress, charset, printerWidth);
  const shot = new OneShot(conversation, commands.endOfDay(password));
  try {
    const result = await conversation.dialogue('close', t4Ms).run(() => shot.send(signal), watch, signal);
    if (watch.hasNoStatus && isNotRegistered(result)) return 'not_registered';
    if (result.kind === 'refused' && !conversation.isProof(result.code))
      return unknown('TERMINAL_BUSY', 'the terminal is busy, and maybe with this very end of day');
    return watch.outcomeOf(result);
  } catch (error) {
    const outcome = shot.neverTaken(error) ? refused : unknown;
    return outcome(codeOfError(error), messageOf(error));
  }
}

/** Observes the dialogue of one end of day: its totals, its receipts, its end. */
class CloseWatch implements DialogueListener {
  readonly #progress: Progress;
  readonly #charset: Charset;
  readonly #spool: PrintSpool;
  /** Code and totals of the last `04 0F`. */
  #status: { readonly code: string | undefined; readonly totals: Totals | null } | undefined;

  constructor(progress: Progress, charset: Charset, printerWidth: number) {
    this.#progress = progress;
    this.#charset = charset;
    this.#spool = new PrintSpool(charset, printerWidth);
  }

  get hasNoStatus(): boolean {
    return this.#status === undefined;
  }

  accepted(): boolean {
    return true;
  }

  intermediate(message: IntermediateStatus): void {
    const text = spokenText(message, this.#charset);
    if (text !== undefined) this.#progress(text);
  }

  /** A result of one payment belongs to an older dialogue: an answer would acknowledge what is not on disk. */
  report(data: Uint8Array): Answering {
    if (isOfOnePayment(data)) return 'never';
    this.#status = { code: resultCodeOf(data), totals: readTotals(data) };
    return 'answer';
  }

  print(control: '06D1' | '06D3', data: Uint8Array): Answering {
    this.#spool.take(control, data);
    return 'answer';
  }

  end(): boolean {
    return true;
  }

  mayStop(): boolean {
    return false;
  }

  abortRefused(): void {
    // An end of day is never aborted.
  }

  outcomeOf(result: DialogueResult): CloseOutcome {
    if (result.kind === 'muted')
      return unknown('TERMINAL_BUSY', 'the result of an older payment came into the end of day');
    const code = codeOf(result);
    if (result.kind === 'refused') return refused(refusalCode(code), refusalWords(code));
    if (result.control === '060F') return this.#completed(code);
    const explicit = ['refused', 'aborted'].includes(verdictOf(code, 'close'));
    const contradiction = this.#status?.code === '00';
    return explicit && !contradiction
      ? refused(refusalCode(code), result.end.message)
      : unknown('TERMINAL_RESULT_UNCLEAR', result.end.message);
  }

  /** `06 0F`: closed, unless it or the totals before it say otherwise. */
  #completed(code: string | undefined): CloseOutcome {
    const { code: reported = '00', totals = null } = this.#status ?? {};
    const wrong = [reported, code ?? '00'].find((word) => word !== '00' && word !== UPDATING);
    if (wrong !== undefined) return unknown('TERMINAL_RESULT_UNCLEAR', refusalWords(wrong));
    if (code === UPDATING)
      this.#progress(
        'The day is closed. The terminal updates its software now: it does not answer for some minutes.',
      );
    return { kind: 'closed', totals, receipts: this.#spool.shopReceipts() };
  }
}

function refusalCode(code: string | undefined): string {
  return isBusy(code) ? 'TERMINAL_BUSY' : 'TERMINAL_REFUSED';
}

function codeOfError(error: unknown): string {
  return error instanceof AppError ? error.code : 'DRIVER_FAILED';
}

function refused(code: string, message: string): CloseOutcome {
  return { kind: 'refused', code, message };
}

function unknown(code: string, message: string): CloseOutcome {
  return { kind: 'unknown', code, message };
}
