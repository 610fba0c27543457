import {
  type MoneyCommand,
  messageOf,
  type Observer,
  type OriginalTransaction,
  type Outcome,
  type TransactionReport,
} from '../../../src/driver-kit/terminal.ts';
import { type Answer, type AnswerFields, unfilled } from './answers.ts';
import { voidOf } from './commands.ts';
import type { Conversation } from './conversation.ts';
import { codeOf, notStarted, pay } from './payment.ts';
import { reportOfLine } from './report.ts';
import { resultWords, verdictOf } from './result-codes.ts';
import { isVoided, readList, type SalesList } from './sales-list.ts';
import type { Settings } from './settings.ts';

type VoidCommand = Extract<MoneyCommand, { kind: 'void' }>;

const STILL_PAID = 'Nothing was sent to the terminal: the customer HAS paid, and nothing was given back.';

/**
 * Voids one sale: reads the list, proves that the sale is in it, stands and was paid by credit card, then sends `1200` with its operation
 * number. A void needs no card (?). Never throws.
 */
export async function undo(
  conversation: Conversation,
  command: VoidCommand,
  { customer_ms: silenceMs, void: allowed }: Settings,
  observer: Observer,
  signal: AbortSignal,
): Promise<Outcome> {
  if (allowed === 'none') return impossible('Voids are switched off for this terminal; refund another way.');
  if (command.amount.minor !== command.original.amountMinor || command.amount.currency !== 'CLP')
    return impossible('Only the whole sale can be voided; refund another way.');
  const found = await provedIn(conversation, command.original, signal);
  if ('outcome' in found) return found.outcome;
  const frame = voidOf(found.line.operation);
  const read = (answer: Answer) => resultOf(answer, found.line);
  return pay({ conversation, kind: 'void', frame, read, observer, silenceMs }, signal);
}

type Proved = { readonly line: AnswerFields } | { readonly outcome: Outcome };

async function provedIn(
  conversation: Conversation,
  original: OriginalTransaction,
  signal: AbortSignal,
): Promise<Proved> {
  try {
    const answer = await readList(conversation, signal);
    return answer.kind === 'told'
      ? lineFor(answer.list, original)
      : { outcome: impossible(`The terminal does not tell its sales: ${answer.detail}.`) };
  } catch (error) {
    const message = `The list of the terminal could not be read (${messageOf(error)}). ${STILL_PAID} Try again.`;
    return { outcome: notStarted(codeOf(error), message) };
  }
}

/** The original sale, as the list has it under our ticket. */
function lineFor({ lines }: SalesList, original: OriginalTransaction): Proved {
  const { reference } = original;
  const number = original.number === undefined ? '' : unfilled(original.number);
  const same = lines.filter(
    ({ operation, ticket }) =>
      number !== '' && unfilled(operation) === number && (reference === undefined || ticket === reference),
  );
  const [line] = same.filter((one) => !isVoided(one));
  if (same.some(isVoided))
    return { outcome: impossible('The terminal has voided this sale already: look at its receipts.') };
  if (!line || !isOriginal(line, original))
    return {
      outcome: impossible(
        'The terminal no longer holds this sale: its day was closed, or it was made elsewhere. Refund another way.',
      ),
    };
  if (line.cardType === 'DB')
    return {
      outcome: impossible(
        'It was paid by debit card, which cannot be voided. Refund another way, or in cash.',
      ),
    };
  return { line };
}

/** Operation numbers restart at some point: amount, card and time must be those of the sale, as far as both are known. */
function isOriginal(
  line: AnswerFields,
  { amountMinor, maskedPan, terminalClock }: OriginalTransaction,
): boolean {
  const report = reportOfLine(line);
  return (
    report.amountMinor === amountMinor &&
    !differ(report.maskedPan?.toString(), maskedPan?.toString()) &&
    !differ(report.terminalClock, terminalClock)
  );
}

/** `1210` has the operation number of the voided sale; neither amount nor ticket. */
function resultOf(answer: Answer, line: AnswerFields): TransactionReport | 'foreign' | null {
  if (answer.kind === 'sale') return 'foreign';
  if (answer.kind !== 'void') return null;
  const { code, terminalId, authCode, operation } = answer;
  const isNamed = operation !== '';
  if (isNamed && unfilled(operation) !== unfilled(line.operation)) return 'foreign';
  const verdict = verdictOf(code);
  const isClear = verdict !== 'approved' || (isNamed && authCode !== '');
  return {
    verdict: isClear ? verdict : 'unclear',
    kind: 'void',
    responseCode: code,
    number: line.operation,
    originalTrace: line.operation,
    ...(authCode === '' ? {} : { authCode }),
    ...(terminalId === '' ? {} : { terminalId }),
    ...(verdict === 'approved' ? {} : { text: resultWords(code) }),
  };
}

function impossible(words: string): Outcome {
  return notStarted('VOID_NOT_POSSIBLE', `${words} ${STILL_PAID}`);
}

function differ(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other;
}
