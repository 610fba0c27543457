import { renameSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import { z } from 'zod';
import { type QuarantineNames, quarantineNames, swapIn } from '../damage/quarantine.ts';
import type { Database } from '../database.ts';
import { openForReading, type Readable, type Reading } from '../read-only-database.ts';
import { chunkEndingAt, openArchive, putChunk, textOf } from './archive.ts';
import { type ArchiveChunk, flawOf, rowsIn } from './archive-chunk.ts';
import { type ArchiveLoss, noteArchiveLoss } from './archive-loss.ts';

const NOTED = `SELECT last_seq AS lastSeq, hash, last_event AS lastEvent, digest FROM archived_chunks
  WHERE last_seq > CAST(? AS INTEGER) ORDER BY last_seq LIMIT CAST(? AS INTEGER)`;
const Noted = z.object({ lastSeq: z.int(), hash: z.string(), lastEvent: z.int(), digest: z.string() });
type Noted = z.infer<typeof Noted>;
/** Chunks of one step: some ten milliseconds, and one commit. */
const AT_ONCE = 50;

export interface ArchiveSalvageDeps {
  /** It knows which chunks there are, and the digest of each. */
  readonly money: Database;
  /** The archive; no connection may be open while {@link ArchiveSalvage.finish} runs. */
  readonly path: string;
  readonly version: string;
  readonly what: string;
  /** Epoch ms. */
  readonly now: number;
}

/**
 * Copies the readable chunks of a damaged archive into a new one, step by step; then the damaged file is set aside and kept.
 * Why: what was archived is nowhere else. A chunk is copied only when its text has the digest that the money database noted, and each row fits its chain.
 */
export class ArchiveSalvage {
  readonly #deps: ArchiveSalvageDeps;
  readonly #names: QuarantineNames;
  readonly #draft: string;
  readonly #source: Reading | null;
  readonly #target: Database;
  #at = 0;
  #saved = 0;
  #lost = 0;

  /** @throws STORAGE_FULL, STORAGE_FAILED */
  constructor(deps: ArchiveSalvageDeps) {
    const { path, version, now } = deps;
    this.#deps = deps;
    this.#names = quarantineNames(path, new Date(now).toISOString().slice(0, 10));
    this.#draft = `${this.#names.salvaged}.part`;
    for (const end of ['', '-wal', '-shm']) rmSync(this.#draft + end, { force: true });
    this.#source = readable(path);
    this.#target = openArchive(this.#draft, version);
  }

  /** @returns whether every chunk was tried. @throws STORAGE_FULL, STORAGE_FAILED */
  step(): boolean {
    const noted = this.#deps.money.all(NOTED, this.#at, AT_ONCE).map((row) => Noted.parse(row));
    const saved = this.#copy(noted);
    this.#saved += saved;
    this.#lost += noted.length - saved;
    this.#at = noted.at(-1)?.lastSeq ?? this.#at;
    return noted.length < AT_ONCE;
  }

  /** Puts the new archive in the place of the damaged one. After a kill the next start completes that. */
  finish(): ArchiveLoss {
    const { path, what, now } = this.#deps;
    const kept = basename(this.#names.damaged);
    const loss = { at: now, what, kept, saved: this.#saved, lost: this.#lost };
    noteArchiveLoss(this.#target, loss);
    this.close();
    renameSync(this.#draft, this.#names.salvaged);
    swapIn(path, this.#names);
    return loss;
  }

  close(): void {
    this.#source?.close();
    this.#target.close();
  }

  /** @returns how many are copied */
  #copy(noted: readonly Noted[]): number {
    const source = this.#source;
    if (source === null) return 0;
    const chunks = noted.flatMap((one) => chunkOf(source, one) ?? []);
    this.#target.transaction(() => {
      for (const chunk of chunks) putChunk(this.#target, chunk);
    });
    return chunks.length;
  }
}

function chunkOf(source: Readable, { lastSeq, hash, lastEvent, digest }: Noted): ArchiveChunk | null {
  try {
    const head = chunkEndingAt(source, lastSeq);
    if (!head || head.hash !== hash || head.digest !== digest || head.lastEvent !== lastEvent) return null;
    const chunk = { ...head, ...textOf(source, lastSeq) };
    if (flawOf(chunk) !== null) return null;
    const rows = [...rowsIn(Buffer.from(chunk.timelines))];
    return { ...chunk, attemptIds: [...new Set(rows.map((row) => row.attempt_id))] };
  } catch {
    return null;
  }
}

/** null: nothing of it can be read. */
function readable(path: string): Reading | null {
  try {
    return openForReading(path);
  } catch {
    return null;
  }
}
