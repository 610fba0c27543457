import type { Attempt } from '../../../src/payment/attempt/attempt.ts';
import { publicStatus } from '../../../src/payment/attempt/state-machine.ts';
import type { LedgerEntry } from '../../../src/sandbox/controllable-terminal.ts';
import type { SandboxControl } from '../../../src/sandbox/service/control.ts';
import { basketOf } from './basket.ts';
import { bookedMinor, chargedNow, type Entry, type StoredState } from './books.ts';
import { judgeReports } from './judge-reports.ts';
import { hasMoved } from './staff.ts';
import type { Shown, Till, TillRequest } from './till.ts';
import type { Traits } from './world.ts';

/** How a rule can be broken; the names are those of the summary. */
export const CRIMES = [
  'double_charges',
  'lost_outcomes',
  'wrong_amounts',
  'unreported',
  'overlaps',
  'stuck',
  'broken_promises',
] as const;
export type Crime = (typeof CRIMES)[number];

export interface Accusation {
  readonly crime: Crime;
  readonly text: string;
}

/** Everything that is left at the end of a round. */
export interface Evidence {
  readonly world: { readonly service: { readonly control: Pick<SandboxControl, 'ledger'> } };
  readonly traits: Pick<Traits, 'missingAcknowledgement'>;
  readonly ledger: readonly LedgerEntry[];
  readonly books: StoredState;
  readonly till: Pick<Till, 'requests' | 'shown' | 'complaints'>;
  /** Of work that the service's back office asked for: the basket of each. */
  readonly officeBaskets: readonly number[];
}

export type Accuse = (crime: Crime, text: string) => void;

const KINDS = ['sale', 'refund', 'void'] as const;

/**
 * Holds the terminal's ledger against the agent's books, what was reported to the service, and what the till was answered. The ledger is the
 * truth, and tells by the amount which basket a line belongs to.
 */
export function judge(evidence: Evidence): readonly Accusation[] {
  const accusations: Accusation[] = [];
  const accuse: Accuse = (crime, text) => accusations.push({ crime, text });
  const { books, ledger, till } = evidence;
  if (books.chain.kind === 'broken')
    accuse('broken_promises', `the journal's chain is broken: ${books.chain.what}`);
  const baskets = new Set([
    ...ledger.filter(({ byHand }) => !byHand).map(({ amountMinor }) => basketOf(amountMinor)),
    ...books.attempts.map(({ amount }) => basketOf(amount.minor)),
  ]);
  for (const basket of baskets) {
    for (const kind of KINDS) judgeBasket(evidence, basket, kind, accuse);
    judgeNet(evidence, basket, accuse);
  }
  judgeQueue(books, accuse);
  judgeEvents(books, accuse);
  judgeReports(evidence, accuse);
  for (const shown of till.shown) judgeShown(shown, books, accuse);
  for (const complaint of till.complaints) accuse('broken_promises', complaint);
  judgeMemory(books, ledger, accuse);
  return accusations;
}

/** What moved money and who says so; each once, with the same amount, sent because it was on disk. */
function judgeBasket(evidence: Evidence, basket: number, kind: TillRequest['kind'], accuse: Accuse): void {
  const { books, ledger } = evidence;
  const name = `${kind} of basket ${basket}`;
  const lines = linesOf(ledger, basket, kind);
  const moved = lines.filter((line) => hasMoved(line, ledger));
  const attempts = books.attempts.filter(
    ({ type, corrects, amount }) => type === kind && corrects === null && basketOf(amount.minor) === basket,
  );
  const charged = attempts.filter((attempt) => chargedNow(attempt, books) === 'yes');
  if (moved.length > charged.length)
    accuse('lost_outcomes', `${name}: ${moved.length} times at the terminal, known ${charged.length} times`);
  if (moved.length < charged.length)
    accuse('lost_outcomes', `${name}: said ${charged.length} times, ${moved.length} times at the terminal`);
  const [real, booked] = [
    moved.map(({ amountMinor }) => amountMinor),
    charged.map((attempt) => bookedMinor(attempt, books)),
  ];
  const isKnown = moved.length === charged.length && !booked.includes(null);
  if (isKnown && String(real.toSorted()) !== String(booked.toSorted()))
    accuse('wrong_amounts', `${name}: ${real} at the terminal, ${booked} in the books`);
  const most = requestedOf(evidence, basket, kind);
  const byUs = attempts.filter(({ cause }) => cause === null);
  if (byUs.length > most)
    accuse('broken_promises', `${name}: ${byUs.length} payments were made of ${most} requests`);
  judgeDisk(evidence, { name, lines, attempts }, accuse);
}

/** What the terminal reported, in its dialogue or later, to another one. */
const REPORTS: readonly string[] = ['reported', 'late_report', 'late_end'];

