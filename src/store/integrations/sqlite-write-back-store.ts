import { z } from 'zod';
import { PROVIDERS, type ProviderName } from '../../integration/integration.ts';
import type { WaitingPayment, WriteBackEnd, WriteBackStore } from '../../integration/payment-write-back.ts';
import { approvedMinor } from '../../payment/attempt/amounts.ts';
import type { PaymentStore } from '../../payment/ports.ts';
import { standingSaleOf } from '../../payment/refunds/standing-sale.ts';
import type { Database } from '../database.ts';

/** Sales up to here are noted; those behind it may still be open. */
const NOTED = "SELECT CAST(value AS INTEGER) AS seq FROM facts WHERE name = 'payments_noted'";
const NEWEST = 'SELECT COALESCE(max(seq), 0) AS seq FROM attempts';
const SET_NOTED = "INSERT OR REPLACE INTO facts (name, value) VALUES ('payments_noted', CAST(? AS TEXT))";
const NOTE = `INSERT OR IGNORE INTO provider_payments (attempt_id, invoice_id, state, tries)
  SELECT id, invoice_id, 'waiting', 0 FROM attempts
  WHERE seq > CAST(? AS INTEGER) AND type = 'sale' AND state = 'succeeded' AND invoice_id IS NOT NULL ORDER BY seq`;
const FIRST_OPEN = `SELECT COALESCE(min(seq) - 1, CAST(? AS INTEGER)) AS seq FROM attempts INDEXED BY attempts_open
  WHERE completed_at IS NULL AND seq > CAST(? AS INTEGER)`;
/** Without those whose money may go back right now. */
const WAITING = `SELECT attempt_id AS id, invoice_id AS invoiceId, provider, tries FROM provider_payments WHERE state = 'waiting'
  AND NOT EXISTS (SELECT 1 FROM attempts WHERE parent_id = provider_payments.attempt_id AND completed_at IS NULL)
  ORDER BY rowid LIMIT CAST(? AS INTEGER)`;
const FAILED =
  'UPDATE provider_payments SET tries = tries + 1, provider = ?, last_error = ? WHERE attempt_id = CAST(? AS TEXT)';
const END = `UPDATE provider_payments SET state = ?, provider = ?, last_error = ?, ended_at = ?
  WHERE attempt_id = CAST(? AS TEXT)`;
const RETRY =
  "UPDATE provider_payments SET state = 'waiting', ended_at = NULL WHERE state = 'refused' AND provider = CAST(? AS TEXT)";

const Seq = z.object({ seq: z.int() });
const Waiting = z.object({
  id: z.string(),
  invoiceId: z.string(),
  provider: z.enum(PROVIDERS).nullable(),
  tries: z.int(),
});

/** Payments that are recorded at sources, in `money.db`. */
export class SqliteWriteBackStore implements WriteBackStore {
  readonly #database: Database;
  readonly #payments: Pick<PaymentStore, 'findAttempt' | 'correctionOf' | 'childrenOf'>;

  constructor(
    database: Database,
    payments: Pick<PaymentStore, 'findAttempt' | 'correctionOf' | 'childrenOf'>,
  ) {
    this.#database = database;
    this.#payments = payments;
  }

  /** A payment of the time before is not recorded: a person may have entered it at the source by hand. */
  note(isRecorded: boolean): void {
    const database = this.#database;
    const row = database.get(NOTED);
    const newest = Seq.parse(database.get(NEWEST)).seq;
    const noted = row === undefined ? null : Seq.parse(row).seq;
    if (newest === noted) return;
    if (noted === null || !isRecorded) {
      database.run(SET_NOTED, newest);
      return;
    }
    database.transaction(() => {
      database.run(NOTE, noted);
      const { seq } = Seq.parse(database.get(FIRST_OPEN, newest, noted));
      if (seq !== noted) database.run(SET_NOTED, seq);
    });
  }

  waiting(limit: number): readonly WaitingPayment[] {
    return this.#database.all(WAITING, limit).map((row) => Waiting.parse(row));
  }

  /**
   * The part that pays the invoice, without a tip or cashback. A correction is the sale that it is about: the source knows it by that id, so that it
   * has one payment for one charge.
   */
  paymentOf(id: string): ReturnType<WriteBackStore['paymentOf']> {
    const attempt = this.#payments.findAttempt(id);
    const standing = attempt && standingSaleOf(attempt, this.#payments);
    if (!standing) return null;
    const { sale, charge } = standing;
    const { minor, currency } = sale.amount;
    const amountMinor = Math.min(minor, approvedMinor(charge));
    const paidAt = charge.completedAt ?? charge.createdAt;
    return amountMinor > 0 ? { id: sale.id, amountMinor, currency, paidAt } : null;
  }

  failed(id: string, provider: ProviderName | null, words: string): void {
    this.#database.run(FAILED, provider, words, id);
  }

  end(id: string, end: WriteBackEnd, provider: ProviderName | null, words: string | null, at: number): void {
    this.#database.run(END, end, provider, words, at, id);
  }

  retry(provider: ProviderName): void {
    this.#database.run(RETRY, provider);
  }
}
