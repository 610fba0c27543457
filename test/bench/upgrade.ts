import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { IdBackfill } from '../../src/store/backfill/id-backfill.ts';
import { Database } from '../../src/store/database.ts';
import { SqlitePaymentStore } from '../../src/store/payments/sqlite-payment-store.ts';
import { MONEY_MIGRATIONS } from '../../src/store/schema/migrations.ts';
import { writeOlderBooks } from '../support/older-ids.ts';
import { type BenchOptions, figuresOf, median, type Print, quantile } from './figure.ts';

const MIB = 1024 * 1024;
/** As many rows as a step of the daemon takes. */
const ROWS = 100;
const BY_INVOICE = { reference: null, referenceSince: 0, deviceId: '', amountMinor: 0, amountSince: 0 };
/** Copies of the first payment with ids of their own, as wide as one of a terminal that says little. */
const COPY = `WITH RECURSIVE n (no) AS (SELECT 2 UNION ALL SELECT no + 1 FROM n WHERE no < ?)
  INSERT INTO attempts (COLUMNS, id, invoice_id, amount_minor, detail)
  SELECT COLUMNS, printf('0199c0de-0000-7abc-8def-%012d', no), printf('0199C0DE-000A-7ABC-8DEF-%012d', no), 100 + no % 20000,
    json_set(detail, '$.metadata.filler', printf('%.1300c', 'x')) FROM n, (SELECT * FROM attempts WHERE seq = 1)`;
const ALIASES = `INSERT OR IGNORE INTO aliases SELECT replace(upper(id), '-0000-', '-000B-'), id FROM attempts`;

/** Books of an older release are opened by this one: what that takes before the shop sells, and what is left for later. */
export async function upgrade({ attempts }: BenchOptions, print: Print): Promise<void> {
  for (const form of ['in capitals', 'in one form'] as const) {
    const folder = mkdtempSync(join(tmpdir(), 'tilld-upgrade-'));
    try {
      const path = join(folder, 'money.db');
      fill(path, attempts, form === 'in capitals');
      measure(path, form, figuresOf('upgrade', print));
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
}

function fill(path: string, attempts: number, hasCapitals: boolean): void {
  writeOlderBooks(path, 1);
  const sqlite = new Sqlite(path);
  sqlite.pragma('synchronous = OFF');
  const named = ['seq', 'id', 'invoice_id', 'amount_minor', 'detail'].map((name) => `'${name}'`).join(', ');
  const columns = sqlite
    .prepare(
      `SELECT group_concat(name, ', ') FROM pragma_table_info('attempts') WHERE name NOT IN (${named})`,
    )
    .pluck()
    .get();
  sqlite.prepare(COPY.replaceAll('COLUMNS', String(columns))).run(attempts);
  sqlite.exec(ALIASES);
  if (!hasCapitals)
    sqlite.exec(`UPDATE attempts SET invoice_id = lower(invoice_id), device_id = lower(device_id), caller = lower(caller);
      UPDATE aliases SET service_id = lower(service_id)`);
  sqlite.pragma('wal_checkpoint(TRUNCATE)');
  sqlite.close();
}

function measure(path: string, form: string, figure: ReturnType<typeof figuresOf>): void {
  const [before, from] = [bytes(), performance.now()];
  const database = Database.open(path, MONEY_MIGRATIONS, '0.1.0');
  figure(`until the books are open, ids ${form}`, performance.now() - from, 'ms');
  figure(`read until then, ids ${form}`, (bytes().read - before.read) / MIB, 'MiB');
  figure(`written until then, ids ${form}`, (bytes().written - before.written) / MIB, 'MiB');
  const meanwhile = guardMs(database);
  const backfill = new IdBackfill(database);
  const steps: number[] = [];
  while (backfill.progress !== null) {
    const began = performance.now();
    backfill.step(ROWS);
    steps.push(performance.now() - began);
  }
  figure(`a step of ${ROWS} payments, ids ${form}`, median(steps), 'ms');
  figure(`a step of ${ROWS} payments, p99, ids ${form}`, quantile(steps, 0.99), 'ms');
  const after = { name: 'behind the backfill', value: guardMs(database) };
  figure(`the guard of an invoice meanwhile, ids ${form}`, meanwhile, 'ms', after);
  database.close();
}

function guardMs(database: Database): number {
  const store = new SqlitePaymentStore(database);
  const times = Array.from({ length: 200 }, (_, no) => {
    const invoiceId = `0199c0de-000a-7abc-8def-${String(no + 2).padStart(12, '0')}`;
    const from = performance.now();
    store.possibleDuplicates({ ...BY_INVOICE, invoiceId });
    return performance.now() - from;
  });
  return median(times);
}

/** What this process has read and written so far, in bytes; of the page cache, too. */
function bytes(): { readonly read: number; readonly written: number } {
  const counters = readFileSync('/proc/self/io', 'utf8');
  const of = (name: string) => Number(new RegExp(`${name}: (\\d+)`).exec(counters)?.[1]);
  return { read: of('rchar'), written: of('wchar') };
}
