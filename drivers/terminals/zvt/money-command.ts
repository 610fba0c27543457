import {
  AppError,
  assertNever,
  invariant,
  type MoneyCommand,
  messageOf,
  type OriginalTransaction,
  type Outcome,
  type TransactionReport,
} from '../../../src/driver-kit/terminal.ts';
import * as commands from './commands.ts';
import { type Conversation, isBusy } from './conversation.ts';
import type { DialogueResult } from './dialogue.ts';
import type { MoneyWatch } from './money-watch.ts';
import { refusalWords } from './result-codes.ts';
import type { Settings } from './settings.ts';

/** Bitmap 19: the terminal decides how it is paid. */
const TERMINAL_DECIDES = 0x40;
const MAY_TIP = 0x08;

type Void = Extract<MoneyCommand, { kind: 'void' }>;

/**
 * The frame of a money command.
 * @throws VOID_NOT_POSSIBLE for a void without a named original; INVARIANT_BROKEN for another currency or no amount.
 */
export function frameOf(command: MoneyCommand, conversation: Conversation, currency: string): Uint8Array {
  invariant(command.amount.currency === currency, 'the terminal has one currency');
  const { settings, currencyCode } = conversation;
  const { minor } = command.amount;
  const type = paymentTypeOf(settings);
  switch (command.kind) {
    case 'sale':
      return commands.sale(minor, currencyCode, ...(command.tip === 'ask' ? [tippable(settings)] : type));
    case 'refund':
      return commands.refund(settings.password, minor, currencyCode, ...type);
    case 'void':
      return reversalOf(command, settings);
    default:
      return assertNever(command);
  }
}

function paymentTypeOf({ quirks }: Settings): readonly commands.Field[] {
  return quirks.paymentType === undefined ? [] : [commands.paymentType(quirks.paymentType)];
}

/** The payment type of a sale, with the bit that lets the terminal ask for a tip. */
function tippable({ quirks }: Settings): commands.Field {
  return commands.paymentType((quirks.paymentType ?? TERMINAL_DECIDES) | MAY_TIP);
}

/** A void names its original twice: by receipt number (87) and by amount (04). */
function reversalOf({ amount, original }: Void, settings: Settings): Uint8Array {
  if (settings.void === 'none') throw notPossible('this terminal cannot take a payment back');
  const number = receiptNumberOf(original);
  if (number === undefined)
    throw notPossible('the payment has no receipt number by which the terminal knows it');
  if (amount.minor !== original.amountMinor)
    throw notPossible('the terminal takes back a whole payment only');
  return commands.reversal(settings.password, number, original.amountMinor);
}

function receiptNumberOf({ number }: OriginalTransaction): number | undefined {
  return number !== undefined && /^(?!0+$)\d{1,4}$/.test(number) ? Number(number) : undefined;
}

function notPossible(why: string): AppError {
  return new AppError('VOID_NOT_POSSIBLE', `${why}: refund it instead`, { retry: 'never', moneyMoved: 'no' });
}

/** The outcome of a money dialogue that ended. */
export function outcomeOf(
  result: DialogueResult,
  watch: MoneyWatch,
  isProof: (refusal: string) => boolean,
): Outcome {
  if (result.kind === 'refused') return refusedBefore(result.code, isProof(result.code));
  if (result.kind === 'ended' && watch.outcome) return watch.outcome;
  const [code, message] = whyUnknown(result);
  return unknown(code, message, watch.lastReport);
}

function refusedBefore(refusal: string, isProof: boolean): Outcome {
  const code = isBusy(refusal) ? 'TERMINAL_BUSY' : 'TERMINAL_REFUSED';
  const words = refusalWords(refusal);
  if (isProof) return { kind: 'not_started', code, message: `the terminal did not begin: ${words}` };
  return unknown(code, `the terminal is busy, and maybe with this very payment: ${words}`, undefined);
}

function whyUnknown(result: Exclude<DialogueResult, { kind: 'refused' }>): readonly [string, string] {
  if (result.kind === 'ended') return ['TERMINAL_RESULT_MISSING', 'the dialogue has no outcome'];
  return result.because === 'too_late'
    ? [
        'ACKNOWLEDGED_TOO_LATE',
        'the approval was stored only when the terminal no longer waited for our answer; it was not answered',
      ]
    : ['NOT_STORED', 'the result could not be stored; the terminal was not answered'];
}

/** The outcome of an error in a money dialogue. */
export function failed(
  error: unknown,
  neverTaken: boolean,
  lastReport: TransactionReport | undefined,
): Outcome {
  const code = error instanceof AppError ? error.code : 'DRIVER_FAILED';
  const message = messageOf(error);
  return neverTaken ? { kind: 'not_started', code, message } : unknown(code, message, lastReport);
}

function unknown(code: string, message: string, lastReport: TransactionReport | undefined): Outcome {
  return { kind: 'unknown', code, message, ...(lastReport ? { lastReport } : {}) };
}
