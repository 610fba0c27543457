import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { invoiceSource } from '../../../src/agent/invoices.ts';
import { silentLog } from '../../../src/base/log.ts';
import type { JsonObject } from '../../../src/integration/connector.ts';
import { InvoiceLookup } from '../../../src/payment/invoice/invoice-lookup.ts';
import type { Database } from '../../../src/store/database.ts';
import { beginProcessRun } from '../../../src/store/epoch/process-runs.ts';
import { SqliteMirrorReader } from '../../../src/store/mirror/sqlite-mirror-reader.ts';
import { SqliteOutboxStore } from '../../../src/store/outbox/sqlite-outbox-store.ts';
import { SqlitePaymentStore } from '../../../src/store/payments/sqlite-payment-store.ts';
import { anAttempt, aReport } from '../../support/attempts.ts';
import { aFolder, aMoneyDatabase } from '../../support/money-database.ts';
import { aMirror, anEngine, aPage, aSource, aStream } from '../../support/sync.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const INVOICE = '0199c0de-0000-7000-8000-0000000000f1';
const SALE = '0199c0de-0000-7000-8000-000000000001';
const STREAM = { integration: 'service', resource: 'invoices' } as const;
const HOUR_MS = 3_600_000;
const never = new AbortController().signal;

/** An invoice of 100.00 of which 40.00 were paid in cash, its copy in a real mirror, and a sale of the other 60.00 in real books. */
class Till {
  readonly clock = new VirtualClock();
  readonly path = join(aFolder(), 'money.db');
  readonly mirror = aMirror();
  database: Database = aMoneyDatabase(this.path);
  #run = '';

  /** A run of the process begins. */
  starts(run: string): void {
    this.#run = run;
    beginProcessRun(this.database, run);
  }

  charges(): void {
    const payments = new SqlitePaymentStore(this.database);
    const amount = { minor: 6000, currency: 'EUR' } as const;
    const report = aReport({ amountMinor: 6000 });
    payments.insertAttempt(
      anAttempt({ id: SALE, invoiceId: INVOICE, amount, state: { name: 'succeeded' }, report }),
    );
    const pending = {
      attemptId: SALE,
      operation: 'sale',
      parentId: null,
      key: 'key',
      body: {},
      withheld: null,
    } as const;
    payments.enqueueReport({ ...pending, id: 'result', kind: 'result', createdAt: this.clock.now() });
  }

  reports(): void {
    new SqliteOutboxStore(this.database, this.clock).done('result', null);
  }

  async copies(dueMinor: number): Promise<void> {
    const fields: JsonObject = {
      status: dueMinor === 0 ? 'paid' : 'open',
      amount_due_minor: dueMinor,
      total_minor: 10_000,
    };
    const source = aSource(async () =>
      aPage([{ id: INVOICE, updatedAt: null, deleted: false, fields: { ...fields, currency: 'EUR' } }]),
    );
    const engine = anEngine(this.mirror, this.clock, { processRun: this.#run });
    await this.clock.runUntil(engine.run(aStream(source, { stream: STREAM }), never));
  }

  /** What may still be charged, in minor units. */
  left(): number | null | undefined {
    const mirror = new SqliteMirrorReader(this.mirror);
    const lookup = new InvoiceLookup({
      source: invoiceSource({ mirror, connection: null, confirmsCreates: true, log: silentLog }),
      store: new SqlitePaymentStore(this.database),
      isOurs: () => true,
      clock: this.clock,
      log: silentLog,
    });
    return lookup.billOf(INVOICE)?.leftMinor;
  }
}

async function aTill(): Promise<Till> {
  const till = new Till();
  till.starts('run 1');
  return till;
}

describe('what is due of an invoice while the clock of the machine is set', () => {
  it('is not charged again because the clock was set back between the copy and the report', async () => {
    const till = await aTill();
    await till.copies(6000);
    till.clock.jumpWallClock(-2 * HOUR_MS);
    await till.clock.advance(60_000);
    till.charges();
    till.reports();
    expect(till.left()).toBe(0);
  });

  it('is not refused because the clock was set back between the report and the copy', async () => {
    const till = await aTill();
    till.charges();
    till.reports();
    till.clock.jumpWallClock(-2 * HOUR_MS);
    await till.clock.advance(60_000);
    // The office gave a credit of 20.00 back to the invoice since: what its newest copy says is due counts.
    await till.copies(2000);
    expect(till.left()).toBe(2000);
  });

  it('is not charged again because the clock was ahead at the copy and right after a restart', async () => {
    const till = await aTill();
    till.clock.jumpWallClock(HOUR_MS);
    await till.copies(6000);
    till.database.close();
    till.clock.jumpWallClock(-HOUR_MS);
    till.database = aMoneyDatabase(till.path);
    till.starts('run 2');
    till.charges();
    till.reports();
    expect(till.left()).toBe(0);
    await till.clock.advance(1_000);
    await till.copies(0);
    expect(till.left()).toBe(0);
  });

  it('counts a copy that a restored database knows nothing of as older than every report', async () => {
    const till = await aTill();
    await till.clock.advance(HOUR_MS);
    await till.copies(6000);
    till.database = aMoneyDatabase();
    till.starts('run 2');
    till.charges();
    till.reports();
    expect(till.left()).toBe(0);
  });
});
