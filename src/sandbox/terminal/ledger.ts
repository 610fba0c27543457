import { AppError } from '../../base/errors.ts';
import { invariant } from '../../base/invariant.ts';
import type { LedgerEntry, Memory, VirtualTerminalSettings } from '../controllable-terminal.ts';
import { emptyLedger, type LedgerFile, readLedgerFile, type TransactionRecord } from './ledger-file.ts';

export type { TransactionRecord } from './ledger-file.ts';

/** What a terminal does with an approval that the till did not acknowledge. */
export type MissingAcknowledgement = VirtualTerminalSettings['missingAcknowledgement'];

/** A transaction about to be written. `unsettled`: approved, and the till has not acknowledged it yet. */
export type Draft = Pick<
  TransactionRecord,
  | 'kind'
  | 'amountMinor'
  | 'currency'
  | 'result'
  | 'at'
  | 'trace'
  | 'cardId'
  | 'authCode'
  | 'stored'
  | 'unsettled'
> &
  Partial<Pick<TransactionRecord, 'byHand' | 'tipMinor' | 'cashbackMinor' | 'reference'>> & {
    readonly undoes?: TransactionRecord;
  };

/** What an end of day does to the memory, besides opening a new batch. */
export interface ClosingHabits {
  /** Receipt numbers restart at 0001. */
  readonly numbersRestart: boolean;
  /** The terminal no longer reports the closed batch. */
  readonly forgetsAtClose: boolean;
}

const USUAL_HABITS: ClosingHabits = { numbersRestart: false, forgetsAtClose: false };
const LAST_RECEIPT = 9999;
const LAST_TRACE = 999_999;
/** Most terminals before whose charges are kept, and the newest charges of each. */
const MAX_EARLIER = 5;
const MAX_EARLIER_RECORDS = 100;
/** Most records kept; the oldest are dropped. */
const MAX_RECORDS = 10_000;

/**
 * What happened to the customers' money, and the store from which the terminal answers recovery.
 * Why: tests compare the daemon's journal with this ledger, and a killed sandbox must not lose its charges.
 *
 * INVARIANTS:
 * - every change is saved before the method returns;
 * - only stored transactions use up a receipt number; every contact with the host uses up a trace number;
 * - a void and the transaction that it undoes never both stand.
 */
export class Ledger {
  readonly #memory: Memory;
  #file: LedgerFile;

  /** @throws SANDBOX_LEDGER_UNREADABLE when the memory holds something else. */
  constructor(memory: Memory) {
    this.#memory = memory;
    const text = memory.load();
    this.#file = text === null ? emptyLedger : readLedgerFile(text);
  }

  entries(): readonly LedgerEntry[] {
    return this.#file.records.map(entryOf);
  }

  /** How often the terminal was replaced. */
  get exchanges(): number {
    return this.#file.exchanges;
  }

  /** What the terminals charged that were replaced, the newest first; `exchanges`: how many were replaced before it. */
  earlier(): readonly { readonly exchanges: number; readonly entries: readonly LedgerEntry[] }[] {
    return this.#file.earlier
      .map(({ exchanges, records }) => ({ exchanges, entries: records.map(entryOf) }))
      .reverse();
  }

