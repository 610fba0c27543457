import { existsSync } from 'node:fs';
import { Database } from '../../../src/store/database.ts';
import { MIRROR_MIGRATIONS } from '../../../src/store/mirror/mirror-migrations.ts';
import { SqliteMirrorReader } from '../../../src/store/mirror/sqlite-mirror-reader.ts';
import type { Table } from '../../support/hostile/table.ts';
import { STREAM } from './order.ts';

const EVERY_MS = 25;
const AT_ONCE = 5_000;

/** A reader of the mirror in another process than the one that writes and dies: what it was shown, and is still there, it must go on seeing. */
export class Watcher {
  readonly #path: string;
  readonly #table: Table;
  #database: Database | null = null;
  #timer: NodeJS.Timeout | null = null;
  #seen = new Set<string>();
  lost = 0;

  constructor(path: string, table: Table) {
    this.#path = path;
    this.#table = table;
  }

  start(): void {
    this.#timer ??= setInterval(() => this.look(), EVERY_MS);
  }

  close(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#database?.close();
    this.#database = null;
  }

  /** Before the first process has made the file there is nothing to see. */
  look(): void {
    const shown = this.shown();
    const valid = (id: string) => this.#table.exists(id);
    const lost = [...this.#seen].filter((id) => !shown.has(id) && valid(id));
    this.lost += lost.length;
    for (const id of lost) this.#seen.delete(id);
    for (const id of shown.keys()) this.#seen.add(id);
  }

  shown(): ReadonlyMap<string, unknown> {
    const rows = new Map<string, unknown>();
    const database = this.#opened();
    if (!database) return rows;
    const reader = new SqliteMirrorReader(database);
    for (let after: string | null = null; ; ) {
      const page = reader.list(STREAM, after, AT_ONCE);
      for (const { id, body } of page) rows.set(id, body);
      after = page.at(-1)?.id ?? null;
      if (page.length < AT_ONCE) return rows;
    }
  }

  /** Rows that the mirror holds for deleted, and the source has. */
  wronglyDeleted(): number {
    const gone = this.#opened()?.all(
      'SELECT rows.id AS id FROM rows JOIN streams ON streams.id = rows.stream AND streams.generation = rows.generation WHERE fate = 2',
    );
    return (gone ?? []).filter((row) => this.#table.exists(String(Reflect.get(Object(row), 'id')))).length;
  }

  stateBytes(): number {
    const row = this.#opened()?.get('SELECT max(length(CAST(state AS BLOB))) AS bytes FROM streams');
    return Number(Reflect.get(Object(row), 'bytes') ?? 0);
  }

  /** Pages that were ever committed. */
  pages(): number {
    return Number(
      Reflect.get(Object(this.#opened()?.get('SELECT sum(pages) AS pages FROM runs')), 'pages') ?? 0,
    );
  }

  #opened(): Database | null {
    if (this.#database || !existsSync(this.#path)) return this.#database;
    this.#database = Database.open(this.#path, MIRROR_MIGRATIONS, '0.1.0', 'normal');
    return this.#database;
  }
}
