import {
  AppError,
  type Clock,
  type CloseOutcome,
  type Currency,
  messageOf,
  type StxLine,
} from '../../../src/driver-kit/terminal.ts';
import type { Answer } from './answers.ts';
import type { Ended } from './calls.ts';
import { type Carrier, carryOut, type HandedOver } from './carry-out.ts';
import { Procedure } from './procedure.ts';
import { closeRequest } from './requests.ts';
import { resultWords, verdictOf } from './result-codes.ts';
import type { Settings } from './settings.ts';
import { sumOf } from './totals.ts';

interface Closing extends Carrier {
  readonly clock: Clock;
  readonly currency: Currency;
  readonly settings: Settings;
  readonly progress: (text: string) => void;
}

/** Closes the session: `[E1 →] C →`, and its result. The command is sent once. Never throws. */
export async function closeSession(closing: Closing, signal: AbortSignal): Promise<CloseOutcome> {
  try {
    const request = closeRequest(closing.conversation.address);
    return await carryOut(closing, request, signal, (line, handed) =>
      closeOver(line, handed, closing, signal),
    );
  } catch (error) {
    // Only the connection can fail here: after the first byte every error becomes an outcome.
    return refused(codeOf(error), messageOf(error));
  }
}

async function closeOver(
  line: StxLine,
  handed: HandedOver,
  closing: Closing,
  signal: AbortSignal,
): Promise<Ended<CloseOutcome>> {
  if (handed.kind === 'never') {
    const value = handed.refused
      ? refused('TERMINAL_CANNOT', 'the terminal does not take the command to close its session')
      : refused(codeOf(handed.error), messageOf(handed.error));
    return { value, clean: false };
  }
  if (handed.kind === 'unknown') return { value: unknown(handed.error), clean: false };
  try {
    return { value: await closed(line, closing, signal), clean: true };
  } catch (error) {
    return { value: unknown(error), clean: false };
  }
}

async function closed(line: StxLine, closing: Closing, signal: AbortSignal): Promise<CloseOutcome> {
  const { settings, paper, currency } = closing;
  const procedure = new Procedure({
    ...closing,
    line,
    silenceMs: settings.customerMs,
    wantsReceipts: paper.wanted,
  });
  const result = await procedure.result(
    ({ code }) => code === 'C',
    () => undefined,
    signal,
  );
  await line.acknowledge().catch(() => undefined);
  await procedure.rest(() => true, signal);
  return outcomeOf(result, currency, procedure);
}

function outcomeOf(result: Answer, currency: Currency, { receipts }: Procedure): CloseOutcome {
  const { result: code = '', text = '' } = result.fields;
  const words = text.trim() === '' ? resultWords(code) : text.trim();
  switch (verdictOf(code)) {
    case 'approved':
      return { kind: 'closed', totals: sumOf(result, currency), receipts };
    case 'refused':
      return refused('TERMINAL_REFUSED', `the terminal does not close its session: ${words}`);
    default:
      return { kind: 'unknown', code: 'TERMINAL_RESULT_UNCLEAR', message: words };
  }
}

function refused(code: string, message: string): CloseOutcome {
  return { kind: 'refused', code, message };
}

function unknown(error: unknown): CloseOutcome {
  return { kind: 'unknown', code: codeOf(error), message: messageOf(error) };
}

function codeOf(error: unknown): string {
  return error instanceof AppError ? error.code : 'DRIVER_FAILED';
}
