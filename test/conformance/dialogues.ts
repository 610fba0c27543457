import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../src/base/errors.ts';
import type {
  CloseOutcome,
  MoneyCommand,
  OwnReference,
  OwnTransaction,
  TerminalJournal,
  TerminalSession,
} from '../../src/terminal/ports.ts';
import { Breach, must } from './breach.ts';
import { type After, aftermath, readMark, sale, type Trial } from './stage/aftermath.ts';
import type { Bench, Paid, Seat } from './stage/bench.ts';
import type { Happening } from './stage/happenings.ts';
import { type Allowance, judgeFree, judgeOnce } from './stage/law.ts';
import type { Mark } from './stage/movement.ts';
import { nextReference } from './stage/references.ts';
import type { Subject } from './subject.ts';

/** How a dialogue ended. */
export type Ended =
  | { readonly sort: 'money'; readonly paid: Paid }
  | { readonly sort: 'close'; readonly outcome: CloseOutcome; readonly happenings: readonly Happening[] }
  /** `answer` or `error`. */
  | {
      readonly sort: 'question';
      readonly answer?: unknown;
      readonly error?: unknown;
      readonly happenings: readonly Happening[];
    };

/** A dialogue that is about to begin. */
export interface Prepared {
  /** Undefined before `open`. */
  readonly seat: Seat | undefined;
  readonly baseline?: Mark;
  /** What will be sent, where it is about money. */
  readonly command?: MoneyCommand;
  /** A question whose answer is a receipt. */
  readonly mayPrint?: boolean;
  /** Dialogues that were needed to come here. */
  readonly past: readonly Trial[];
  run(controller?: AbortController): Promise<Ended>;
}

/** One kind of dialogue that every driver can hold. */
export interface Dialogue {
  readonly name: string;
  readonly sort: Ended['sort'];
  /** Why this protocol has none. */
  readonly notFor: (subject: Subject) => string | null;
  /** Everything up to its first byte. */
  prepare(bench: Bench): Promise<Prepared>;
}

const always = () => null;

/** The name of a payment that was never sent. */
const NEVER_SENT: OwnReference = { attemptId: '0198c5a0-0000-7000-8000-000000000000', ticket: 'A00000' };

function moneyDialogue(kind: 'sale' | 'refund' | 'void', notFor: Dialogue['notFor']): Dialogue {
  return {
    name: kind,
    sort: 'money',
    notFor,
    prepare: async (bench) => {
      const seat = await bench.sit();
      const past = kind === 'sale' ? [] : [await soldBefore(bench, seat)];
      const command: MoneyCommand = kind === 'void' ? voidOf(past[0]?.paid) : { ...sale(bench), kind };
      const baseline = await readMark(bench, seat, command);
      const run = async (controller?: AbortController) => ({
        sort: 'money' as const,
        paid: await bench.pay(seat, command, controller ? { controller } : {}),
      });
      return { seat, past, baseline, command, run };
    },
  };
}

function question(
  name: string,
  ask: (session: TerminalSession, signal: AbortSignal) => Promise<unknown>,
  notFor: Dialogue['notFor'] = always,
  mayPrint = false,
): Dialogue {
  return {
    name,
    sort: 'question',
    notFor,
    prepare: async (bench) => {
      const seat = await bench.sit();
      soldByHand(bench);
      return {
        seat,
        mayPrint,
        past: [],
        run: (controller) => answered(bench, name, (s) => ask(seat.session, s), controller),
      };
    },
  };
}

export const SALE = moneyDialogue('sale', always);
export const REFUND = moneyDialogue('refund', ({ capabilities }) =>
  capabilities.refund ? null : 'capability refund: the protocol has no refund',
);
export const VOID = moneyDialogue('void', ({ capabilities }) =>
  capabilities.void === 'none' ? 'capability void: none: the protocol takes nothing back' : null,
);

export const END_OF_DAY: Dialogue = {
  name: 'end of day',
  sort: 'close',
  notFor: ({ capabilities }) =>
    capabilities.endOfDay ? null : 'capability endOfDay: the terminal closes its batch by itself',
  prepare: async (bench) => {
    const seat = await bench.sit();
    soldByHand(bench);
    const run = async (controller?: AbortController) => {
      const from = bench.happenings.length;
      const outcome = await bench
        .call('endOfDay', (signal) => seat.session.endOfDay(() => undefined, signal), controller)
        .catch((error: unknown) => {
          throw error instanceof Breach ? error : new Breach(`endOfDay threw: ${String(error)}`);
        });
      return { sort: 'close' as const, outcome, happenings: bench.happenings.slice(from) };
    };
    return { seat, past: [], run };
  },
};