  /** Replaces the terminal by one with an empty memory; what the old one charged stays on record for people. */
  exchange(): void {
    const { exchanges, records, earlier } = this.#file;
    const old = { exchanges, records: records.slice(-MAX_EARLIER_RECORDS) };
    this.#save({
      ...emptyLedger,
      exchanges: exchanges + 1,
      earlier: [...earlier, old].slice(-MAX_EARLIER),
    });
  }

  /** The next trace number, six digits; 999999 is followed by 000001. */
  nextTrace(): string {
    const trace = this.#file.trace >= LAST_TRACE ? 1 : this.#file.trace + 1;
    this.#save({ ...this.#file, trace });
    return digits(trace, 6);
  }

  /** Adds a transaction; a void marks the transaction that it undoes as reversed. */
  enter(draft: Draft): TransactionRecord {
    const { undoes, ...rest } = draft;
    const receipt = draft.stored ? nextReceipt(this.#file.receipt) : this.#file.receipt;
    const record: TransactionRecord = {
      byHand: false,
      tipMinor: 0,
      cashbackMinor: 0,
      reference: '',
      ...rest,
      receiptNumber: draft.stored ? digits(receipt, 4) : '0000',
      reversed: false,
      sequence: this.#file.sequence + 1,
      batch: this.#file.batch,
      undoes: undoes?.sequence ?? null,
      originalTrace: undoes?.trace ?? null,
    };
    const records = this.#file.records.map((known) =>
      known.sequence === record.undoes ? { ...known, reversed: true } : known,
    );
    this.#save({ ...this.#file, receipt, sequence: record.sequence, records: trimmed([...records, record]) });
    return record;
  }

  /** The till has acknowledged it: from now on only a void reverses it. */
  confirm(record: TransactionRecord): void {
    this.#change(record, { unsettled: false });
  }

  /** Applies the setting for an unacknowledged approval; `storeDeclined` as for other declines. */
  settle(record: TransactionRecord, how: MissingAcknowledgement, storeDeclined: boolean): TransactionRecord {
    if (how === 'keep') return this.#change(record, { unsettled: false });
    if (record.undoes !== null) this.#standAgain(record.undoes);
    if (how === 'reverse') return this.#change(record, { unsettled: false, reversed: true });
    return this.#change(record, { unsettled: false, result: 'declined', stored: storeDeclined });
  }

  /** Does the same for all approvals that a power loss or a kill left open. */
  settleAll(how: MissingAcknowledgement, storeDeclined: boolean): readonly TransactionRecord[] {
    return this.#file.records
      .filter((record) => record.unsettled)
      .map((record) => this.settle(record, how, storeDeclined));
  }

  /** The last transaction in the terminal's memory, of those that it reports. */
  lastStored(isShown: (record: TransactionRecord) => boolean = () => true): TransactionRecord | undefined {
    const { records, tellsFrom } = this.#file;
    return records.findLast((record) => record.stored && record.batch >= tellsFrom && isShown(record));
  }

  /** A stored transaction of the open batch by its receipt number. */
  find(receiptNumber: string): TransactionRecord | undefined {
    return this.openBatch().findLast((record) => record.receiptNumber === receiptNumber);
  }

  /** The card of the newest sale that a refund of this amount may belong to: the customer presents the card that paid. */
  cardThatPaid(amountMinor: number): string | null {
    const isMeant = ({ kind, result, reversed, ...sale }: TransactionRecord) =>
      kind === 'sale' && result === 'approved' && !reversed && sale.amountMinor >= amountMinor;
    return this.#file.records.findLast(isMeant)?.cardId ?? null;
  }

  /** Stored transactions since the last end of day, oldest first. */
  openBatch(): readonly TransactionRecord[] {
    return this.#file.records.filter((record) => record.stored && record.batch === this.#file.batch);
  }

  closeBatch({ numbersRestart, forgetsAtClose }: ClosingHabits = USUAL_HABITS): void {
    const batch = this.#file.batch + 1;
    const receipt = numbersRestart ? 0 : this.#file.receipt;
    const tellsFrom = forgetsAtClose ? batch : this.#file.tellsFrom;
    this.#save({ ...this.#file, batch, receipt, tellsFrom });
  }

  /** Sets the numbers that were used last. */
  presetNumbers(receipt: number, trace: number): void {
    const inRange = (value: number, most: number) =>
      Number.isSafeInteger(value) && value >= 0 && value <= most;
    invariant(
      inRange(receipt, LAST_RECEIPT) && inRange(trace, LAST_TRACE),
      'numbers that no terminal counts',
      {
        receipt,
        trace,
      },
    );
    this.#save({ ...this.#file, receipt, trace });
  }

  #standAgain(sequence: number): void {
    const original = this.#file.records.find((record) => record.sequence === sequence);
    if (original) this.#change(original, { reversed: false });
  }

  #change(record: TransactionRecord, change: Partial<TransactionRecord>): TransactionRecord {
    const known = this.#file.records.find(({ sequence }) => sequence === record.sequence);
    invariant(known, 'a transaction that the ledger does not know', { sequence: record.sequence });
    const changed = { ...known, ...change };
    const records = this.#file.records.map((other) => (other === known ? changed : other));
    this.#save({ ...this.#file, records });
    return changed;
  }

  #save(file: LedgerFile): void {
    this.#memory.save(JSON.stringify(file));
    this.#file = file;
  }
}

function nextReceipt(receipt: number): number {
  return receipt >= LAST_RECEIPT ? 1 : receipt + 1;
}

function trimmed(records: readonly TransactionRecord[]): readonly TransactionRecord[] {
  if (records.length <= MAX_RECORDS) return records;
  if (records[0]?.unsettled)
    throw new AppError('SANDBOX_LEDGER_FULL', 'the oldest transaction was never settled');
  return records.slice(records.length - MAX_RECORDS);
}

function digits(value: number, width: number): string {
  return String(value).padStart(width, '0');
}

/** The public view of a record. */
export function entryOf(record: TransactionRecord): LedgerEntry {
  const { sequence, receiptNumber, trace, kind, amountMinor, currency, result, reversed } = record;
  const { byHand, batch, undoes, at, reference } = record;
  return {
    sequence,
    receiptNumber,
    trace,
    kind,
    amountMinor,
    currency,
    result,
    reversed,
    byHand,
    batch,
    undoes,
    at,
    reference,
  };
}
