import type { Money } from '../../src/boot/money.ts';
import type { Attempt } from '../../src/payment/attempt.ts';
import { isFinal } from '../../src/payment/machine.ts';
import { type Accusation, type Crime, isKnown } from './crimes.ts';
import type { LedgerLine, SimTerminal } from './terminal.ts';
import type { Trace } from './trace.ts';

/** What a customer wanted to pay once, however often somebody pressed the button. */
export interface Basket {
  readonly name: string;
  readonly attempts: Set<string>;
}

/** A line of a terminal's ledger, and the attempt that caused it. */
interface Charge {
  readonly terminal: string;
  readonly attemptId: string | null;
  line: LedgerLine;
}

export interface BooksPorts {
  readonly trace: Trace;
  readonly elapsed: () => number;
  /** The attempt fell in doubt, or left it. */
  readonly doubt: (attempt: Attempt, before: Attempt | undefined) => void;
}

/**
 * The judge. It hears of every commit and of every change of a terminal's ledger at the moment it happens, and holds the one
 * against the other. The ledgers are the truth.
 *
 * INVARIANTS it holds the agent to:
 * - a standing charge has exactly one attempt, of that amount, which succeeded or is still open;
 * - an attempt that succeeded has its charge; one that ended otherwise has none; what is final stays as it is;
 * - a money command goes out for a dispatched attempt, alone on its terminal, and never beside an unreleased doubt;
 * - an approval is on disk when the terminal hears that we took it;
 * - a basket is paid once;
 * - what was committed is there after a restart, and the journal's chain is whole.
 */
export class Books {
  readonly accusations: Accusation[] = [];
  /** What `known.ts` lists: said aloud, and no failure. */
  readonly known: Accusation[] = [];
  readonly attempts = new Map<string, Attempt>();
  readonly needPerson = new Set<string>();
  readonly doubted = new Set<string>();
  readonly #ports: BooksPorts;
  readonly #charges = new Map<string, Charge>();
  readonly #basketOf = new Map<string, Basket>();
  /** What runs at which device: set when the money command goes out, cleared when the driver has its outcome or the agent dies. */
  readonly #paying = new Map<string, string>();
  /** The last attempt that was sent from each device. */
  readonly #sent = new Map<string, string>();
  /** How often the money command of what runs was written. */
  readonly #written = new Map<string, number>();
  readonly #doubtedAt = new Map<string, number>();
  /** In which life of the agent each attempt was made. */
  readonly #bornIn = new Map<string, number>();
  readonly #saidYes = new Set<string>();
  #life = 0;

  constructor(ports: BooksPorts) {
    this.#ports = ports;
  }