export const OPEN: Dialogue = {
  name: 'open',
  sort: 'question',
  notFor: always,
  prepare: async (bench) => {
    const link = bench.plug();
    const run = async (controller = new AbortController()): Promise<Ended> => {
      const from = bench.happenings.length;
      try {
        const session = await bench.openOver(link, controller);
        await bench.call('close', () => session.close());
        return { sort: 'question', answer: 'open', happenings: bench.happenings.slice(from) };
      } catch (error) {
        if (error instanceof Breach) throw error;
        await bench.clock.run('the link of a failed open', link.closed);
        return { sort: 'question', error, happenings: bench.happenings.slice(from) };
      }
    };
    return { seat: undefined, past: [], run };
  },
};

const withoutTotals: Dialogue['notFor'] = ({ capabilities }) =>
  capabilities.totalsWithoutPaper
    ? null
    : 'capability totalsWithoutPaper: its totals cost paper or cannot be asked for';

const withoutReferences: Dialogue['notFor'] = ({ capabilities: { recover } }) =>
  recover === 'by_reference'
    ? null
    : `capability recover: ${recover}: the terminal carries no reference of ours back`;

/** Asks for a payment of ours; a session that cannot promised too much. */
export function askForOwn(
  session: TerminalSession,
  reference: OwnReference,
  signal: AbortSignal,
): Promise<OwnTransaction> {
  if (!session.ownTransaction) throw new Breach('recover is by_reference, but nobody can be asked by one');
  return session.ownTransaction(reference, signal);
}

/** Everything that can be asked without money. */
export const QUESTIONS: readonly Dialogue[] = [
  question('identify', (session, signal) => session.identify(signal)),
  question('readiness', (session, signal) => session.readiness(signal)),
  question('lastTransaction', (session, signal) => session.lastTransaction(signal)),
  question('totals', (session, signal) => session.totals(signal), withoutTotals),
  question('journal', (session, signal) => session.journal(signal)),
  question(
    'ownTransaction',
    async (session, signal) => askForOwn(session, NEVER_SENT, signal),
    withoutReferences,
  ),
];

/** Repeats the last receipt: a question, but one that prints. */
export const REPRINT: Dialogue = question(
  'reprint',
  async (session, signal) => {
    if (!session.reprint) throw new Breach('capability reprint, but nobody can ask for it');
    return session.reprint(signal);
  },
  ({ capabilities }) =>
    capabilities.reprint === true ? null : 'capability reprint: the terminal repeats no receipt for the till',
  true,
);

/** The groups that the rows of the matrix are made of. */
export const GROUPS: readonly { readonly name: string; readonly dialogues: readonly Dialogue[] }[] = [
  { name: 'sale', dialogues: [SALE] },
  { name: 'refund', dialogues: [REFUND] },
  { name: 'void', dialogues: [VOID] },
  { name: 'end-of-day', dialogues: [END_OF_DAY] },
  { name: 'questions', dialogues: QUESTIONS },
  { name: 'reprint', dialogues: [REPRINT] },
  { name: 'opening', dialogues: [OPEN] },
];

/** Something to ask for or to close: typed at the terminal, so that it costs no dialogue. */
function soldByHand(bench: Bench): void {
  bench.terminal.typeByHand({ kind: 'sale', amountMinor: bench.subject.amounts.usual });
}

/** Sells once, so that there is something to undo. */
export async function soldBefore(bench: Bench, seat: Seat): Promise<Trial> {
  bench.press('approve');
  return { paid: await bench.pay(seat, sale(bench)), allowed: {} };
}

/** The void of an approved payment. */
export function voidOf(paid: Paid | undefined): Extract<MoneyCommand, { kind: 'void' }> {
  const outcome = paid?.outcome;
  if (paid === undefined || outcome?.kind !== 'approved')
    throw new Breach(`the sale that is to be undone is ${outcome?.kind}`);
  const { number, trace, terminalClock, maskedPan, reference } = outcome.report;
  return {
    kind: 'void',
    ...nextReference(),
    amount: paid.command.amount,
    original: {
      amountMinor: paid.command.amount.minor,
      ...(number === undefined ? {} : { number }),
      ...(trace === undefined ? {} : { trace }),
      ...(terminalClock === undefined ? {} : { terminalClock }),
      ...(maskedPan === undefined ? {} : { maskedPan }),
      ...(reference === undefined ? {} : { reference }),
    },
  };
}

async function answered(
  bench: Bench,
  name: string,
  ask: (signal: AbortSignal) => Promise<unknown>,
  controller?: AbortController,
): Promise<Ended> {
  const from = bench.happenings.length;
  try {
    const answer = await bench.call(name, ask, controller);
    return { sort: 'question', answer, happenings: bench.happenings.slice(from) };
  } catch (error) {
    if (error instanceof Breach) throw error;
    return { sort: 'question', error, happenings: bench.happenings.slice(from) };
  }
}

