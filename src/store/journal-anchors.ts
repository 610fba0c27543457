import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import type { ChainEnd } from './journal-chain.ts';

const Line = z.object({ on: z.iso.date(), count: z.int().min(0), hash: z.string().length(64) });

/** An end of the journal's chain as it was on one day (UTC date). */
export type Anchor = z.infer<typeof Line>;

/**
 * Anchors of the journal in a file beside the database, one JSON line each: who changes the database and forgets the file,
 * or restores an older one, is found out. Copy the file to another machine and it proves more.
 */
export class JournalAnchors {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Every anchor that can be read, oldest first; a half-written last line is left out. */
  read(): readonly Anchor[] {
    if (!existsSync(this.#path)) return [];
    return readFileSync(this.#path, 'utf8').split('\n').flatMap(anchorOf);
  }

  /** Adds today's anchor, unless the newest one is of today or says the same. */
  add(end: ChainEnd, on: string): void {
    const newest = this.read().at(-1);
    if (end.count === 0 || newest?.on === on || newest?.count === end.count) return;
    appendFileSync(this.#path, `${JSON.stringify({ on, ...end } satisfies Anchor)}\n`, {
      flush: true,
      mode: 0o640,
    });
  }
}

function anchorOf(line: string): Anchor[] {
  try {
    return [Line.parse(JSON.parse(line))];
  } catch {
    return [];
  }
}
