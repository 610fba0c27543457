import type { Attempt } from '../../src/payment/attempt/attempt.ts';
import { isFinal } from '../../src/payment/attempt/state-machine.ts';
import type { CaseFile } from './case-file.ts';
import type { Charge } from './charges.ts';
import { isOfItsSale, isUndoneUnknown } from './judge-giving-back.ts';

/** Holds an attempt that is final against the ledgers: what it says, its correction included, is what happened. */
export function judgeOutcome(books: CaseFile, attempt: Attempt): void {
  const moved = attempt.corrects === null ? books.charges.movedBy(attempt.id) : [];
  const name = books.nameOf(attempt.id);
  if (moved.length > 1) books.accuse('double_charges', `${name} moved money ${moved.length} times`);
  if (!isFinal(attempt.state)) return;
  judgeEvidence(books, attempt);
  if (attempt.corrects !== null) {
    judgeCorrection(books, attempt, attempt.corrects);
    return;
  }
  const says = saysOf(books, attempt);
  const adopted = books.claims.adoptedBy(attempt.id);
  const correction = books.correctionOf(attempt.id);
  const read = readBy(books, attempt, moved);
  // What staff undid at the terminal itself, or a life that was forgotten, is reported as a correction, where the terminal shows it.
  const stands =
    correction || wasFoundUndone(attempt) ? read.filter((charge) => !isUndoneUnknown(books, charge)) : read;
  const did = stands.length > 0 || adopted !== undefined || wasDoneByHand(books, attempt);
  const how = correction ? `${attempt.state.name} and corrected` : attempt.state.name;
  if (says === did) books.needsNoCorrection(attempt.id);
  const reversed = books.charges.takenBackOf(attempt.id);
  if (says && !did && reversed && wasReadTooEarly(attempt, reversed)) books.mustCorrect(attempt.id, reversed);
  else if (says && !did) books.accuse('lost_outcomes', `${name} is ${how}, and no terminal moved the money`);
  const late = read[0];
  if (!says && late && isBeyondSettling(attempt, late, books)) books.mustCorrect(attempt.id, late);
  else if (!says && did)
    books.accuse(
      'lost_outcomes',
      `${name} is ${how}, and ${(read[0] ?? adopted)?.terminal.name} moved the money${forgotten(attempt, read)}`,
    );
  for (const charge of moved) judgeAmount(books, attempt, charge);
}

/** A person who compares receipts counts a void that undid another sale for that one. */
function readBy(books: CaseFile, { type, evidence }: Attempt, moved: readonly Charge[]): readonly Charge[] {
  if (type !== 'void' || evidence?.kind !== 'person') return moved;
  return moved.filter((charge) => isOfItsSale(books, charge));
}

/** Recovery found that it had been taken back: by whom, the terminal does not say. */
function wasFoundUndone({ evidence, state }: Attempt): boolean {
  return evidence?.kind === 'terminal_journal' && state.name === 'error' && evidence.row === 'own_reference';
}

/** Its sale was undone at the terminal itself while the void was in doubt: a void has no name there, and what was asked for has happened, once. */
function wasDoneByHand(books: CaseFile, attempt: Attempt): boolean {
  const { type, evidence, parentId } = attempt;
  const looked = evidence?.kind === 'terminal_journal' && evidence.row === 'own_reference';
  const sale = type === 'void' && looked ? books.charges.movedBy(parentId ?? '')[0] : undefined;
  const undoer = sale && books.charges.undoerOf(sale);
  if (undoer?.causedBy !== null) return false;
  const from = books.sentAt(attempt.id) ?? Number.POSITIVE_INFINITY;
  return undoer.atMs > from && undoer.atMs < (books.endedAt(attempt.id) ?? Number.POSITIVE_INFINITY);
}

/**
 * The terminal looked idle for longer than its settle time and moved the money then: nobody could know. It must be corrected before
 * anything else is sent there.
 */
function isBeyondSettling({ id, evidence }: Attempt, charge: Charge, books: CaseFile): boolean {
  const looked =
    evidence?.kind === 'terminal_journal' &&
    (evidence.row === 'same_as_mark' || evidence.row === 'nothing_stored');
  return (
    looked &&
    charge.terminal.traits.looksIdleMs > SETTLE_MS &&
    charge.atMs > (books.endedAt(id) ?? Number.POSITIVE_INFINITY)
  );
}

/**
 * The terminal looked idle in the middle of the dialogue, showed its approval, and took it back then: "charged" may be said at once, so
 * it must be corrected before anything else is sent there.
 */
function wasReadTooEarly({ evidence }: Attempt, { terminal }: Charge): boolean {
  return evidence?.kind === 'terminal_journal' && terminal.traits.looksIdleMs > 0;
}

const SETTLE_MS = 20_000;

/** Whether money moved, as the books have it now. */
export function saysOf(books: CaseFile, attempt: Attempt): boolean {
  const correction = books.correctionOf(attempt.id);
  return correction ? correction.type === attempt.type : attempt.state.name === 'succeeded';
}

/** The terminal was empty before, and its day was closed by hand behind the charge: it is empty again. */
function forgotten({ evidence }: Attempt, [charge]: readonly Charge[]): string {
  const isEmpty = evidence?.kind === 'terminal_journal' && evidence.row === 'nothing_stored';
  const terminal = charge?.terminal;
  const isClosed = terminal?.closedByHandAt.some((at) => at >= (charge?.atMs ?? 0));
  return isEmpty && isClosed ? ', and has forgotten it at a close of its own' : '';
}

