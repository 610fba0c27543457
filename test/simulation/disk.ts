import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../src/base/errors.ts';
import { Database } from '../../src/store/database.ts';
import { checkEpoch } from '../../src/store/epoch/epoch.ts';
import { MONEY_MIGRATIONS } from '../../src/store/schema/migrations.ts';
import type { SimClock } from './sim-clock.ts';

/** The database's own files; the log that belongs to it must go and come with it. */
const DATABASE_FILES = ['money.db', 'money.db-wal'] as const;
const SHARED_INDEX = 'money.db-shm';

/**
 * What takes the place of the database: a backup (`restored`; without the note beside it: `restored_bare`), nothing (`fresh`), or
 * one of another shop (`foreign`). A folder that is replaced as a whole, note and all, is not among them: nobody can see that.
 */
export const LOSSES = ['restored', 'restored', 'restored_bare', 'fresh', 'foreign'] as const;
export type Loss = (typeof LOSSES)[number];

/** What the first start makes of a folder with nothing in it: all migrations, which are the same in every history. */
let empty: Buffer | undefined;

/** The machine's disk: it may be full, fail, stall, and be set back. It outlives the agent. */
export class Disk {
  readonly folder: string;
  readonly #time: SimClock;
  readonly #backups: ReadonlyMap<string, Buffer>[] = [];
  #refusal: { readonly code: 'STORAGE_FULL' | 'STORAGE_FAILED'; readonly until: number } | null = null;
  #stallMs = 0;

  constructor(folder: string, time: SimClock) {
    this.folder = folder;
    this.#time = time;
    mkdirSync(folder, { recursive: true });
    if (empty === undefined) {
      Database.open(this.#path('money.db'), MONEY_MIGRATIONS, '0.1.0').close();
      empty = readFileSync(this.#path('money.db'));
    } else writeFileSync(this.#path('money.db'), empty);
  }

  /** Refuses every commit for so long. */
  refuse(code: 'STORAGE_FULL' | 'STORAGE_FAILED', ms: number): void {
    this.#refusal = { code, until: this.#time.elapsed + ms };
  }

  /** The next commit of an approval takes this long. */
  stallAtApproval(ms: number): void {
    this.#stallMs = ms;
  }

  heal(): void {
    this.#refusal = null;
    this.#stallMs = 0;
  }

  /** Called before each commit. @throws STORAGE_FULL, STORAGE_FAILED */
  mustWrite(): void {
    const refusal = this.#refusal;
    if (!refusal || this.#time.elapsed >= refusal.until) return;
    throw new AppError(refusal.code, 'the disk refuses in the simulation', {
      retry: refusal.code === 'STORAGE_FULL' ? 'safe' : 'never',
      moneyMoved: 'unknown',
    });
  }

  /** Called within the commit of an approval. @returns ms that passed. */
  sync(): number {
    const ms = this.#stallMs;
    this.#stallMs = 0;
    if (ms > 0) this.#time.stall(ms);
    return ms;
  }

  /** Copies the database as it is at this moment, between two commits. */
  backUp(): void {
    const files = DATABASE_FILES.filter((name) => existsSync(this.#path(name)));
    this.#backups.push(new Map(files.map((name) => [name, readFileSync(this.#path(name))])));
  }

  get hasBackup(): boolean {
    return this.#backups.length > 0;
  }

  /** Replaces the database; nobody may have it open. `which`: from 0 to 1, how young the backup is. */
  replace(loss: Loss, which: number): void {
    for (const name of [...DATABASE_FILES, SHARED_INDEX]) rmSync(this.#path(name), { force: true });
    if (loss === 'foreign') this.#bringForeign();
    if (loss !== 'restored' && loss !== 'restored_bare') return;
    const backup = this.#backups[Math.floor(which * this.#backups.length)];
    for (const [name, bytes] of backup ?? []) writeFileSync(this.#path(name), bytes);
    if (loss === 'restored_bare' && this.#holdsSomething()) rmSync(this.#path('epoch'), { force: true });
  }

  /** A copy from before the first payment, without the note beside it, is a new shop's folder: nobody can see that either. */
  #holdsSomething(): boolean {
    const database = Database.open(this.#path('money.db'), MONEY_MIGRATIONS, '0.1.0');
    try {
      return database.get('SELECT 1 FROM attempts LIMIT 1') !== undefined;
    } finally {
      database.close();
    }
  }

  /** All bytes of the database. */
  read(): readonly Buffer[] {
    return DATABASE_FILES.filter((name) => existsSync(this.#path(name))).map((name) =>
      readFileSync(this.#path(name)),
    );
  }

  /** A database that another agent has begun. */
  #bringForeign(): void {
    const other = join(this.folder, 'other');
    mkdirSync(other, { recursive: true });
    const path = join(other, 'money.db');
    const database = Database.open(path, MONEY_MIGRATIONS, '0.1.0');
    checkEpoch(database, join(other, 'epoch'), 'another-shop', this.#time.now);
    database.close();
    copyFileSync(path, this.#path('money.db'));
    rmSync(other, { recursive: true });
  }

  #path(name: string): string {
    return join(this.folder, name);
  }
}
