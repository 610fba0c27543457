import type { Database } from '../../../src/store/database.ts';
import type { Migration } from '../../../src/store/schema/migrations.ts';
import { commitName, type Lookups, type Write } from './commit-names.ts';
import { type CommitKill, commitLine } from './kill-order.ts';

const TYPE_OF = 'SELECT type FROM attempts WHERE id = ?';
const KIND_OF = 'SELECT kind FROM outbox WHERE id = ?';

export interface CommitWatchDeps {
  readonly order: CommitKill | null;
  /** Must have left the process when it returns. */
  readonly report: (line: string) => void;
  readonly die: () => void;
}

/** Stands around the money database of one process: tells each outermost commit by its name, and dies at the one it was told to. */
export class CommitWatch {
  readonly #deps: CommitWatchDeps;
  readonly #writes: Write[] = [];
  #depth = 0;
  #met = 0;

  constructor(deps: CommitWatchDeps) {
    this.#deps = deps;
  }

  /** Runs `commit`, which does `work` and makes it durable; the name is known once the work is done. */
  transaction<T>(database: Database, work: () => T, commit: (work: () => T) => T): T {
    if (this.#depth > 0) return commit(work);
    this.#depth += 1;
    try {
      let name = '';
      const result = commit(() => {
        const value = work();
        name = commitName(this.#writes, lookupsIn(database));
        this.#before(name);
        return value;
      });
      this.#after(name);
      return result;
    } finally {
      this.#depth -= 1;
      this.#writes.length = 0;
    }
  }

  /** A statement by itself is a commit of its own. */
  run(database: Database, write: Write, statement: () => number): number {
    if (this.#depth > 0) {
      this.#writes.push(write);
      return statement();
    }
    const name = commitName([write], lookupsIn(database));
    this.#before(name);
    const changed = statement();
    this.#after(name);
    return changed;
  }

  /** The migrations, each with a watch at its end; `opened` is to be called when the last one is on disk. */
  migrations(all: readonly Migration[]): { readonly watched: readonly Migration[]; opened(): void } {
    let done: string | null = null;
    const settle = () => {
      if (done !== null) this.#after(done);
      done = null;
    };
    const watched = all.map((migration): Migration => {
      const name = `migration ${migration.name}`;
      const watch = this;
      return {
        ...migration,
        // Read inside the migration's transaction: the one before it is on disk.
        get sql() {
          settle();
          return migration.sql;
        },
        // Read last inside it.
        get minWriter() {
          watch.#before(name);
          done = name;
          return migration.minWriter;
        },
      };
    });
    return { watched, opened: settle };
  }

  #before(name: string): void {
    if (this.#isOrdered(name)) this.#met += 1;
    this.#dieIf(name, 'before');
  }

  #after(name: string): void {
    this.#deps.report(commitLine(name));
    this.#dieIf(name, 'after');
  }

  #isOrdered(name: string): boolean {
    return this.#deps.order?.name === name;
  }

  #dieIf(name: string, when: CommitKill['when']): void {
    const { order, report, die } = this.#deps;
    if (order?.when !== when || !this.#isOrdered(name) || this.#met !== order.occurrence) return;
    report(commitLine(name, when));
    die();
  }
}

function lookupsIn(database: Database): Lookups {
  const text = (sql: string, id: string, field: string) => String(Object(database.get(sql, id))[field]);
  return {
    typeOf: (attemptId) => text(TYPE_OF, attemptId, 'type'),
    reportKindOf: (outboxRowId) => text(KIND_OF, outboxRowId, 'kind'),
  };
}
