import type { Money } from '../../src/agent/money.ts';
import type { Attempt } from '../../src/payment/attempt/attempt.ts';
import { isFinal } from '../../src/payment/attempt/state-machine.ts';
import type { Settlement } from '../../src/payment/batch/settlement.ts';
import type { Task } from '../../src/payment/tasks/task.ts';
import type { CaseFile, TillRequest } from './case-file.ts';
import { type Charge, Charges } from './charges.ts';
import { Claims } from './claims.ts';
import type { Accusation, Crime } from './crimes.ts';
import { judgeFollowUps } from './judge-follow-ups.ts';
import { isOfItsSale, judgeGivenBack, judgeNet, judgeUndone } from './judge-giving-back.ts';
import { judgeOutcome } from './judge-outcomes.ts';
import { QueueJudge } from './judge-queues.ts';
import { sameWorkOf } from './same-work.ts';
import type { LedgerLine, SimTerminal } from './terminal.ts';
import type { Trace } from './trace.ts';

/** What one transaction wrote. */
export interface Written {
  readonly attempts: readonly Attempt[];
  readonly tasks: readonly Task[];
  readonly settlements: readonly Settlement[];
}

export interface RunLedgerDeps {
  readonly trace: Trace;
  readonly elapsed: () => number;
  /** How long ago the service was asked for this, by its own clock, ms; null where it does not know it. */
  readonly ageOfWork: (serviceId: string) => number | null;
  /** How long the terminal of this device must be idle before "not charged" is said of a payment there, ms. */
  readonly settleMs: (deviceId: string) => number;
  /** The attempt fell in doubt, or left it. */
  readonly doubt: (attempt: Attempt, before: Attempt | undefined) => void;
}

/**
 * The judge. It hears of every commit and of every change of a terminal's ledger at the moment it happens, and holds the one
 * against the other. The ledgers are the truth. What it looks at after a change is what the change touches.
 *
 * INVARIANTS it holds the agent to:
 * - what moved money has exactly one attempt, of that amount, which says so, is still open, or was corrected;
 * - an attempt that succeeded moved money, or was corrected; what is final stays as it is;
 * - what staff typed is nobody's, unless it is exactly what recovery waits for, and then one attempt's only;
 * - never more goes back of a sale than was charged, by refunds and voids together; a void undoes its own sale, or staff are told;
 * - a money command goes out for a dispatched attempt, alone on its terminal, and never beside an unreleased doubt;
 * - no day is closed beside a doubt, unless a person forces it;
 * - an approval is on disk when the terminal hears that we took it;
 * - a basket is paid once, net of what went back; a sum is given back once;
 * - a late or partial approval is undone, or a person is asked; nothing else is undone by itself;
 * - what was committed is there after a restart, and the journal's chain is whole.
 */
export class RunLedger implements CaseFile {
  readonly accusations: Accusation[] = [];
  readonly attempts = new Map<string, Attempt>();
  /** What a life that is lost had committed, as it was then. */
  readonly forgotten = new Map<string, Attempt>();
  readonly charges = new Charges();
  readonly claims = new Claims();
  readonly settlements = new Map<string, Settlement>();
  readonly tasks = new Map<string, Task>();
  readonly needPerson = new Set<string>();
  readonly doubted = new Set<string>();
  readonly #deps: RunLedgerDeps;
  readonly #queues: QueueJudge;
  readonly #open = new Set<string>();
  readonly #corrections = new Map<string, Attempt>();
  readonly #children = new Map<string, Set<string>>();
  readonly #requestOf = new Map<string, TillRequest>();
  readonly #confirmed = new Set<string>();
  readonly #doubtedAt = new Map<string, number>();
  readonly #approvedAt = new Map<string, number>();
  readonly #numbers = new Map<string, number>();
  readonly #accused = new Set<string>();
  readonly #endedAt = new Map<string, number>();
  /** What nobody could know when the attempt ended: each waits for its correction. */
  readonly #uncorrected = new Map<string, Charge>();
  /** When the last transaction of each device's terminal was asked for last. */
  readonly #readAt = new Map<string, number>();
  readonly #dispatchedAt = new Map<string, number>();
  /** Changed in the present life of the agent. */
  readonly #changed = new Set<string>();
  #memoryLost = false;

  constructor(deps: RunLedgerDeps) {
    this.#deps = deps;
    this.charges.sameWorkOf = (attemptId) => sameWorkOf(attemptId, this);
    this.#queues = new QueueJudge(this);
  }

