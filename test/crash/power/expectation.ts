import { z } from 'zod';
import type { EpochKind } from '../../../src/store/epoch/epoch.ts';
import { isBoundary, type RecordedEvent } from '../record/recording.ts';
import { type Ack, ackOf } from './acks.ts';
import type { Content } from './content.ts';

/** One line of a terminal's own memory. */
const LedgerLine = z.object({
  sequence: z.int(),
  kind: z.enum(['sale', 'refund', 'void']),
  amountMinor: z.int(),
  result: z.enum(['approved', 'declined', 'aborted']),
  reversed: z.boolean(),
  byHand: z.boolean().default(false),
  undoes: z.int().nullable().default(null),
});
export type LedgerLine = z.infer<typeof LedgerLine>;
const TerminalMemory = z.object({ records: z.array(LedgerLine) });

/** An attempt as somebody was told of it. */
export interface Answered {
  readonly whom: string;
  readonly version: number;
  readonly state: string;
}

/** What must be true of the disk after a power cut at one boundary. */
export interface Expectation {
  /** How many commits have returned. */
  readonly commits: number;
  /** How many of them somebody may rely on. */
  readonly sure: number;
  /** The newest that somebody was told of each attempt. */
  readonly answered: ReadonlyMap<string, Answered>;
  /** Sums that were rung up here, as far as anybody was answered. */
  readonly baskets: ReadonlySet<number>;
  /** What really happened at the terminal, with the attempt it was sent for; null: typed by hand, or before the scenario. */
  readonly ledger: readonly { readonly line: LedgerLine; readonly attempt: string | null }[];
  /** The terminal's memory as it is; null: it has never written any. */
  readonly terminalMemory: string | null;
  readonly anchored: number;
  /** How often the database was opened, and what it was found to be the first time. */
  readonly opened: number;
  readonly firstEpoch: EpochKind;
}

/** Everything that a scenario acknowledges: the content after each commit, and what is expected after each boundary. */
export interface Promised {
  readonly contents: readonly Content[];
  readonly firstEpoch: EpochKind;
}

export function promisedIn(events: readonly RecordedEvent[]): Promised {
  const acks = events.filter((event) => event.type === 'ack').map(ackOf);
  const opened = acks.find((ack) => ack.kind === 'opened');
  if (!opened) throw new Error('a scenario that never opens its database proves nothing');
  return { contents: acks.filter((ack) => ack.kind === 'commit'), firstEpoch: opened.epoch };
}

/** Reads a recording from its beginning and knows at each place what was acknowledged so far. */
export class Acknowledged {
  #commits = 0;
  #sure = 0;
  #anchored = 0;
  #opened = 0;
  #sentFor: string | null = null;
  readonly #baskets = new Set<number>();
  readonly #answered = new Map<string, Answered>();
  readonly #attempts = new Map<number, string | null>();
  #lines: readonly LedgerLine[] = [];
  #terminalMemory: string | null = null;
  readonly #firstEpoch: EpochKind;

  /** `terminalMemory`: as it was before the recording. */
  constructor(firstEpoch: EpochKind, terminalMemory: string | null) {
    this.#firstEpoch = firstEpoch;
    if (terminalMemory !== null) this.hear({ kind: 'ledger', text: terminalMemory });
  }

  hear(ack: Ack): void {
    switch (ack.kind) {
      case 'commit':
        this.#commits += 1;
        if (ack.isDurable) this.#sure = this.#commits;
        break;
      case 'sure':
        this.#sure = this.#commits;
        break;
      case 'opened':
        this.#opened += 1;
        break;
      case 'anchored':
        this.#anchored = ack.count;
        break;
      case 'answered':
        if (ack.basket !== null) this.#baskets.add(ack.basket);
        if (ack.whom === 'terminal') this.#sentFor = ack.attempt;
        if ((this.#answered.get(ack.attempt)?.version ?? 0) <= ack.version)
          this.#answered.set(ack.attempt, ack);
        break;
      case 'ledger':
        this.#terminalMemory = ack.text;
        this.#lines = TerminalMemory.parse(JSON.parse(ack.text)).records;
        for (const { sequence, byHand } of this.#lines) {
          if (!this.#attempts.has(sequence)) this.#attempts.set(sequence, byHand ? null : this.#sentFor);
        }
        break;
      case 'closed':
        break;
    }
  }

  get expectation(): Expectation {
    return {
      commits: this.#commits,
      sure: this.#sure,
      answered: new Map(this.#answered),
      baskets: new Set(this.#baskets),
      ledger: this.#lines.map((line) => ({ line, attempt: this.#attempts.get(line.sequence) ?? null })),
      terminalMemory: this.#terminalMemory,
      anchored: this.#anchored,
      opened: this.#opened,
      firstEpoch: this.#firstEpoch,
    };
  }
}

/** Places in a recording: the index of each boundary among the events, oldest first. */
export function boundariesOf(events: readonly RecordedEvent[]): readonly number[] {
  return events.flatMap((event, index) => (isBoundary(event) ? [index] : []));
}
