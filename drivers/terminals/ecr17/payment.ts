import {
  AppError,
  type Clock,
  type Currency,
  type MoneyCommand,
  messageOf,
  type Observer,
  type Outcome,
  type StxLine,
} from '../../../src/driver-kit/terminal.ts';
import type { Ended } from './calls.ts';
import { type Carrier, carryOut, type HandedOver } from './carry-out.ts';
import { MoneyDialogue, type OlderResults } from './money-dialogue.ts';
import { Procedure } from './procedure.ts';
import { paymentRequest, reversalRequest, statusRequest } from './requests.ts';
import { MOST_MINOR, type Settings } from './settings.ts';

export interface Payment extends Carrier {
  readonly clock: Clock;
  readonly command: MoneyCommand;
  /** The terminal's only currency. */
  readonly currency: Currency;
  readonly settings: Settings;
  readonly observer: Observer;
  readonly older: OlderResults;
}

/**
 * Runs one sale or void: `[E1 →] X →, ACK ←, progress ←, result ←, ACK →, [receipts ←]`. Never throws.
 */
export async function pay(payment: Payment, signal: AbortSignal): Promise<Outcome> {
  try {
    return await carryOut(payment, requestOf(payment), signal, (line, handed) =>
      payOver(line, handed, payment, signal),
    );
  } catch (error) {
    // Only the connection can fail here: after the first byte every error becomes an outcome.
    return notStarted(codeOf(error), messageOf(error));
  }
}

/**
 * The outcome that can be decided before anything is sent; null: the command may be sent.
 */
export function refusalOf(command: MoneyCommand, currency: Currency, canVoid: boolean): Outcome | null {
  const { minor } = command.amount;
  if (command.kind === 'refund')
    return cannot('This terminal gives no refunds through the till: refund at the terminal itself');
  if (command.kind === 'void' && !canVoid)
    return cannot('This terminal takes nothing back: refund at the terminal itself');
  if (command.amount.currency !== currency) return cannot('This terminal has another currency');
  if (minor < 1 || minor > MOST_MINOR) return cannot('This terminal cannot take that amount');
  if (command.kind === 'void' && minor !== command.original.amountMinor)
    return cannot('A payment is taken back as a whole');
  return null;
}

async function payOver(
  line: StxLine,
  handed: HandedOver,
  payment: Payment,
  signal: AbortSignal,
): Promise<Ended<Outcome>> {
  const { settings, command, observer, paper } = payment;
  if (handed.kind === 'never') {
    const isFree = !handed.refused || (await answersStatus(line, payment, signal));
    return { value: isFree ? neverTaken(handed, command, settings) : maybeBusy(), clean: false };
  }
  const procedure = new Procedure({
    ...payment,
    line,
    silenceMs: settings.customerMs,
    progress: (text) => observer.progress(text),
    wantsReceipts: paper.wanted,
  });
  // Bytes received before a cut are still read: they may hold a result.
  const isHeard = handed.kind === 'sent' && handed.sign === 'heard';
  const isAcknowledged = isHeard && line.heardBy === 'acknowledged';
  const dialogue = new MoneyDialogue({ ...payment, line, procedure, isAcknowledged });
  const value = await dialogue.run(isHeard, signal);
  return { value, clean: value.kind !== 'unknown' };
}

function requestOf({ command, conversation, settings }: Payment): Uint8Array {
  const { address } = conversation;
  if (command.kind === 'void') return reversalRequest(address, command.original.trace ?? '');
  return paymentRequest(settings.paymentCommand, address, command.amount.minor);
}

/**
 * A terminal that refuses commands while it carries one out may have taken the first of three, and its ACK may have arrived as a
 * NAK. A terminal that answers this question is idle.
 */
async function answersStatus(
  line: StxLine,
  { conversation, settings }: Payment,
  signal: AbortSignal,
): Promise<boolean> {
  const request = statusRequest(conversation.address);
  const timeLimit = { name: 'answer', ms: settings.answerMs };
  try {
    return (
      (await conversation.askOver(line, request, ({ code }) => code === 's', timeLimit, signal)) !== null
    );
  } catch {
    return false;
  }
}

function maybeBusy(): Outcome {
  const message = 'the terminal refused the command three times, and then did not say how it is';
  return { kind: 'unknown', code: 'TERMINAL_NOT_HEARD', message };
}

/** No byte was sent, or the terminal refused each frame: as damaged, or because it does not know the command. */
function neverTaken(
  { refused, error }: { readonly refused: boolean; readonly error: unknown },
  command: MoneyCommand,
  { paymentCommand }: Settings,
): Outcome {
  if (!refused) return notStarted(codeOf(error), messageOf(error));
  if (command.kind === 'void')
    return notStarted('TERMINAL_REFUSED', 'The terminal does not take the reversal command (NAK)');
  const hint = paymentCommand === 'X' ? '; if it refuses each payment, set payment_command to "P"' : '';
  return notStarted('TERMINAL_REFUSED', `The terminal does not take the payment command (NAK)${hint}`);
}

export function notStarted(code: string, message: string): Outcome {
  return { kind: 'not_started', code, message: `${message}. Nothing was charged or given back.` };
}

function cannot(why: string): Outcome {
  return notStarted('TERMINAL_CANNOT', why);
}

function codeOf(error: unknown): string {
  return error instanceof AppError ? error.code : 'DRIVER_FAILED';
}