  /** Sales that were charged. */
  get charged(): number {
    return [...this.charges.all].filter(
      (charge) => charge.line.kind === 'sale' && charge.causedBy !== null && this.charges.hasMoved(charge),
    ).length;
  }

  /** Sales of lives that are lost which were charged, and which the present life knows nothing of. */
  get forgottenCharges(): readonly Attempt[] {
    return [...this.forgotten.values()].filter(
      ({ id, type }) => type === 'sale' && !this.attempts.has(id) && this.hasMoved(id),
    );
  }

  /** Refunds or voids of ours that gave money back. */
  givenBack(kind: 'refund' | 'void'): number {
    return [...this.charges.all].filter(
      (charge) => charge.line.kind === kind && charge.causedBy !== null && this.charges.hasMoved(charge),
    ).length;
  }

  get corrections(): number {
    return this.#corrections.size;
  }

  ageOfWork(serviceId: string): number | null {
    return this.#deps.ageOfWork(serviceId);
  }

  get now(): number {
    return this.#deps.elapsed();
  }

  /** Each accusation once. */
  accuse(crime: Crime, text: string): void {
    if (this.#accused.has(text)) return;
    this.#accused.add(text);
    this.accusations.push({ crime, text, atMs: this.now });
    this.#deps.trace.say('JUDGE', () => `${crime.toUpperCase()}: ${text}`);
  }

  /** A short name of an attempt for people. */
  nameOf(id: string): string {
    const number = this.#numbers.get(id);
    const { type = 'sale' } = this.attempts.get(id) ?? {};
    return `#${number ?? this.#numbers.size + 1}${type === 'sale' ? '' : ` (${type})`}`;
  }

  /** The attempt belongs to this request. */
  belongs(attemptId: string, request: TillRequest): void {
    request.attempts.add(attemptId);
    this.#requestOf.set(attemptId, request);
  }

  requestOf(attemptId: string): TillRequest | undefined {
    return this.#requestOf.get(attemptId);
  }

  correctionOf(attemptId: string): Attempt | undefined {
    return this.#corrections.get(attemptId);
  }

  /** Refunds, voids and corrections of a sale. */
  childrenOf(attemptId: string): readonly Attempt[] {
    return [...(this.#children.get(attemptId) ?? [])].flatMap((id) => this.attempts.get(id) ?? []);
  }

  /** A person was, or is, asked this about the attempt. */
  wasAsked(attemptId: string, kind: Task['kind']): boolean {
    return this.#tasksOf(attemptId).some((task) => task.kind === kind);
  }

  open(): readonly Attempt[] {
    return [...this.#open].flatMap((id) => this.attempts.get(id) ?? []);
  }

  /** When it fell in doubt, in ms of the history. */
  doubtedAt(attemptId: string): number | undefined {
    return this.#doubtedAt.get(attemptId);
  }

  endedAt(attemptId: string): number | undefined {
    return this.#endedAt.get(attemptId);
  }

  /** The attempt must be corrected before anything else is sent to this terminal. */
  mustCorrect(attemptId: string, charge: Charge): void {
    this.#uncorrected.set(attemptId, charge);
  }

  needsNoCorrection(attemptId: string): void {
    this.#uncorrected.delete(attemptId);
  }

  isRequested(attemptId: string): boolean {
    return this.#uncorrected.has(attemptId);
  }

  /** When its last approval was on disk, in ms of the history. */
  approvedAt(attemptId: string): number | undefined {
    return this.#approvedAt.get(attemptId);
  }

  sentAt(attemptId: string): number | undefined {
    return this.#queues.sentAt(attemptId) ?? this.#dispatchedAt.get(attemptId);
  }

  /** What an honest person reads off the terminal: a void counts if it undid what it was to undo. */
  hasMoved(attemptId: string): boolean {
    const attempt = this.attempts.get(attemptId);
    const moved = this.charges.movedBy(attemptId);
    return moved.some((charge) => attempt?.type !== 'void' || isOfItsSale(this, charge));
  }

  /** How much the terminals tell of it, in minor units. */
  movedMinor(attemptId: string): number {
    const attempt = this.attempts.get(attemptId);
    const moved = this.charges
      .movedBy(attemptId)
      .filter((charge) => attempt?.type !== 'void' || isOfItsSale(this, charge));
    return moved.at(-1)?.line.amountMinor ?? attempt?.amount.minor ?? 0;
  }

  /** Whether it was paid, as the terminals tell. */
  isPaid(request: TillRequest): boolean {
    return [...request.attempts].some((id) => this.hasMoved(id));
  }

  /** The database is not the one that was there: what it does not hold is forgotten at the next start, and no crime. */
  memoryLost(): void {
    this.#memoryLost = true;
  }

  /** The agent has started on what the disk holds. */
  booted({ journal, payments }: Money): void {
    this.#queues.booted();
    if (this.#memoryLost) this.#forget(payments);
    this.#memoryLost = false;
    if (journal.kind === 'broken')
      this.accuse('broken_rules', `the journal's chain is broken: ${journal.what}`);
    this.#mustBeThere(payments, this.#changed);
    this.#changed.clear();
  }

  /** Everything that was ever committed is still there, as it was. */
  judgeMemory({ payments }: Pick<Money, 'payments'>): void {
    this.#mustBeThere(payments, this.attempts.keys());
  }

  /** A commit is on disk. */
  committed({ attempts, tasks, settlements }: Written): void {
    for (const task of tasks) this.#tasked(task);
    for (const settlement of settlements) this.settlements.set(settlement.id, settlement);
    const befores = attempts.map((attempt) => this.#enter(attempt));
    for (const [index, attempt] of attempts.entries()) this.#judgeChange(attempt, befores[index]);
  }

  /** A money command is about to go out. */
  pays(deviceId: string, attemptId: string, amountMinor: number): void {
    const readAt = this.#readAt.get(deviceId) ?? 0;
    this.#mustBeCorrected((owing, { changedMs }) => owing.deviceId === deviceId && changedMs < readAt);
    this.#queues.pays(deviceId, attemptId, amountMinor);
  }

  /** The terminal of this device is asked for its last transaction. */
  reads(deviceId: string): void {
    this.#readAt.set(deviceId, this.now);
  }

  /** A command that closes the batch is about to go out. */
  closes(deviceId: string): void {
    this.#queues.closes(deviceId);
  }

  /** A command that moves money, or closes the batch, leaves the agent. */
  moneyWritten(deviceId: string, terminal: SimTerminal, afterNak: boolean): void {
    this.#queues.written(deviceId, terminal, afterNak);
  }

  /** The commit of an approval took this long. */
  stalled({ deviceId }: Attempt, ms: number): void {
    this.#queues.stalled(deviceId, ms);
  }

  /** A positive answer to a packet of the terminal leaves the agent. */
  answered(deviceId: string): void {
    this.#queues.answered(deviceId);
  }

  /** What ran at this device is over. */
  over(deviceId: string): void {
    this.#queues.over(deviceId);
  }

  /** A terminal has begun something that came from one of these places. */
  began(terminal: SimTerminal, deviceIds: readonly string[]): void {
    terminal.startedBy = this.#queues.began(terminal, deviceIds);
    const name = terminal.startedBy === null ? 'to close its day' : this.nameOf(terminal.startedBy);
    this.#deps.trace.say('terminal', () => `${terminal.name} begins ${name}`);
  }

  /** Lines of a terminal's ledger are new, or have changed. */
  wrote(terminal: SimTerminal, changed: readonly LedgerLine[]): void {
    const touched = changed.map((line) => this.charges.enter(terminal, line, this.now));
    for (const charge of touched) {
      const who = charge.causedBy === null ? 'by hand' : this.nameOf(charge.causedBy);
      this.#deps.trace.say('ledger', () => `${terminal.name} ${who} ${lineText(charge.line)}`);
    }
    for (const charge of touched) this.#judgeCharge(charge);
  }

  /** The agent lets the terminal's approval be acknowledged, alone or with the end of its dialogue. */
  saysYes(attemptId: string, at: 'approved' | 'unclear' | 'ended'): void {
    this.#confirmed.add(attemptId);
    const attempt = this.attempts.get(attemptId);
    if (attempt && isOnDisk(attempt, at)) return;
    const state = attempt?.state.name;
    this.accuse('broken_rules', `${this.nameOf(attemptId)} is acknowledged while it is ${state} on disk`);
  }

  /** The terminal takes something of ours for the acknowledgement of its approval. */
  acknowledged(terminal: SimTerminal): void {
    const attempt = this.attempts.get(terminal.startedBy ?? '');
    const last = terminal.ledger.at(-1);
    if (!attempt || last?.result !== 'approved' || this.#confirmed.has(attempt.id)) return;
    // A refusal may leave no line: the newest one is then of an older payment.
    if (this.charges.causeOf(terminal, last) !== attempt.id) return;
    this.accuse(
      'broken_rules',
      `${this.nameOf(attempt.id)} was acknowledged unheard while it was ${attempt.state.name}`,
    );
  }

  /** Holds everything that is final against the ledgers once more. */
  judgeAll(): void {
    for (const attempt of this.attempts.values()) judgeOutcome(this, attempt);
    for (const charge of this.charges.all) this.#judgeCharge(charge);
    this.#mustBeCorrected(() => true);
  }

  #mustBeCorrected(concerns: (owing: Attempt, charge: Charge) => boolean): void {
    for (const [id, charge] of this.#uncorrected) {
      const { terminal, atMs } = charge;
      const owing = this.attempts.get(id);
      if (!owing || !concerns(owing, charge)) continue;
      const late =
        atMs > (this.endedAt(id) ?? 0) ? ': it charged after it had looked idle for the settle time' : '';
      const looked = terminal.traits.looksIdleMs > 0 ? ', it looks idle in the middle of a dialogue' : '';
      const typed = [...this.charges.all].some(
        (one) => one.terminal === terminal && one.causedBy === null && one.atMs > atMs,
      );
      const over =
        typed || terminal.closedByHandAt.some((at) => at > atMs) ? ', and staff used it over that' : '';
      this.accuse(
        'lost_outcomes',
        `${this.nameOf(id)} is not what ${terminal.name} did in the end, and was never corrected${late}${over}${looked}`,
      );
    }
  }

  #enter(attempt: Attempt): Attempt | undefined {
    const before = this.attempts.get(attempt.id);
    this.attempts.set(attempt.id, attempt);
    this.#changed.add(attempt.id);
    if (!before) {
      if (!this.#numbers.has(attempt.id)) this.#numbers.set(attempt.id, this.#numbers.size + 1);
      this.#queues.born(attempt.id);
      const { parentId, corrects } = attempt;
      if (corrects !== null) {
        this.#corrections.set(corrects, attempt);
        this.#uncorrected.delete(corrects);
      }
      if (parentId !== null)
        this.#children.set(parentId, (this.#children.get(parentId) ?? new Set()).add(attempt.id));
    }
    if (attempt.state.name === 'dispatched') this.#dispatchedAt.set(attempt.id, this.now);
    if (attempt.state.name === 'approved' && before?.state.name !== 'approved')
      this.#approvedAt.set(attempt.id, this.now);
    if (isFinal(attempt.state) && !this.#endedAt.has(attempt.id)) this.#endedAt.set(attempt.id, this.now);
    if (isFinal(attempt.state)) this.#open.delete(attempt.id);
    else this.#open.add(attempt.id);
    return before;
  }

  /** Takes over what the disk holds now, which is less than it was. */
  #forget(payments: Money['payments']): void {
    for (const [id, attempt] of [...this.forgotten, ...this.attempts]) {
      const stored = payments.findAttempt(id);
      const known = this.attempts.get(id);
      // Two branches of the same books count their versions alike.
      if (stored?.version === known?.version && stored?.state.name === known?.state.name) continue;
      this.forgotten.set(id, attempt);
      this.#setBack(id, stored);
    }
    this.#changed.clear();
    for (const id of this.settlements.keys()) {
      const stored = payments.findSettlement(id);
      if (stored) this.settlements.set(id, stored);
      else this.settlements.delete(id);
    }
    this.tasks.clear();
    for (const task of payments.tasks({ open: false, limit: 100_000 })) this.#tasked(task);
    for (const children of this.#children.values())
      for (const id of children) if (!this.attempts.has(id)) children.delete(id);
    for (const [id, correction] of this.#corrections)
      if (!this.attempts.has(correction.id)) this.#corrections.delete(id);
  }

  #setBack(id: string, stored: Attempt | null): void {
    if (stored) this.attempts.set(id, stored);
    else this.attempts.delete(id);
    if (stored && !isFinal(stored.state)) this.#open.add(id);
    else this.#open.delete(id);
    // What had settled when the copy was made has settled.
    if (stored?.state.name === 'in_doubt')
      this.#doubtedAt.set(
        id,
        stored.settledAt === null ? this.now : this.now - this.#deps.settleMs(stored.deviceId),
      );
  }

  #tasked(task: Task): void {
    // Nothing in these shops pretends to be a terminal.
    if (task.kind === 'terminal_not_believed')
      this.accuse('broken_rules', `a terminal is not believed: ${task.message}`);
    this.tasks.set(task.id, task);
  }

  #tasksOf(attemptId: string): readonly Task[] {
    return [...this.tasks.values()].filter((task) => task.attemptId === attemptId);
  }

  #judgeChange(attempt: Attempt, before: Attempt | undefined): void {
    const name = this.nameOf(attempt.id);
    if (before && isFinal(before.state))
      this.accuse(
        'broken_rules',
        `${name} was ${before.state.name} and was written again as ${attempt.state.name}`,
      );
    if (before && before.amount.minor !== attempt.amount.minor)
      this.accuse('wrong_amounts', `${name} changed its amount`);
    this.#queues.changed(attempt);
    this.#judgeDoubt(attempt, before);
    if (isFinal(attempt.state)) {
      judgeOutcome(this, attempt);
      judgeFollowUps(this, attempt, before);
      const corrected = attempt.corrects === null ? undefined : this.attempts.get(attempt.corrects);
      if (corrected) judgeOutcome(this, corrected);
    }
    if (attempt.needsPerson) this.needPerson.add(attempt.id);
    if (attempt.state.name === 'in_doubt') this.doubted.add(attempt.id);
    this.#deps.doubt(attempt, before);
  }

  /**
   * "Not charged" is said by nobody before the settle time, person or machine. Of a terminal that was not read since, a person may say it by the
   * records of others, once the longest payment is over.
   */
  #judgeDoubt(attempt: Attempt, before: Attempt | undefined): void {
    if (attempt.state.name === 'in_doubt' && before?.state.name !== 'in_doubt')
      this.#doubtedAt.set(attempt.id, this.now);
    const wasInDoubt = before?.state.name === 'in_doubt' && attempt.state.name === 'error';
    const { evidence } = attempt;
    const isProof = evidence?.kind === 'terminal_journal' && !UNCHANGED.includes(evidence.row);
    const doubtedAt = this.#doubtedAt.get(attempt.id) ?? this.now;
    const isByRecords =
      evidence?.kind === 'person' &&
      evidence.source !== undefined &&
      this.now - doubtedAt >= LONGEST_PAYMENT_MS;
    if (wasInDoubt && evidence?.kind === 'person' && before?.settledAt === null && !isByRecords)
      this.accuse(
        'broken_rules',
        `${this.nameOf(attempt.id)} was "not charged" by a person before its terminal had settled`,
      );
    if (!wasInDoubt || isProof || this.now - doubtedAt >= this.#deps.settleMs(attempt.deviceId)) return;
    this.accuse('broken_rules', `${this.nameOf(attempt.id)} was "not charged" before the settle time`);
  }

  #judgeCharge(charge: Charge): void {
    const { causedBy } = charge;
    const attempt = this.attempts.get(causedBy ?? '');
    if (causedBy !== null && !attempt && this.forgotten.has(causedBy)) return;
    if (causedBy !== null && !attempt)
      this.accuse('lost_outcomes', `${charge.terminal.name} did ${lineText(charge.line)} for nobody`);
    if (attempt) judgeOutcome(this, attempt);
    judgeUndone(this, charge);
    judgeGivenBack(this, charge);
    judgeNet(this, charge);
  }

  #mustBeThere(payments: Money['payments'], ids: Iterable<string>): void {
    for (const id of ids) {
      const known = this.attempts.get(id);
      const stored = payments.findAttempt(id);
      if (stored?.version === known?.version && stored?.state.name === known?.state.name) continue;
      this.accuse('lost_outcomes', `${this.nameOf(id)} was committed and is not there after a restart`);
    }
  }
}

/** The rows of the recovery table that prove nothing before the settle time is over. */
const UNCHANGED: readonly string[] = ['same_as_mark', 'nothing_stored'];
/** No terminal of any family here goes on with a payment for longer. */
const LONGEST_PAYMENT_MS = 300_000;

export function lineText({
  sequence,
  receiptNumber,
  kind,
  amountMinor,
  result,
  reversed,
  ...line
}: LedgerLine): string {
  const undoes = line.undoes === null ? '' : ` of ${line.undoes}`;
  const end = `${result}${reversed ? ', reversed' : ''}${line.unsettled ? ', unsettled' : ''}`;
  return `${sequence}: ${kind}${undoes} ${amountMinor} ${end}, receipt ${receiptNumber}`;
}

/** A result that says neither yes nor no is kept as it is; the end of a dialogue ends the attempt, or leaves it in doubt. */
function isOnDisk({ state, report }: Attempt, at: 'approved' | 'unclear' | 'ended'): boolean {
  if (at === 'unclear') return report?.verdict === 'unclear';
  return at === 'approved' ? state.name === 'approved' : isFinal(state) || state.name === 'in_doubt';
}
