import type {
  Capabilities,
  MoneyCommand,
  Observer,
  Outcome,
  Receipts,
  TransactionReport,
} from '../terminal/ports.ts';
import { conclude, unknownOutcome } from './conclude.ts';

/** What a response to a command that moves money says. */
export interface MoneyResponse {
  /** The transaction; absent: the response has none. */
  readonly report?: TransactionReport | undefined;
  /** The terminal says that it has begun nothing, and why; believed only without a report. */
  readonly notBegun?: { readonly code: string; readonly message: string } | undefined;
  /** What it answered, for people. */
  readonly words: string;
  readonly receipts?: Receipts;
}

/** The outcome of the only response to a command that was written once. An approval that contradicts the command is unclear. */
export function outcomeOf(
  { report, notBegun, words, receipts = {} }: MoneyResponse,
  command: MoneyCommand,
  capabilities: Pick<Capabilities, 'recover'>,
  observer: Pick<Observer, 'beforeAcknowledge'>,
): Outcome {
  if (!report && notBegun) return { kind: 'not_started', ...notBegun };
  if (!report)
    return unknownOutcome('TERMINAL_RESULT_MISSING', `the terminal answered without a result: ${words}`);
  const difference = differenceOf(report, command, capabilities);
  const read: TransactionReport = difference === null ? report : { ...report, verdict: 'unclear' };
  const outcome =
    read.verdict === 'unclear'
      ? unknownOutcome('TERMINAL_RESULT_UNCLEAR', difference ? `${words}: ${difference}` : words, read)
      : conclude(read, { kind: 'completed', message: words }, receipts, command.kind);
  return observer.beforeAcknowledge(read, outcome)
    ? outcome
    : unknownOutcome('NOT_STORED', "the terminal's answer could not be stored", read);
}

/** What contradicts a response: it may be that of another payment. A sale for less or more is its own, and the core compares it. */
function differenceOf(
  report: TransactionReport,
  { kind, attemptId, ticket, amount }: MoneyCommand,
  { recover }: Pick<Capabilities, 'recover'>,
): string | null {
  const { reference } = report;
  const isNamed = reference !== undefined || recover === 'by_reference';
  if (isNamed && reference !== attemptId && reference !== ticket) return 'it is of another payment';
  if (report.verdict !== 'approved') return null;
  if (report.kind !== kind) return 'it is of another kind';
  const isWhole = report.amountMinor === undefined || report.amountMinor === amount.minor;
  return kind === 'sale' || isWhole ? null : 'it is of another amount';
}
