import type { Attempt } from '../../src/payment/attempt/attempt.ts';
import { isFinal } from '../../src/payment/attempt/state-machine.ts';
import type { Settlement } from '../../src/payment/batch/settlement.ts';
import type { CaseFile } from './case-file.ts';
import type { SimTerminal } from './terminal.ts';

/** What was sent from a device last: an attempt, or the end of its day. */
interface Sent {
  readonly attemptId: string | null;
  /** How often it was written, and to which terminal. */
  written: number;
  to: SimTerminal | null;
  running: boolean;
  /** How long the commit of an approval took, in ms. */
  stalledMs: number;
}

/** A terminal waits this long for an answer (T3). */
const ANSWER_MS = 5000;

/** A request this old never reaches a terminal; the service's `Date` has whole seconds and comes late. */
const MOST_AGE_MS = 300_000 + 15_000;

/** One thing at a time in front of each terminal, each sent once, and nothing beside a doubt. */
export class QueueJudge {
  readonly #books: CaseFile;
  readonly #sent = new Map<string, Sent>();
  readonly #sentAt = new Map<string, number>();
  /** In which life of the agent each attempt was made. */
  readonly #bornIn = new Map<string, number>();
  readonly #bornAt = new Map<string, number>();
  /** How often the day of each device was closed by us, and how often before each attempt. */
  readonly #closes = new Map<string, number>();
  readonly #closesBefore = new Map<string, number>();
  #life = 0;

  constructor(books: CaseFile) {
    this.#books = books;
  }

  sentAt(attemptId: string): number | undefined {
    return this.#sentAt.get(attemptId);
  }

  booted(): void {
    for (const sent of this.#sent.values()) sent.running = false;
    this.#life += 1;
  }

  born(attemptId: string): void {
    this.#bornIn.set(attemptId, this.#life);
    this.#bornAt.set(attemptId, this.#books.now);
  }

  pays(deviceId: string, attemptId: string, amountMinor: number): void {
    const books = this.#books;
    const attempt = books.attempts.get(attemptId);
    const name = books.nameOf(attemptId);
    this.#mustBeFree(deviceId, name);
    if (this.#sentAt.has(attemptId)) books.accuse('double_charges', `${name} is sent twice`);
    if (attempt?.state.name !== 'dispatched' && attempt?.state.name !== 'cancelling')
      books.accuse('broken_rules', `${name} is sent while it is ${attempt?.state.name ?? 'nowhere'} on disk`);
    if (attempt?.baseline === null) books.accuse('broken_rules', `${name} is sent without a mark`);
    this.#mustNotHaveWaitedThroughADoubt(deviceId, attemptId, name);
    if (attempt) this.#mustNotBeStale(attempt);
    if (attempt?.amount.minor !== amountMinor)
      books.accuse('wrong_amounts', `${name} is sent with ${amountMinor}`);
    for (const other of books.open()) {
      const blocks =
        other.state.name === 'in_doubt' &&
        other.releasedAt === null &&
        other.deviceId === deviceId &&
        !isOnAnother(other, attempt);
      if (blocks) books.accuse('broken_rules', `${name} is sent while ${books.nameOf(other.id)} is in doubt`);
    }
    if (attempt?.type === 'void') this.#mustBeOfThisDay(attempt);
    this.#sent.set(deviceId, { attemptId, written: 0, to: null, running: true, stalledMs: 0 });
    this.#sentAt.set(attemptId, books.now);
    this.#closesBefore.set(attemptId, this.#closes.get(deviceId) ?? 0);
  }

  #mustNotBeStale({ id, origin }: Attempt): void {
    const ageMs = origin.kind === 'service' ? this.#books.ageOfWork(origin.serviceId) : null;
    if (ageMs === null || ageMs <= MOST_AGE_MS) return;
    this.#books.accuse(
      'broken_rules',
      `${this.#books.nameOf(id)} is sent ${Math.round(ageMs / 1000)} s after the service was asked for it`,
    );
  }

