import { isDeepStrictEqual } from 'node:util';
import type { LedgerEntry } from '../../../src/sandbox/controllable-terminal.ts';
import type { MoneyCommand } from '../../../src/terminal/ports.ts';
import { must } from '../breach.ts';
import type { TerminalWord } from '../words.ts';
import type { Paid } from './bench.ts';
import { type Happening, terminalWords, tillWords } from './happenings.ts';

/** What the scenario's own fault justifies. */
export interface Allowance {
  /** The outcome may be unknown. */
  readonly unknown?: boolean;
  /** What the customer really pays, where it is not what was asked for, minor units. */
  readonly amountMinor?: number;
  /** It may end so instead of as the clean dialogue does. */
  readonly orElse?: Paid['outcome']['kind'];
  /** The order of results, stores and acknowledgements is not known: packets came twice, or those of an older dialogue did. */
  readonly orderUntold?: boolean;
}

/** A frame is handed over once, and twice again at most. */
const MOST_WRITES = 3;

/** What the ledger says about one dialogue: the entries that are new, as they stand when everything is calm. */
export function entriesOf(
  paid: Paid,
  ledger: readonly LedgerEntry[],
  next?: Paid,
): { readonly fresh: readonly LedgerEntry[]; readonly standing: readonly LedgerEntry[] } {
  const from = paid.before.at(-1)?.sequence ?? 0;
  const to = next ? (next.before.at(-1)?.sequence ?? 0) : Number.POSITIVE_INFINITY;
  const isOurs = ({ reference }: LedgerEntry) =>
    reference === '' || oursOf(paid.command).some((one) => reference.includes(one));
  const fresh = ledger.filter(
    (entry) => entry.sequence > from && entry.sequence <= to && !entry.byHand && isOurs(entry),
  );
  const standing = fresh.filter((entry) => entry.kind === paid.command.kind && stands(entry, ledger));
  return { fresh, standing };
}

/** The references of a command; some keep a void under that of its sale. */
export function oursOf(command: MoneyCommand): readonly string[] {
  const { attemptId, ticket } = command;
  const ofSale = command.kind === 'void' ? command.original.reference : undefined;
  return [attemptId, ticket, ...(ofSale === undefined ? [] : [ofSale])];
}

/** Approved, and not taken back by the terminal: what a later void undid has stood until then. */
function stands({ sequence, result, reversed }: LedgerEntry, ledger: readonly LedgerEntry[]): boolean {
  const undone = ledger.some(
    (other) => other.undoes === sequence && other.result === 'approved' && !other.reversed,
  );
  return result === 'approved' && (!reversed || undone);
}

/**
 * Holds one money dialogue against the terminal's ledger and against the law of money.
 * @throws Breach
 */
export function judge(paid: Paid, ledger: readonly LedgerEntry[], allowed: Allowance, next?: Paid): void {
  const { fresh, standing } = entriesOf(paid, ledger, next);
  const { outcome, command } = paid;
  const name = `a ${command.kind}`;
  must(
    fresh.filter(({ result }) => result === 'approved').length <= 1,
    `${name} was approved more than once by the terminal`,
  );
  if (outcome.kind === 'approved') judgeApproved(paid, standing, ledger, allowed);
  else if (outcome.kind === 'unknown')
    must(
      allowed.unknown === true,
      `${name} is unknown without a reason (${outcome.code}: ${outcome.message})`,
    );
  else
    must(
      standing.length === 0,
      `${name} is ${outcome.kind}, but the terminal's ledger has ${standing[0]?.amountMinor}`,
    );
  judgeReports(paid);
  judgeOnce(paid.happenings, 'money');
  if (!allowed.orderUntold) judgeOrder(paid);
}

function judgeApproved(
  { outcome, command }: Paid,
  standing: readonly LedgerEntry[],
  ledger: readonly LedgerEntry[],
  { amountMinor = command.amount.minor }: Allowance,
): void {
  if (outcome.kind !== 'approved') return;
  const [entry] = standing;
  must(
    entry !== undefined && standing.length === 1,
    `a ${command.kind} is approved, but ${standing.length} of it stand in the terminal's ledger`,
  );
  must(
    entry.amountMinor === amountMinor,
    `the terminal's ledger has ${entry.amountMinor}, not ${amountMinor}`,
  );
  const reported = outcome.report.amountMinor;
  must(
    reported === undefined || reported === entry.amountMinor,
    `told ${reported}, charged ${entry.amountMinor}: the report lies about the amount`,
  );
  const { reference } = outcome.report;
  must(
    reference === undefined || oursOf(command).includes(reference),
    `the report has the reference "${reference}", which is not that of its ${command.kind}`,
  );
  if (command.kind !== 'void') return;
  const original = ledger.find(({ sequence }) => sequence === entry.undoes);
  must(original?.reversed === true, 'a void is approved, but what it undoes still stands');
  must(
    original.amountMinor === command.original.amountMinor,
    `the void undid ${original.amountMinor}, not the payment that it named`,
  );
}

/** The words of the outcome fit its report, and the same was reported to the core before the end was answered. */
function judgeReports({ outcome, observer, happenings }: Paid): void {
  const verdicts = { approved: 'approved', declined: 'refused', aborted: 'aborted' } as const;
  if (outcome.kind === 'approved' || outcome.kind === 'declined' || outcome.kind === 'aborted')
    must(
      outcome.report.verdict === verdicts[outcome.kind],
      `the outcome is ${outcome.kind}, its report says ${outcome.report.verdict}`,
    );
  const stored = happenings.some(
    (one) => one.kind === 'observer' && one.call === 'beforeEnd' && one.answer === true,
  );
  const end = observer.ends.at(-1);
  if (stored)
    must(
      isDeepStrictEqual(end, outcome),
      `beforeEnd was given ${end?.kind}, but execute resolved ${outcome.kind}`,
    );
  if (outcome.kind !== 'approved') return;
  must(stored, 'approved, but the end was never reported to the core (beforeEnd)');
  must(
    observer.reports.at(-1)?.verdict === 'approved',
    'approved, but no approval was reported to the core before it was acknowledged (beforeAcknowledge)',
  );
}