/**
 * Judges how a dialogue ended, and everything that holds afterwards. `clean`: how it ends when nothing is in its way;
 * `mayFail`: the fault justifies an unknown outcome, or an error. `sellsAfterQuestion`: default true; see {@link aftermath}.
 * @throws Breach
 */
export async function judgeEnd(
  bench: Bench,
  { past, baseline, mayPrint }: Prepared,
  ended: Ended,
  clean: Ended | undefined,
  allowed: Allowance & { readonly mayFail: boolean; readonly sellsAfterQuestion?: boolean },
): Promise<After> {
  switch (ended.sort) {
    case 'money': {
      const trial = { paid: ended.paid, allowed: { ...allowed, unknown: allowed.mayFail } };
      const outcome = ended.paid.outcome.kind;
      must(
        allowed.mayFail ||
          clean?.sort !== 'money' ||
          [clean.paid.outcome.kind, allowed.orElse].includes(outcome),
        `the outcome is ${outcome}, although the fault can be borne`,
      );
      return aftermath(bench, [...past, baseline ? { ...trial, baseline } : trial]);
    }
    case 'close':
      return judgeClose(bench, past, ended, allowed.mayFail);
    case 'question':
      judgeFree(ended.happenings, 'a question', mayPrint);
      judgeAnswer(ended, clean, allowed.mayFail);
      return aftermath(bench, past, allowed.sellsAfterQuestion);
  }
}

async function judgeClose(
  bench: Bench,
  past: readonly Trial[],
  { outcome, happenings }: Extract<Ended, { sort: 'close' }>,
  mayFail: boolean,
): Promise<After> {
  const batchBefore = bench.ledger.at(-1)?.batch ?? 1;
  judgeOnce(happenings, 'close');
  must(
    outcome.kind !== 'unknown' || mayFail,
    `the end of day is unknown without a reason: ${'message' in outcome ? outcome.message : ''}`,
  );
  must(outcome.kind !== 'refused' || mayFail, 'the end of day is refused although the fault can be borne');
  const after = await aftermath(bench, past);
  const closed = after.batch - batchBefore;
  must(closed <= 1, `the batch was closed ${closed} times`);
  if (outcome.kind !== 'unknown')
    must(
      (closed === 1) === (outcome.kind === 'closed'),
      `the end of day is ${outcome.kind}, but the terminal has ${closed === 1 ? '' : 'not '}closed its batch`,
    );
  return after;
}

/** Under a fault a question has the same answer as ever, or none; never a wrong one. */
function judgeAnswer(
  ended: Extract<Ended, { sort: 'question' }>,
  clean: Ended | undefined,
  mayFail: boolean,
): void {
  if (ended.error !== undefined) {
    must(ended.error instanceof AppError, `rejected with something else than an AppError: ${ended.error}`);
    must(mayFail, `rejected although the fault can be borne: ${ended.error.code} ${ended.error.message}`);
    return;
  }
  if (clean?.sort !== 'question' || isDeepStrictEqual(steady(ended.answer), steady(clean.answer))) return;
  must(
    mayFail && admitsIgnorance(ended.answer, clean.answer),
    `a wrong answer: ${JSON.stringify(ended.answer)} instead of ${JSON.stringify(clean.answer)}`,
  );
}

/** Without what time changes, a terminal's clock of now; a receipt without what comes twice, for a packet of it may. */
function steady(answer: unknown): unknown {
  if (isKind(answer) && answer.kind === 'received' && 'text' in answer)
    return [...new Set(String(answer.text).split('\n'))];
  return isReadiness(answer) ? answer.kind : answer;
}

/** "I cannot tell": no totals, no copy, an unreadable last transaction, a terminal that is not ready, a journal that calls itself incomplete. */
function admitsIgnorance(answer: unknown, clean: unknown): boolean {
  if (answer === null) return true;
  if (isJournal(answer) && isJournal(clean)) return isPartOf(answer, clean);
  if (isReadiness(answer)) return answer.kind !== 'ready';
  return isKind(answer) && (answer.kind === 'unreadable' || answer.kind === 'refused');
}

/** Nothing in it is another than in the whole. */
function isPartOf({ complete, lines, totals }: TerminalJournal, whole: TerminalJournal): boolean {
  const known = lines.every((line) => whole.lines.some((other) => isDeepStrictEqual(line, other)));
  return !complete && known && (totals === null || isDeepStrictEqual(totals, whole.totals));
}

function isJournal(answer: unknown): answer is TerminalJournal {
  return typeof answer === 'object' && answer !== null && 'lines' in answer && 'complete' in answer;
}

function isReadiness(answer: unknown): answer is { kind: string } {
  return isKind(answer) && ['ready', 'wait', 'person'].includes(String(answer.kind));
}

function isKind(answer: unknown): answer is { kind: unknown } {
  return typeof answer === 'object' && answer !== null && 'kind' in answer;
}
