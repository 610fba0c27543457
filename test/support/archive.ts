import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import type { Attempt } from '../../src/payment/attempt/attempt.ts';
import type { ChunkText } from '../../src/store/archive/archive-chunk.ts';
import { ArchivePlace } from '../../src/store/archive/archive-place.ts';
import { ArchivedTimelines } from '../../src/store/archive/archived-timelines.ts';
import { Archiver } from '../../src/store/archive/archiver.ts';
import type { Database } from '../../src/store/database.ts';
import { SqlitePaymentStore } from '../../src/store/payments/sqlite-payment-store.ts';
import { anAttempt } from './attempts.ts';
import { aFolder, aMoneyDatabase } from './money-database.ts';

/** One payment takes so many rows of the journal. */
export const ROWS_OF_A_PAYMENT = 5;
/** Between two payments. */
const APART_MS = 1_000;

/** The books of an old shop: payments that have ended and that the service knows, and an archiver that may take them all. */
export class OldShop {
  readonly folder: string;
  readonly money: Database;
  readonly place: ArchivePlace;
  readonly payments: SqlitePaymentStore;
  readonly archiver: Archiver;

  constructor(folder = aFolder()) {
    this.folder = folder;
    this.money = aMoneyDatabase(join(folder, 'money.db'));
    this.place = new ArchivePlace(join(folder, 'archive.db'), '0.1.0');
    onTestFinished(() => this.place.close());
    this.payments = new SqlitePaymentStore(this.money, new ArchivedTimelines(this.money, this.place));
    this.archiver = new Archiver({ money: this.money, archive: () => this.place.archive() });
  }

  static of(payments: number): OldShop {
    const shop = new OldShop();
    for (let number = 1; number <= payments; number += 1) shop.pay(number);
    return shop;
  }

  /** A sale from its create to its end, as the core writes it: in commits, with events and reports. */
  pay(number: number, changes: Partial<Attempt> = {}): string {
    const id = idOf(number);
    const at = number * APART_MS;
    this.money.transaction(() => {
      const fate = { state: { name: 'succeeded' } as const, completedAt: at + 40, releasedAt: at + 40 };
      const times = { createdAt: at, dispatchedAt: at + 10 };
      this.payments.insertAttempt(anAttempt({ id, ...times, ...fate, ...changes }));
      for (const [index, event] of ['create', 'dispatch', 'accepted', 'reported', 'ended'].entries()) {
        const details = { rule: `rule ${number}`, frames: 'x'.repeat(200) };
        this.payments.appendJournal({
          attemptId: id,
          at: at + index * 10,
          event,
          from: index === 0 ? '-' : 'a',
          to: 'b',
          details,
        });
      }
      for (const [index, what] of ['requested', 'in_progress', 'succeeded'].entries())
        this.#event(id, at + index * 10, what);
      for (const kind of ['create', 'result'] as const) this.#report(id, at, kind);
    });
    return id;
  }

  /** Turns until there is nothing more to do. */
  archiveAll(before = Number.MAX_SAFE_INTEGER): number {
    let turns = 0;
    while (this.archiver.turn(before, 1) !== 'nothing') turns += 1;
    return turns;
  }

  #event(id: string, at: number, what: string): void {
    const attempt = this.payments.findAttempt(id) ?? anAttempt();
    this.payments.appendEvent({
      id: `evt_${id}_${what}`,
      type: `terminal_payment.${what}`,
      at,
      subject: {
        kind: 'payment',
        view: {
          attempt,
          reported: 'pending',
          charged: 'unknown',
          refusedBecause: null,
          correctedBy: null,
          correctsType: null,
          refundedMinor: 0,
          refundingMinor: 0,
          tasks: [],
          progress: null,
        },
      },
    });
  }

  #report(attemptId: string, createdAt: number, kind: 'create' | 'result'): void {
    const id = `${kind} of ${attemptId}`;
    const rest = { operation: 'sale', parentId: null, withheld: null, createdAt } as const;
    this.payments.enqueueReport({ id, key: id, attemptId, kind, body: { text: 'x'.repeat(100) }, ...rest });
    this.money.run("UPDATE outbox SET state = 'done', tries = 1, done_at = ? WHERE id = ?", createdAt, id);
  }
}

export function idOf(number: number): string {
  return `0199c0de-0000-7000-8000-${String(number).padStart(12, '0')}`;
}

/** The numbers of a chunk's lines: `j` rows of the journal, `e` events, `o` bodies of reports. */
export function numbersIn({ timelines, rest }: ChunkText, kind: 'j' | 'e' | 'o'): readonly number[] {
  return (kind === 'j' ? timelines : rest)
    .split('\n')
    .filter((line) => line.startsWith(`["${kind}"`))
    .map((line) => z.tuple([z.string(), z.int()]).rest(z.unknown()).parse(JSON.parse(line))[1]);
}
