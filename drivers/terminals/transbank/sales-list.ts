import {
  AppError,
  type LastTransaction,
  type OwnTransaction,
  type TransactionReport,
} from '../../../src/driver-kit/terminal.ts';
import { type AnswerFields, endsList } from './answers.ts';
import { LIST } from './commands.ts';
import { type Conversation, type Heard, older } from './conversation.ts';
import { reportOfLine } from './report.ts';
import { NO_SALE, resultWords } from './result-codes.ts';

/** A line that was not acknowledged is repeated after 10 s. */
const LINE = { name: 'line of the list', ms: 25_000 };
/** More than any terminal holds: it requires an end of day long before (67, 76). */
const MOST_LINES = 5000;

/** All sales since the last end of day, oldest first, voided ones with a negative amount. Ids are empty where none was reported. */
export interface SalesList {
  readonly terminalId: string;
  readonly lines: readonly AnswerFields[];
}

/** `refused`: the terminal does not send its list, and gave a reason. */
type ListAnswer =
  | { readonly kind: 'told'; readonly list: SalesList }
  | { readonly kind: 'refused'; readonly detail: string };

/**
 * Reads the list (`0260|1|`): one 0261 frame for each sale, each acknowledged, to its end, and waits until the terminal is idle: some
 * end it with two empty lines, and the next command would meet the second. It uses no paper. A list without its end is not a list.
 * An end without a line may be that of an older list which comes late: an empty list is read twice, the second time when nothing comes any more.
 * @throws TERMINAL_BUSY, TERMINAL_NO_ANSWER, TERMINAL_GARBLED, TERMINAL_LINK_LOST, or the signal's reason.
 */
export async function readList(conversation: Conversation, signal: AbortSignal): Promise<ListAnswer> {
  const answer = await readOnce(conversation, signal);
  if (answer.kind === 'refused' || answer.list.lines.length > 0) return answer;
  await conversation.quiet(signal);
  return readOnce(conversation, signal);
}

async function readOnce(conversation: Conversation, signal: AbortSignal): Promise<ListAnswer> {
  await conversation.ask(LIST, signal);
  const lines: AnswerFields[] = [];
  const seen = new Set<string>();
  while (true) {
    const heard = await conversation.next(LINE, signal);
    const fields = lineOf(heard);
    if (lines.length > MOST_LINES) throw endless();
    await conversation.answer(heard);
    if (fields.code !== '00' && fields.code !== NO_SALE)
      return { kind: 'refused', detail: resultWords(fields.code) };
    if (fields.code === NO_SALE || endsList(fields)) {
      await conversation.settle(signal);
      return { kind: 'told', list: { terminalId: fields.terminalId || idOf(lines), lines: inOrder(lines) } };
    }
    const text = String(heard.data);
    if (!seen.has(text)) lines.push(fields);
    seen.add(text);
  }
}

/** The terminal's newest transaction, as the list has it. */
export function lastOf({ lines }: SalesList): LastTransaction {
  const last = lines.at(-1);
  return last ? { kind: 'found', report: reportOfLine(last) } : { kind: 'empty' };
}

/** What the list reports of the payment with this ticket. A voided sale is reported as its void. */
export function ownIn({ lines }: SalesList, ticket: string): OwnTransaction {
  const ours = lines.filter((line) => line.ticket === ticket);
  const voided = new Set(ours.filter(isVoided).map(({ operation }) => operation));
  const standing = ours.filter(({ operation }) => !voided.has(operation));
  if (standing.length > 1)
    return {
      kind: 'unreadable',
      detail: `the terminal holds ${standing.length} sales under the ticket ${ticket}: possible double charge`,
    };
  const found = standing[0] ?? ours.findLast(isVoided);
  if (found) return { kind: 'found', report: { ...reportOfLine(found), reference: ticket } };
  return { kind: 'absent', others: reportsOf(lines) };
}

export function reportsOf(lines: readonly AnswerFields[]): readonly TransactionReport[] {
  return lines.map(reportOfLine);
}

export function isVoided({ amount = 0 }: AnswerFields): boolean {
  return amount < 0;
}

/** @throws TERMINAL_BUSY for the result of an older payment, TERMINAL_GARBLED for an answer to something else. */
function lineOf({ answer }: Heard): AnswerFields {
  if (answer.kind === 'line') return answer.fields;
  if (answer.kind === 'last' && answer.fields.code === NO_SALE) return answer.fields;
  if (answer.kind === 'sale' || answer.kind === 'void' || answer.kind === 'progress') throw older();
  throw new AppError('TERMINAL_GARBLED', 'the terminal sends something else than its list', {
    retry: 'safe',
  });
}

/** Oldest first by the terminal's own clock; in the received order where a line has no time. */
function inOrder(lines: readonly AnswerFields[]): readonly AnswerFields[] {
  if (lines.some(({ at }) => at === '')) return lines;
  return lines.toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
}

function idOf(lines: readonly AnswerFields[]): string {
  return lines.find(({ terminalId }) => terminalId !== '')?.terminalId ?? '';
}

function endless(): AppError {
  return new AppError('TERMINAL_GARBLED', 'the list of the terminal goes on behind its end', {
    retry: 'safe',
  });
}