/**
 * A frame that must not be doubled is written once. It may be written again after a NAK, if nothing else had come by then, at most
 * twice: the line says that it was damaged. What comes in the very moment of the write cannot have been read.
 * @throws Breach
 */
export function judgeOnce(happenings: readonly Happening[], word: 'money' | 'close'): void {
  let writes = 0;
  let heard: Heard[] = [];
  for (const one of happenings) {
    if (one.kind === 'heard') heard.push(...one.packets.map((packet) => ({ word: packet.word, at: one.at })));
    if (one.kind !== 'wrote') continue;
    for (const _packet of one.packets.filter((packet) => packet.word === word)) {
      writes += 1;
      must(writes <= MOST_WRITES, `a ${word} frame was written ${writes} times`);
      must(
        writes === 1 || isOrderToRepeat(heard, one.at),
        `a ${word} frame was written again after ${heard.map((written) => written.word).join(' + ') || 'silence'}`,
      );
      heard = [];
    }
  }
}

interface Heard {
  readonly word: string;
  readonly at: number;
}

function isOrderToRepeat(heard: readonly Heard[], now: number): boolean {
  const others = heard.filter(({ word, at }) => word !== 'line_nak' && at < now);
  return others.length === 0 && heard.filter(({ word }) => word === 'line_nak').length === 1;
}

/**
 * Packets of the terminal are answered in their order. By the time a result is answered it is stored, by the time the end is
 * answered the end is; after the core said no, nothing is written at all.
 */
function judgeOrder({ happenings }: Paid): void {
  const books: StoredCounts = {
    unanswered: [],
    stored: { result: 0, end: 0 },
    answered: { result: 0, end: 0 },
  };
  let refused = false;
  for (const one of happenings) {
    switch (one.kind) {
      case 'heard':
        books.unanswered.push(...one.packets.filter(({ asks }) => asks).map(({ word }) => word));
        break;
      case 'observer':
        refused ||= one.answer === false;
        if (one.answer === true && one.call === 'beforeAcknowledge') books.stored.result += 1;
        if (one.answer === true && one.call === 'beforeEnd') books.stored.end += 1;
        break;
      case 'wrote':
        must(!refused, 'something was written after the core had said that it could not store');
        for (const { word } of one.packets) if (word === 'acknowledgement') acknowledge(books);
        break;
      case 'stray':
        break;
    }
  }
}

/** The till answers the oldest packet without an answer. */
function acknowledge({ unanswered, stored, answered }: StoredCounts): void {
  const of = unanswered.shift();
  if (of !== 'result' && of !== 'end') return;
  answered[of] += 1;
  must(
    stored[of] >= answered[of],
    of === 'result'
      ? 'a result was acknowledged before beforeAcknowledge had returned true'
      : 'the end was answered before beforeEnd had returned true',
  );
}

interface StoredCounts {
  readonly unanswered: string[];
  readonly stored: { result: number; end: number };
  readonly answered: { result: number; end: number };
}

/** Where nothing is in its way, a dialogue answers each packet that asks once. @throws Breach */
export function judgeAnswered(happenings: readonly Happening[]): void {
  const asked = happenings.flatMap((one) =>
    one.kind === 'heard' ? one.packets.filter(({ asks }) => asks) : [],
  );
  const answers = tillWords(happenings).filter((word) => word === 'acknowledgement').length;
  const words = asked.map(({ word }) => word).join(', ');
  must(
    answers === asked.length,
    `the terminal sent ${asked.length} packet(s) that must be answered once (${words}), the driver sent ${answers} acknowledgement(s)`,
  );
}

/** Nothing in these happenings moves money, closes a batch or makes the terminal print. @throws Breach */
export function judgeFree(happenings: readonly Happening[], what: string, mayPrint = false): void {
  const words = tillWords(happenings);
  for (const word of ['money', 'close', 'paper'] as const)
    must(
      !words.includes(word) || (mayPrint && word === 'paper'),
      `${what} sent a command that is ${WORDS[word]}`,
    );
}

/**
 * In a conversation that asked for no result, one that comes belongs to a dialogue whose till is gone: nobody has stored it, and an
 * acknowledgement would commit it.
 * @throws Breach
 */
export function judgeStale(happenings: readonly Happening[]): void {
  const unanswered: TerminalWord[] = [];
  for (const one of happenings) {
    if (one.kind === 'heard')
      unanswered.push(...one.packets.filter(({ asks }) => asks).map(({ word }) => word));
    if (one.kind !== 'wrote') continue;
    for (const { word } of one.packets) {
      if (word !== 'acknowledgement') continue;
      const other = unanswered.findIndex((written) => written !== 'result');
      must(
        other >= 0 || !unanswered.includes('result'),
        'the result of an older dialogue was acknowledged, and nobody has stored it',
      );
      if (other >= 0) unanswered.splice(other, 1);
    }
  }
}

/** The terminal sent nothing to be printed either. @throws Breach */
export function judgePaperless(happenings: readonly Happening[], what: string): void {
  must(!terminalWords(happenings).includes('print'), `${what} made the terminal send something to print`);
}

const WORDS = {
  money: 'about money',
  close: 'an end of day',
  paper: 'one that makes the terminal print',
} as const;
