import type { TerminalIdentity, TransactionReport } from '../../src/terminal/ports.ts';
import type { LedgerLine, SimTerminal } from './terminal.ts';

/** A line of a terminal's ledger, and the attempt that caused it; null: staff typed it. */
export interface Charge {
  readonly terminal: SimTerminal;
  readonly causedBy: string | null;
  /** When it was written, in ms of the history. */
  readonly atMs: number;
  /** When it was changed last. */
  changedMs: number;
  line: LedgerLine;
}

/** All ledgers of the shop, as they are now: the truth. */
export class Charges {
  readonly #bySequence = new Map<string, Charge>();
  readonly #byCause = new Map<string, Charge[]>();
  /** The newest void of a line. */
  readonly #undoers = new Map<Charge, Charge>();

  get all(): Iterable<Charge> {
    return this.#bySequence.values();
  }

  /** A line is new, or has changed. */
  enter(terminal: SimTerminal, line: LedgerLine, atMs: number): Charge {
    const key = keyOf(terminal, line.sequence);
    const known = this.#bySequence.get(key);
    if (known) {
      known.line = line;
      known.changedMs = atMs;
      return known;
    }
    const charge: Charge = {
      terminal,
      causedBy: line.byHand ? null : terminal.startedBy,
      atMs,
      changedMs: atMs,
      line,
    };
    this.#bySequence.set(key, charge);
    const { causedBy } = charge;
    if (causedBy !== null) this.#byCause.set(causedBy, [...(this.#byCause.get(causedBy) ?? []), charge]);
    const undone = this.undoneBy(charge);
    if (undone) this.#undoers.set(undone, charge);
    return charge;
  }

  /** The attempt that caused a line; null: none of ours, or the line is not known. */
  causeOf(terminal: SimTerminal, { sequence }: LedgerLine): string | null {
    return this.#bySequence.get(keyOf(terminal, sequence))?.causedBy ?? null;
  }

  /** What an attempt caused and what moved money: taken or given back, whatever became of it later. */
  movedBy(attemptId: string): readonly Charge[] {
    const causes = [attemptId, ...this.sameWorkOf(attemptId)];
    return causes.flatMap((id) => this.#byCause.get(id) ?? []).filter((charge) => this.hasMoved(charge));
  }

  /** Attempts of lives that were forgotten which were of the same work of the service: one who looks at the receipts finds them. */
  sameWorkOf: (attemptId: string) => readonly string[] = () => [];

  /** What it caused and the terminal took back by itself. */
  takenBackOf(attemptId: string): Charge | undefined {
    return this.#byCause.get(attemptId)?.find((charge) => !this.hasMoved(charge));
  }

  /** Approved, and not taken back by the terminal itself; what a void undid had moved all the same. */
  hasMoved(charge: Charge): boolean {
    const { result, reversed } = charge.line;
    return result === 'approved' && (!reversed || this.undoerOf(charge) !== undefined);
  }

  /** The void that stands and undoes this line. */
  undoerOf(charge: Charge): Charge | undefined {
    const undoer = this.#undoers.get(charge);
    return undoer && undoer.line.result === 'approved' && !undoer.line.reversed ? undoer : undefined;
  }

  undoneBy({ terminal, line }: Charge): Charge | undefined {
    return line.undoes === null ? undefined : this.#bySequence.get(keyOf(terminal, line.undoes));
  }

  /** The newest line of this terminal that a report speaks of; `untold`: its family's reports do not say of which. */
  find(there: TerminalIdentity, report: TransactionReport): Charge | 'untold' | undefined {
    const here = [...this.#bySequence.values()].filter(({ terminal }) => isAt(there, terminal));
    const { lines } = here[0]?.terminal.family ?? {};
    if (!lines) return there.serial === undefined ? 'untold' : undefined;
    return here.findLast(({ line }) => lines.isOf(report, line));
  }
}

function isAt({ serial, terminalId }: TerminalIdentity, { settings }: SimTerminal): boolean {
  return serial === undefined ? settings.terminalId === terminalId : settings.serial === serial.toUpperCase();
}

function keyOf(terminal: SimTerminal, sequence: number): string {
  return `${terminal.name} ${sequence}`;
}