  /** What waited when an attempt before it fell in doubt is cancelled: somebody has to press again. */
  #mustNotHaveWaitedThroughADoubt(deviceId: string, attemptId: string, name: string): void {
    const books = this.#books;
    const bornAt = this.#bornAt.get(attemptId) ?? books.now;
    for (const other of books.attempts.values()) {
      if (other.id === attemptId || other.deviceId !== deviceId) continue;
      const doubtedAt = books.doubtedAt(other.id) ?? bornAt;
      if (doubtedAt > bornAt)
        books.accuse(
          'broken_rules',
          `${name} waited through the doubt of ${books.nameOf(other.id)} and is sent`,
        );
    }
  }

  closes(deviceId: string): void {
    const books = this.#books;
    this.#mustBeFree(deviceId, 'the end of the day');
    const settlement = [...books.settlements.values()].find(
      (one) => one.deviceId === deviceId && one.status === 'in_progress',
    );
    if (!settlement) books.accuse('broken_rules', 'a day is closed for no settlement on disk');
    for (const other of books.open()) {
      if (other.deviceId !== deviceId || other.state.name !== 'in_doubt') continue;
      if (settlement?.forced && other.releasedAt !== null) continue;
      if (isElsewhere(other, settlement)) continue;
      books.accuse('broken_rules', `the day is closed while ${books.nameOf(other.id)} is in doubt`);
    }
    this.#closes.set(deviceId, (this.#closes.get(deviceId) ?? 0) + 1);
    this.#sent.set(deviceId, { attemptId: null, written: 0, to: null, running: true, stalledMs: 0 });
  }

  written(deviceId: string, terminal: SimTerminal, afterNak: boolean): void {
    const books = this.#books;
    const sent = this.#sent.get(deviceId);
    if (!sent?.running) {
      books.accuse('overlaps', 'a money command is written for no attempt');
      return;
    }
    sent.written += 1;
    sent.to = terminal;
    const name = sent.attemptId === null ? 'the end of the day' : books.nameOf(sent.attemptId);
    const crime = sent.attemptId === null ? 'broken_rules' : 'double_charges';
    if (sent.written > 1 && !afterNak) books.accuse(crime, `${name} is written again without a NAK`);
    if (sent.written > 3) books.accuse(crime, `${name} is written ${sent.written} times`);
  }

  stalled(deviceId: string, ms: number): void {
    const sent = this.#sent.get(deviceId);
    if (sent) sent.stalledMs = ms;
  }

  answered(deviceId: string): void {
    const books = this.#books;
    const { running, stalledMs = 0, attemptId } = this.#sent.get(deviceId) ?? {};
    if (!running || stalledMs <= ANSWER_MS) return;
    books.accuse(
      'broken_rules',
      `${books.nameOf(attemptId ?? '?')} is acknowledged although its commit took ${stalledMs} ms`,
    );
  }

  over(deviceId: string): void {
    const sent = this.#sent.get(deviceId);
    if (sent) sent.running = false;
  }

  /** What of ours the terminal works on; null: the end of its day. */
  began(terminal: SimTerminal, deviceIds: readonly string[]): string | null {
    const books = this.#books;
    const all = deviceIds
      .flatMap((id) => this.#sent.get(id) ?? [])
      .filter(({ attemptId, to }) => to === terminal && !this.#namesAnother(attemptId, terminal));
    const running = all.filter((one) => one.running);
    if (running.length > 1) books.accuse('overlaps', `two queues pay at ${terminal.name} at once`);
    const sent = running[0] ?? all.at(-1);
    if (!sent) books.accuse('broken_rules', `${terminal.name} began something that nobody sent`);
    const attemptId = sent?.attemptId ?? null;
    const serial = books.attempts.get(attemptId ?? '')?.baseline?.terminal.serial;
    if (serial !== undefined && serial.toUpperCase() !== terminal.settings.serial)
      books.accuse(
        'broken_rules',
        `${books.nameOf(attemptId ?? '?')} reached another terminal than its mark is of`,
      );
    return attemptId;
  }

  /** What was sent names another terminal, and this one has not taken it. */
  #namesAnother(attemptId: string | null, { family, settings }: SimTerminal): boolean {
    const named = this.#books.attempts.get(attemptId ?? '')?.baseline?.terminal.terminalId;
    return family.namesTerminal && named !== undefined && named !== settings.terminalId;
  }

  /** One attempt past `requested` at a time; nothing that waited through a restart. */
  changed(attempt: Attempt): void {
    if (attempt.state.name !== 'dispatched') return;
    const books = this.#books;
    if (this.#bornIn.get(attempt.id) !== this.#life)
      books.accuse('broken_rules', `${books.nameOf(attempt.id)} waited through a restart and is dispatched`);
    for (const other of books.open()) {
      if (other.id === attempt.id || other.deviceId !== attempt.deviceId) continue;
      if (other.state.name === 'in_doubt' && isOnAnother(other, attempt)) continue;
      const { name } = other.state;
      const isPast =
        !isFinal(other.state) && name !== 'requested' && (name !== 'in_doubt' || other.releasedAt === null);
      if (isPast)
        books.accuse(
          'overlaps',
          `${books.nameOf(attempt.id)} is dispatched while ${books.nameOf(other.id)} is ${name}`,
        );
    }
  }

  #mustBeFree(deviceId: string, name: string): void {
    const sent = this.#sent.get(deviceId);
    if (!sent?.running) return;
    const running = sent.attemptId === null ? 'the end of the day' : this.#books.nameOf(sent.attemptId);
    this.#books.accuse('overlaps', `${name} is sent while ${running} runs`);
  }

  /** A void by number hits whatever has that number now: never after a close of ours, unless the terminal refused it and is in the batch of the sale. */
  #mustBeOfThisDay({ id, parentId, deviceId }: Attempt): void {
    const before = this.#closesBefore.get(parentId ?? '');
    if (before === undefined || before === (this.#closes.get(deviceId) ?? 0)) return;
    const sale = this.#books.charges.movedBy(parentId ?? '')[0];
    if (sale && sale.line.batch === sale.terminal.openBatch) return;
    this.#books.accuse(
      'broken_rules',
      `${this.#books.nameOf(id)} is sent although the day of its sale was closed`,
    );
  }
}

/** The doubt is on the terminal that served this device before; another one was adopted since. */
/** A doubt stays with its terminal: at its counter another one may sell. */
function isOnAnother(doubt: Attempt, sent: Attempt | undefined): boolean {
  const [there, here] = [doubt.baseline?.terminal.serial, sent?.baseline?.terminal.serial];
  return there !== undefined && here !== undefined && there !== here;
}

function isElsewhere({ baseline }: Attempt, settlement: Settlement | undefined): boolean {
  const [there, here] = [baseline?.terminal.serial, settlement?.terminal?.serial];
  return there !== undefined && here !== undefined && there !== here;
}