/** A correction says the opposite of what it corrects, and the truth; it is never sent. */
function judgeCorrection(books: CaseFile, correction: Attempt, correctedId: string): void {
  const name = books.nameOf(correction.id);
  const corrected = books.attempts.get(correctedId);
  if (books.charges.movedBy(correction.id).length > 0 || books.sentAt(correction.id) !== undefined)
    books.accuse('double_charges', `${name} is a correction and was sent`);
  if (
    !corrected ||
    !isFinal(corrected.state) ||
    saysOf(books, corrected) === (corrected.state.name === 'succeeded')
  )
    books.accuse('broken_rules', `${name} corrects nothing`);
}

/** What was charged is what the terminal says, and where it is not what was asked for the terminal was told to. */
function judgeAmount(books: CaseFile, attempt: Attempt, { line, terminal }: Charge): void {
  if (attempt.type === 'void') return;
  const name = books.nameOf(attempt.id);
  const asked = attempt.amount.minor;
  const tip = tipOf(attempt, terminal, line.amountMinor);
  const isOrdered = attempt.type === 'sale' && terminal.ordered.has(line.amountMinor);
  if (line.amountMinor !== asked + tip && !isOrdered)
    books.accuse('wrong_amounts', `${name} asked for ${asked} and moved ${line.amountMinor}`);
  // A result without an amount (ECR17's P) is shown as not confirmed: nobody could know.
  if (attempt.report?.verdict === 'approved' && attempt.report.amountMinor === undefined) return;
  const isRead = attempt.evidence?.kind === 'dialogue' || attempt.evidence?.kind === 'terminal_journal';
  if (isRead && saysOf(books, attempt) && !isOrdered && (attempt.report?.tipMinor ?? 0) !== tip)
    books.accuse(
      'wrong_amounts',
      `${name} is in the books with a tip of ${attempt.report?.tipMinor}, not ${tip}`,
    );
  const booked = approvedOf(books.correctionOf(attempt.id) ?? attempt);
  const by = attempt.evidence?.kind === 'person' ? ' by the word of a person' : '';
  if (saysOf(books, attempt) && booked !== line.amountMinor)
    books.accuse(
      'wrong_amounts',
      `${name} is in the books with ${booked}${by} and moved ${line.amountMinor}`,
    );
}

/** What the customer added, where the terminal was told to ask: of what a forgotten life sent the books do not know whether it was. */
function tipOf({ amount, baseline }: Attempt, { settings }: Charge['terminal'], moved: number): number {
  const tip = Math.round((amount.minor * (settings.tipPercent ?? 0)) / 100);
  const wasAsked = baseline === null ? moved === amount.minor + tip : baseline.tipAsked;
  return wasAsked ? tip : 0;
}

export function approvedOf({ report, amount }: Attempt): number {
  return report?.amountMinor ?? amount.minor;
}

/** The window of the recovery table: the dialogue (ten minutes of it at most), T4 and a minute, and a second of reading; a clock set back. */
const [BEFORE_MS, LONGEST_RUN_MS, GOES_ON_MS] = [61_000, 600_000, 241_000];

/** An attempt goes by its own line, or by one that staff typed where rule (c) of the recovery cannot tell it from its own. */
function judgeEvidence(books: CaseFile, attempt: Attempt): void {
  const { evidence, baseline, state } = attempt;
  const subject = attempt.corrects ?? attempt.id;
  const report = evidence?.kind === 'terminal_journal' ? evidence.report : null;
  const isYes =
    state.name === 'succeeded' && attempt.type === (books.attempts.get(subject)?.type ?? attempt.type);
  if (!isYes || !report?.number || !baseline) return;
  const charge = books.charges.find(baseline.terminal, report);
  if (charge === 'untold' || charge?.causedBy === subject) return;
  const wrong = charge ? wrongWith(books, attempt, subject, charge) : 'a transaction that no ledger has';
  if (wrong !== null) books.accuse('lost_outcomes', `${books.nameOf(attempt.id)} goes by ${wrong}`);
}

/** Why an attempt may not go by a line that is not its own; when it may, the line is its. */
function wrongWith(books: CaseFile, attempt: Attempt, subject: string, charge: Charge): string | null {
  if (charge.causedBy !== null) return `the transaction of ${books.nameOf(charge.causedBy)}`;
  const why = whyNotItsOwn(books, attempt, subject, charge);
  if (why !== null) return `what staff typed: ${why}`;
  const holder = books.claims.claim(charge, subject);
  return holder === null ? null : `what staff typed, as ${books.nameOf(holder)} does already`;
}

function whyNotItsOwn(
  books: CaseFile,
  { type, baseline, amount }: Attempt,
  subject: string,
  { line, atMs, terminal }: Charge,
): string | null {
  const { lines } = terminal.family;
  const reported = baseline?.last.kind === 'found' ? baseline.last.report.number : undefined;
  const most = 10 ** Math.max(4, reported?.length ?? 0) - 1;
  const sentAt = books.sentAt(subject) ?? Number.POSITIVE_INFINITY;
  if (lines && Number(lines.numberOf(line)) !== (Number(reported ?? 0) % most) + 1)
    return 'not the next number';
  if (line.kind !== type) return 'another kind';
  if (line.amountMinor !== amount.minor) return 'another amount';
  const windowMs = ranFor(books.attempts.get(subject)) + GOES_ON_MS;
  const isDated = lines?.dated ?? true;
  if (atMs < sentAt - BEFORE_MS || (isDated && atMs > sentAt + windowMs)) return 'outside the window';
  return null;
}

/** How long its dialogue ran, by the agent's own clock, which may have been wrong. */
function ranFor(attempt: Attempt | undefined): number {
  const ranMs = (attempt?.inDoubtSince ?? 0) - (attempt?.dispatchedAt ?? 0);
  return Math.min(Math.max(0, ranMs), LONGEST_RUN_MS);
}
