import type { Clock } from '../../base/clock.ts';
import { AppError, messageOf } from '../../base/errors.ts';
import { invariant } from '../../base/invariant.ts';
import type { Log } from '../../base/log.ts';
import type { Database } from '../database.ts';
import { mirrorDamage } from './mirror-damage.ts';
import { AT_ONCE_BYTES, openMirror, replaceMirror, sizeOfMirror } from './mirror-database.ts';
import { type MirrorLoss, mirrorLossIn, noteMirrorLoss } from './mirror-loss.ts';
import { SqliteMirrorReader } from './sqlite-mirror-reader.ts';
import { SqliteSyncControl } from './sqlite-sync-control.ts';
import { SqliteSyncStore } from './sqlite-sync-store.ts';

/** Replacements of one process run without a pause between them. */
const MOST_AT_ONCE = 3;
/** Then the pauses double: a disk that damages every new file must not have all sources read without an end. */
const PAUSE_MS = { first: 600_000, most: 86_400_000 } as const;
const REPLACED = 'mirror cannot be used, it was set aside and everything in it is read again';

/** The open file, and what works on it. */
export interface MirrorParts {
  readonly database: Database;
  readonly store: SqliteSyncStore;
  readonly control: SqliteSyncControl;
  readonly reader: SqliteMirrorReader;
}

export interface MirrorPlaceDeps {
  readonly path: string;
  readonly version: string;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly log: Log;
}

/**
 * The file `mirror.db`, and the only owner of its connection.
 * Why: whatever is wrong with this file, wherever it shows, must neither stop a sale nor stay: it holds the only copy of nothing.
 *
 * INVARIANTS:
 * - `store`, `control` and `reader` always work on the file that is open now;
 * - a call that finds the file unusable sets it aside and runs once more, on the new one: there a run has no lease, and writes nothing;
 * - a file that was set aside is never opened again.
 */
export class MirrorPlace {
  readonly store: SqliteSyncStore;
  readonly control: SqliteSyncControl;
  readonly reader: SqliteMirrorReader;
  readonly #deps: MirrorPlaceDeps;
  readonly #listeners: (() => void)[] = [];
  #parts: MirrorParts | null;
  #loss: MirrorLoss | null = null;
  /** What was wrong with a file that was closed and is not replaced yet; null: none. */
  #toRenew: string | null = null;
  #isClosed = false;
  #spare = MOST_AT_ONCE;
  #pauseMs: number = PAUSE_MS.first;
  #notBefore = Number.NEGATIVE_INFINITY;

  /** @throws STORAGE_FULL; STORAGE_FAILED when no file can be made at all */
  constructor(deps: MirrorPlaceDeps) {
    this.#deps = deps;
    const first = this.#open();
    this.#parts = first;
    this.store = this.#through(first.store, ({ store }) => store);
    this.control = this.#through(first.control, ({ control }) => control);
    this.reader = this.#through(first.reader, ({ reader }) => reader);
  }

  get path(): string {
    return this.#deps.path;
  }

  /** The mirror that this one has replaced; null: none. */
  get loss(): MirrorLoss | null {
    return this.#loss;
  }

  /** Every page was checked when the file was opened; false: it is too large for that. */
  get isChecked(): boolean {
    return sizeOfMirror(this.path) <= AT_ONCE_BYTES;
  }

  /** Calls `listener` after each replacement; it must not throw. */
  onReplaced(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Runs a call; when the file turns out to be unusable, once more on the one that takes its place. */
  use<T>(work: (parts: MirrorParts) => T): T {
    const parts = this.#current();
    try {
      return work(parts);
    } catch (error) {
      const what = mirrorDamage(error, parts.database);
      if (what === null) throw error;
      this.replace(what);
      return work(this.#current());
    }
  }

  /** Sets the file aside and opens a new one. @throws STORAGE_DAMAGED while that was done too often; STORAGE_FULL; STORAGE_FAILED */
  replace(what: string): void {
    this.#requirePause(what);
    this.#shut();
    this.#toRenew = what;
    this.#renewed(what);
  }

  /** Everything was read again. */
  settle(): void {
    if (this.#loss === null || this.#loss.readAgainAt !== null) return;
    const settled = { ...this.#loss, readAgainAt: this.#deps.clock.now() };
    this.use(({ database }) => noteMirrorLoss(database, settled));
    if (this.#loss.readAgainAt === null && this.#loss.at === settled.at) this.#loss = settled;
  }

  close(): void {
    this.#isClosed = true;
    this.#shut();
  }

  #shut(): void {
    const { database } = this.#parts ?? {};
    this.#parts = null;
    try {
      database?.close();
    } catch (error) {
      this.#deps.log.warn({ file: this.path, error: messageOf(error) }, 'mirror could not be closed');
    }
  }

  #current(): MirrorParts {
    if (this.#isClosed) throw new AppError('SHUTTING_DOWN', 'tilld is shutting down');
    this.#parts ??= this.#toRenew === null ? this.#open() : this.#renewed(this.#toRenew);
    return this.#parts;
  }

  /** On a full disk this fails, and the next call tries it again. */
  #renewed(what: string): MirrorParts {
    const { path, version, clock, log } = this.#deps;
    const parts = partsOf(replaceMirror(path, version, what, clock.now()));
    this.#parts = parts;
    this.#toRenew = null;
    this.#loss = mirrorLossIn(parts.database);
    log.error({ file: path, what, kept: this.#loss?.kept ?? null }, REPLACED);
    for (const listener of this.#listeners) listener();
    return parts;
  }

  #open(): MirrorParts {
    const { path, version, clock, log } = this.#deps;
    const { database, isNew } = openMirror(path, version, clock.now());
    this.#loss = mirrorLossIn(database);
    if (isNew) log.error({ file: path, what: this.#loss?.what, kept: this.#loss?.kept ?? null }, REPLACED);
    return partsOf(database);
  }

  #requirePause(what: string): void {
    const now = this.#deps.clock.monotonic();
    if (now < this.#notBefore)
      throw new AppError(
        'STORAGE_DAMAGED',
        `${this.path} cannot be used again (${what}): it is set aside once more in ${Math.ceil((this.#notBefore - now) / 60_000)} minutes. Payments do not need it; have the disk looked at.`,
        { retry: 'safe' },
      );
    this.#spare -= 1;
    if (this.#spare > 0) return;
    this.#notBefore = now + this.#pauseMs;
    this.#pauseMs = Math.min(this.#pauseMs * 2, PAUSE_MS.most);
  }

  /** Every method of a part, called through {@link use}. */
  #through<T extends object>(first: T, partOf: (parts: MirrorParts) => T): T {
    return new Proxy(first, {
      get:
        (_first, name) =>
        (...args: readonly unknown[]) =>
          this.use((parts) => {
            const part = partOf(parts);
            const method: unknown = Reflect.get(part, name);
            invariant(typeof method === 'function', 'only methods are called through the mirror');
            return Reflect.apply(method, part, args);
          }),
    });
  }
}

function partsOf(database: Database): MirrorParts {
  return {
    database,
    store: new SqliteSyncStore(database),
    control: new SqliteSyncControl(database),
    reader: new SqliteMirrorReader(database),
  };
}
