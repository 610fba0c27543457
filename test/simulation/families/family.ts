import type { Currency } from '../../../src/base/money.ts';
import type { TerminalManifest } from '../../../src/driver-kit/define.ts';
import type { LedgerEntry } from '../../../src/sandbox/controllable-terminal.ts';
import type { VirtualDialect } from '../../../src/sandbox/terminal/dialect.ts';
import type { TerminalDriver, TransactionReport } from '../../../src/terminal/ports.ts';
import type { Random } from '../random.ts';

/** What the judge must know of a terminal that nobody sees from outside. */
export interface Traits {
  /** What is in doubt on it can be found out by a machine. */
  readonly reportsPast: boolean;
  /** How long it seems idle to a new connection although the customer of a lost till still pays, ms. */
  readonly looksIdleMs: number;
}

/** A terminal of some vendor. */
export interface Made {
  readonly dialect: VirtualDialect;
  readonly traits: Traits;
  /** The device's `options` as its owner wrote them; now and then he believes too much of his terminal. */
  optionsOf(owner: Random): Readonly<Record<string, unknown>>;
}

/** A family of terminals as the simulation plays it: the real driver, and virtual terminals by which its vendors differ. */
export interface SimFamily {
  readonly manifest: TerminalManifest;
  readonly driver: TerminalDriver;
  readonly currency: Currency;
  /** The wires that it is played over, as often as each stands here. */
  readonly wires: readonly ['tcp' | 'serial', ...('tcp' | 'serial')[]];
  /** Its terminals tell who they are: a stranger at a place is noticed. */
  readonly isRecognised: boolean;
  /** What a vendor made of a terminal, drawn from a seed. */
  make(random: Random): Made;
  /** Whether what the agent has written, in one write, moves money or closes the batch. */
  isMoney(written: Uint8Array): boolean;
  /**
   * Whether a report speaks of this line of the terminal's ledger, and the line's number as the terminal counts. Absent where a payment is
   * found by our own reference, or not at all.
   */
  readonly lines?: {
    isOf(report: TransactionReport, line: LedgerEntry): boolean;
    numberOf(line: LedgerEntry): string;
    /** What it stores has the time of its own clock; else (ECR17 tells its host's) nobody can say when it happened. */
    readonly dated: boolean;
  };
  /** How long a terminal must be idle before "not charged" is said of a payment there, ms. */
  readonly settleMs: number;
  /**
   * The longest time in which a terminal can still charge once the till is gone, as the family's README has it for a device without options of
   * its own, ms. 0: it can be seen to be busy.
   */
  readonly goesOnMs: number;
  /** Its commands name the terminal, which takes none that names another. */
  readonly namesTerminal: boolean;
  /** The till answers packets with commands of their own; only there a late result can be told from the rest. */
  readonly answers: 'packets' | 'bytes';
}
