import type {
  CloseOutcome,
  OwnReference,
  OwnTransaction,
  Readiness,
  TerminalIdentity,
} from '../../../src/driver-kit/terminal.ts';
import { maskText } from './card-data.ts';
import { UNKNOWN_ACTION, v3Refusal, v3Words } from './result-codes.ts';
import { reportOfOlder } from './v3.ts';
import type { V3Message } from './v3-messages.ts';

/** The identity from `CD I`: the serial number (AQ) where the terminal reports it, else none. */
export function identityOf(message: V3Message): TerminalIdentity {
  const serial = maskText(message.get('AQ')?.trim() ?? '');
  const model = 'Concert V3';
  const firmware = message.get('CZ') ?? '';
  return serial === '' ? { grade: 'port', model, firmware } : { grade: 'serial', serial, model, firmware };
}

/**
 * A terminal that answers `CD I` is idle, also when it answers that it does not know the action. One that refuses the question (AF 04, 05,
 * 09, 13) is not busy: waiting changes nothing, and staff must look.
 */
export function readinessOf(message: V3Message): Readiness {
  if (message.get('AE') === '10' || isUnknownAction(message)) return { kind: 'ready' };
  const words = v3Words(reasonOf(message));
  if (message.get('AE') === '01' && v3Refusal(reasonOf(message)) === 'refused')
    return {
      kind: 'person',
      code: 'TERMINAL_NOT_READY',
      message: `The terminal refuses to answer the till (${words}): look at its display and its Concert settings.`,
    };
  return { kind: 'wait', code: 'TERMINAL_BUSY', message: `The terminal is not ready (${words}).` };
}

export function isUnknownAction(message: V3Message): boolean {
  return message.get('AE') === '01' && reasonOf(message) === UNKNOWN_ACTION;
}

/** Reasons that are about the message itself: our question, not the payment that it asks for. */
const OF_THE_QUESTION = new Set(['09', '12', '13']);

/** Only an answer with our own reference is about our payment; any other proves nothing. */
export function ownOf(message: V3Message, reference: OwnReference): OwnTransaction {
  if (message.get('AE') === '01' && OF_THE_QUESTION.has(reasonOf(message) ?? ''))
    return {
      kind: 'unreadable',
      detail: `the terminal refused the question (${v3Words(reasonOf(message))})`,
    };
  const report = reportOfOlder(message, reference);
  if (report) return { kind: 'found', report };
  return { kind: 'unreadable', detail: 'the terminal reports another payment, or none' };
}

/** An end of day: done, explicitly refused, or neither. */
export function closeOutcomeOf(message: V3Message): CloseOutcome {
  const [result, reason] = [message.get('AE'), reasonOf(message)];
  if (result === '10') return { kind: 'closed', totals: null, receipts: {} };
  const words = v3Words(reason);
  if (result === '01' && v3Refusal(reason) !== 'unclear')
    return {
      kind: 'refused',
      code: reason ?? 'refused',
      message: `The terminal did not close its day: ${words}. Its payments are kept; close it at the terminal.`,
    };
  return {
    kind: 'unknown',
    code: reason ?? 'TERMINAL_RESULT_UNCLEAR',
    message: `It is not known whether the terminal closed its day (${words}). Look at the terminal.`,
  };
}

function reasonOf(message: V3Message): string | undefined {
  return message.get('AF')?.slice(0, 2);
}