/** Nothing was sent that is not on disk, and nothing acknowledged. */
function judgeDisk(
  { books, ledger, traits }: Evidence,
  { name, lines, attempts }: { name: string; lines: readonly LedgerEntry[]; attempts: readonly Attempt[] },
  accuse: Accuse,
): void {
  const ids = new Set(attempts.map(({ id }) => id));
  const entries = books.journal.filter(({ attemptId }) => ids.has(attemptId));
  const sent = entries.filter(({ event }) => event === 'dispatch').length;
  if (lines.length > sent)
    accuse('broken_promises', `${name}: the terminal began it ${lines.length} times, dispatched are ${sent}`);
  if (traits.missingAcknowledgement === 'keep') return;
  const kept = lines.filter((line) => hasMoved(line, ledger)).length;
  // An approval of another amount is unclear to some drivers (E+): it is on disk, and a person decides.
  const isApproval = ({ event, verdict, row }: Entry) =>
    REPORTS.includes(event) ? verdict === 'approved' || verdict === 'unclear' : row === 'late_end';
  const heard = entries.filter(isApproval);
  const acknowledged = new Set(heard.map(({ attemptId }) => attemptId)).size;
  if (kept > acknowledged)
    accuse('broken_promises', `${name}: acknowledged ${kept} times, ${acknowledged} approvals are on disk`);
}

/** Of one basket never two charges stand, and never more went back than was taken. */
function judgeNet({ ledger }: Evidence, basket: number, accuse: Accuse): void {
  const standing = (kind: TillRequest['kind']) =>
    linesOf(ledger, basket, kind).filter(({ result, reversed }) => result === 'approved' && !reversed);
  const sold = standing('sale');
  if (sold.length > 1) accuse('double_charges', `basket ${basket} was charged ${sold.length} times`);
  const refunds = standing('refund');
  const [taken, back] = [sold, refunds].map((lines) =>
    lines.reduce((sum, line) => sum + line.amountMinor, 0),
  );
  if (refunds.length > 1 || (back ?? 0) > (taken ?? 0))
    accuse(
      'double_charges',
      `of basket ${basket} ${back} went back in ${refunds.length} refunds, of ${taken}`,
    );
}

/** One money command at a time, and never beside a doubt that was not released. */
function judgeQueue({ journal }: StoredState, accuse: Accuse): void {
  const open = new Set<string>();
  for (const { attemptId, event, to } of journal) {
    if (event === 'dispatch') {
      if (open.size > 0) accuse('overlaps', `${attemptId} was sent beside ${[...open]}`);
      open.add(attemptId);
    }
    if (event === 'released' || FINAL.test(to)) open.delete(attemptId);
  }
}

const FINAL = /^(succeeded|declined|cancelled|error)$/;

/** A sale that staff typed while there was no daemon looks like one of a database that was restored: then, once, a person is asked. */
function judgeMemory({ tasks }: StoredState, ledger: readonly LedgerEntry[], accuse: Accuse): void {
  const asked = tasks.filter(({ kind }) => kind === 'memory_lost').length;
  const byHand = ledger.filter((line) => line.byHand).length;
  if (asked > Math.min(1, byHand)) accuse('broken_promises', 'a memory that is all there is taken for lost');
}

/** Whoever listens hears of every end once. */
function judgeEvents({ attempts, events }: StoredState, accuse: Accuse): void {
  for (const { id, corrects, state } of attempts) {
    const ends = events.filter(
      (event) => event.attemptId === id && event.type.endsWith(`.${publicStatus(state)}`),
    );
    if (corrects === null && FINAL.test(state.name) && ends.length !== 1)
      accuse('unreported', `the end of ${id} stands ${ends.length} times in the events`);
  }
}

/** What was answered is still so. */
function judgeShown(shown: Shown, books: StoredState, accuse: Accuse): void {
  const attempt = books.attempts.find(({ id }) => id === shown.id);
  if (!attempt) {
    accuse('broken_promises', `${shown.id} was answered (${shown.status}) and is gone`);
    return;
  }
  const now = publicStatus(attempt.state);
  const wasFinal = FINAL.test(shown.status);
  if (wasFinal && now !== shown.status)
    accuse('broken_promises', `${shown.id} was shown as ${shown.status} and is ${now}`);
  const isCorrected = books.attempts.some(({ corrects }) => corrects === shown.id);
  if (shown.charged !== 'unknown' && shown.charged !== chargedNow(attempt, books) && !isCorrected)
    accuse('broken_promises', `${shown.id} was shown as charged: ${shown.charged}`);
}

function linesOf(
  ledger: readonly LedgerEntry[],
  basket: number,
  kind: TillRequest['kind'],
): readonly LedgerEntry[] {
  return ledger.filter((line) => !line.byHand && line.kind === kind && basketOf(line.amountMinor) === basket);
}

/** Requests that may have made a payment each: of a key one, of a reference as many as were sent (those before it may have expired). */
function requestedOf({ till, officeBaskets }: Evidence, basket: number, kind: TillRequest['kind']): number {
  const atTill = till.requests
    .filter((request) => request.kind === kind && request.basket === basket)
    .reduce((sum, { key, presses }) => sum + (key === null ? presses : 1), 0);
  return atTill + officeBaskets.filter((one) => one === basket).length;
}