  get charges(): number {
    return [...this.#charges.values()].filter(stands).length;
  }

  accuse(crime: Crime, text: string): void {
    const accusation = { crime, text, atMs: this.#ports.elapsed() };
    (isKnown(accusation) ? this.known : this.accusations).push(accusation);
    this.#ports.trace.say('JUDGE', () => `${crime.toUpperCase()}: ${text}`);
  }

  /** A short name of an attempt for people. */
  nameOf(id: string): string {
    const index = [...this.attempts.keys()].indexOf(id);
    return `#${index === -1 ? this.attempts.size + 1 : index + 1}`;
  }

  /** The attempt belongs to this basket. */
  belongs(attemptId: string, basket: Basket): void {
    basket.attempts.add(attemptId);
    this.#basketOf.set(attemptId, basket);
  }

  /** The agent has started on what the disk holds. */
  booted({ journal, payments }: Money): void {
    this.#paying.clear();
    this.#life += 1;
    if (journal.kind === 'broken')
      this.accuse('broken_rules', `the journal's chain is broken: ${journal.what}`);
    for (const known of this.attempts.values()) {
      const stored = payments.findAttempt(known.id);
      if (stored?.version !== known.version || stored.state.name !== known.state.name) {
        this.accuse(
          'lost_outcomes',
          `${this.nameOf(known.id)} was committed and is not there after a restart`,
        );
      }
    }
  }

  /** A commit is on disk. */
  committed(changed: readonly Attempt[]): void {
    for (const attempt of changed) {
      const before = this.attempts.get(attempt.id);
      this.attempts.set(attempt.id, attempt);
      if (!before) this.#bornIn.set(attempt.id, this.#life);
      this.#judgeChange(attempt, before);
      if (attempt.needsPerson) this.needPerson.add(attempt.id);
      if (attempt.state.name === 'in_doubt') this.doubted.add(attempt.id);
      this.#ports.doubt(attempt, before);
    }
  }

  /** A money command is about to go out. */
  pays(deviceId: string, attemptId: string, amountMinor: number): void {
    const attempt = this.attempts.get(attemptId);
    const name = this.nameOf(attemptId);
    const running = this.#paying.get(deviceId);
    if (running !== undefined) this.accuse('overlaps', `${name} is sent while ${this.nameOf(running)} runs`);
    if (this.#sent.get(deviceId) === attemptId) this.accuse('double_charges', `${name} is sent twice`);
    if (attempt?.state.name !== 'dispatched' && attempt?.state.name !== 'cancelling')
      this.accuse('broken_rules', `${name} is sent while it is ${attempt?.state.name ?? 'nowhere'} on disk`);
    if (attempt?.amount.minor !== amountMinor)
      this.accuse('wrong_amounts', `${name} is sent with ${amountMinor}`);
    for (const other of this.attempts.values()) {
      const blocks =
        other.state.name === 'in_doubt' && other.releasedAt === null && other.deviceId === deviceId;
      if (blocks) this.accuse('broken_rules', `${name} is sent while ${this.nameOf(other.id)} is in doubt`);
    }
    this.#paying.set(deviceId, attemptId);
    this.#written.set(deviceId, 0);
    this.#sent.set(deviceId, attemptId);
  }

  /** A money command leaves the agent. */
  moneyWritten(deviceId: string, afterNak: boolean): void {
    const times = (this.#written.get(deviceId) ?? 0) + 1;
    this.#written.set(deviceId, times);
    const running = this.#paying.get(deviceId);
    if (running === undefined) this.accuse('overlaps', 'a money command is written for no attempt');
    if (times > 1 && !afterNak)
      this.accuse('double_charges', `${this.nameOf(running ?? '?')} is written again without a NAK`);
    if (times > 3) this.accuse('double_charges', `${this.nameOf(running ?? '?')} is written ${times} times`);
  }

  paid(deviceId: string, attemptId: string): void {
    if (this.#paying.get(deviceId) === attemptId) this.#paying.delete(deviceId);
  }

  /** A terminal has begun a payment that came from one of these places. */
  began(terminal: SimTerminal, deviceIds: readonly string[]): void {
    const senders = deviceIds.flatMap((id) => this.#sent.get(id) ?? []);
    terminal.startedBy = senders.at(-1) ?? null;
    const attempt = this.attempts.get(terminal.startedBy ?? '');
    this.#ports.trace.say('terminal', () => `${terminal.name} begins ${this.nameOf(attempt?.id ?? '?')}`);
    if (!attempt) this.accuse('broken_rules', `${terminal.name} began a payment that nobody sent`);
    const serial = attempt?.mark?.terminal.serial;
    if (serial !== undefined && serial.toUpperCase() !== terminal.settings.serial)
      this.accuse(
        'broken_rules',
        `${this.nameOf(attempt?.id ?? '?')} reached another terminal than its mark is of`,
      );
  }

  /** A terminal's ledger has changed. */
  wrote(terminal: SimTerminal, ledger: readonly LedgerLine[]): void {
    for (const line of ledger) {
      const key = `${terminal.name} ${line.sequence}`;
      const known = this.#charges.get(key);
      if (known && JSON.stringify(known.line) === JSON.stringify(line)) continue;
      const charge = known ?? { terminal: terminal.name, attemptId: terminal.startedBy, line };
      charge.line = line;
      this.#charges.set(key, charge);
      this.#ports.trace.say(
        'ledger',
        () => `${terminal.name} ${this.nameOf(charge.attemptId ?? '?')} ${JSON.stringify(line)}`,
      );
      this.#judgeCharge(charge);
    }
  }

  /** The agent lets the terminal's approval be acknowledged. */
  saysYes(attemptId: string): void {
    this.#saidYes.add(attemptId);
    const state = this.attempts.get(attemptId)?.state.name;
    if (state !== 'approved')
      this.accuse('broken_rules', `${this.nameOf(attemptId)} is acknowledged while it is ${state} on disk`);
  }

  /** The terminal takes something of ours for the acknowledgement of its approval. */
  acknowledged(terminal: SimTerminal): void {
    const attempt = this.attempts.get(terminal.startedBy ?? '');
    if (!attempt || terminal.ledger.at(-1)?.result !== 'approved' || this.#saidYes.has(attempt.id)) return;
    this.accuse(
      'broken_rules',
      `${this.nameOf(attempt.id)} was acknowledged unheard while it was ${attempt.state.name}`,
    );
  }

  /** What an honest person reads off the terminal. */
  isCharged(attemptId: string): boolean {
    return this.#standing(attemptId).length > 0;
  }

  open(): readonly Attempt[] {
    return [...this.attempts.values()].filter((attempt) => !isFinal(attempt.state));
  }

  #judgeChange(attempt: Attempt, before: Attempt | undefined): void {
    const name = this.nameOf(attempt.id);
    if (before && isFinal(before.state) && before.state.name !== attempt.state.name)
      this.accuse('broken_rules', `${name} was ${before.state.name} and became ${attempt.state.name}`);
    if (before && before.amount.minor !== attempt.amount.minor)
      this.accuse('wrong_amounts', `${name} changed its amount`);
    this.#judgeLane(attempt);
    this.#judgeDoubt(attempt, before);
    if (isFinal(attempt.state) && !(before && isFinal(before.state))) this.judgeCharges(attempt);
  }

  /** Holds a final attempt against the ledgers. */
  judgeCharges(attempt: Attempt): void {
    const name = this.nameOf(attempt.id);
    const standing = this.#standing(attempt.id);
    if (attempt.state.name === 'succeeded' && standing.length === 0)
      this.accuse('lost_outcomes', `${name} succeeded and no terminal has charged it`);
    if (attempt.state.name !== 'succeeded' && standing.length > 0)
      this.accuse(
        'lost_outcomes',
        `${name} is ${attempt.state.name} and ${standing[0]?.terminal} has charged it`,
      );
  }

  /** "Not charged" is said by nobody before the settle time, person or machine. */
  #judgeDoubt(attempt: Attempt, before: Attempt | undefined): void {
    const now = this.#ports.elapsed();
    if (attempt.state.name === 'in_doubt' && before?.state.name !== 'in_doubt')
      this.#doubtedAt.set(attempt.id, now);
    const wasInDoubt = before?.state.name === 'in_doubt' && attempt.state.name === 'error';
    const { evidence } = attempt;
    const isProof = evidence?.kind === 'terminal_journal' && !UNCHANGED.includes(evidence.row);
    if (!wasInDoubt || isProof || now - (this.#doubtedAt.get(attempt.id) ?? now) >= SETTLE_MS) return;
    this.accuse('broken_rules', `${this.nameOf(attempt.id)} was "not charged" before the settle time`);
  }

  #judgeLane(attempt: Attempt): void {
    if (attempt.state.name !== 'dispatched') return;
    if (this.#bornIn.get(attempt.id) !== this.#life)
      this.accuse('broken_rules', `${this.nameOf(attempt.id)} waited through a restart and is dispatched`);
    for (const other of this.attempts.values()) {
      if (other.id === attempt.id || other.deviceId !== attempt.deviceId) continue;
      const { name } = other.state;
      const isPast =
        !isFinal(other.state) && name !== 'requested' && (name !== 'in_doubt' || other.releasedAt === null);
      if (isPast)
        this.accuse(
          'overlaps',
          `${this.nameOf(attempt.id)} is dispatched while ${this.nameOf(other.id)} is ${name}`,
        );
    }
  }

  #judgeCharge(charge: Charge): void {
    const { attemptId, line, terminal } = charge;
    const attempt = this.attempts.get(attemptId ?? '');
    const name = `${this.nameOf(attemptId ?? '?')} on ${terminal}`;
    if (!attempt)
      return void (
        stands(charge) && this.accuse('lost_outcomes', `${terminal} charged ${line.amountMinor} for nobody`)
      );
    const standing = this.#standing(attempt.id);
    if (!stands(charge)) {
      if (attempt.state.name === 'succeeded' && standing.length === 0)
        this.accuse('lost_outcomes', `${name} succeeded and was taken back`);
      return;
    }
    if (line.amountMinor !== attempt.amount.minor)
      this.accuse('wrong_amounts', `${name} charged ${line.amountMinor}`);
    if (standing.length > 1) this.accuse('double_charges', `${name} is charged ${standing.length} times`);
    if (isFinal(attempt.state) && attempt.state.name !== 'succeeded')
      this.accuse('lost_outcomes', `${name} is charged and was ${attempt.state.name}`);
    const basket = this.#basketOf.get(attempt.id);
    const ofBasket = [...(basket?.attempts ?? [])].flatMap((id) => this.#standing(id));
    if (ofBasket.length > 1)
      this.accuse(
        'double_charges',
        `basket ${basket?.name} is charged ${ofBasket.length} times, now by ${name}`,
      );
  }

  #standing(attemptId: string): readonly Charge[] {
    return [...this.#charges.values()].filter((charge) => charge.attemptId === attemptId && stands(charge));
  }
}

/** The rows of the recovery table that prove nothing before the settle time is over. */
const UNCHANGED: readonly string[] = ['same_as_mark', 'nothing_stored'];
const SETTLE_MS = 20_000;

function stands({ line }: Charge): boolean {
  return line.kind === 'sale' && line.result === 'approved' && !line.reversed;
}
