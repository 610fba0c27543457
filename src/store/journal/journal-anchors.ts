import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import { z } from 'zod';
import type { ChainEnd } from './journal-chain.ts';

/** `restored`: the database was replaced here by an older or another one; what was anchored beyond is not in it. */
const Line = z.object({
  on: z.iso.date(),
  count: z.int().min(0),
  hash: z.string().length(64),
  restored: z.literal(true).optional(),
  /** With `restored`: how far the earlier anchors are of the same journal; absent: as far as it goes. */
  same_until: z.int().min(0).optional(),
});

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

  /**
   * Every anchor that still counts, oldest first: of those before a restored database only what it reached. A half-written last line is
   * left out.
   */
  read(): readonly Anchor[] {
    let counting: Anchor[] = [];
    for (const anchor of this.#lines()) {
      if (anchor.restored)
        counting = counting.filter(({ count }) => count <= (anchor.same_until ?? anchor.count));
      counting.push(anchor);
    }
    return counting;
  }

  /**
   * Notes that the database was replaced, and how far the one that is here now has come. It may be a copy of an older branch: an anchor
   * that is not of its journal counts no more, nor any after it.
   */
  restored(end: ChainEnd, on: string, isOfIt: (anchor: Anchor) => boolean): void {
    const earlier = this.read();
    const strange = earlier.findIndex((anchor) => anchor.count > 0 && !isOfIt(anchor));
    const same = strange === -1 ? earlier : earlier.slice(0, strange);
    this.#append({ on, ...end, restored: true, same_until: same.at(-1)?.count ?? 0 });
  }

  /** Adds today's anchor, unless the newest one is of today or says the same. */
  add(end: ChainEnd, on: string): void {
    const newest = this.read().at(-1);
    if (end.count === 0 || newest?.on === on || newest?.count === end.count) return;
    this.#append({ on, ...end });
  }

  /** The lines that are no anchor, counted from 1; `cutShort`: only that the last one ends in the middle, as a power cut leaves it. */
  damage(): { readonly lines: readonly number[]; readonly cutShort: boolean } {
    const texts = this.#texts();
    const last = texts.length;
    const lines = texts.flatMap((text, index) =>
      text === '' || anchorOf(text).length > 0 ? [] : [index + 1],
    );
    return { lines: lines.filter((line) => line !== last), cutShort: lines.includes(last) };
  }

  #lines(): readonly Anchor[] {
    return this.#texts().flatMap(anchorOf);
  }

  #texts(): readonly string[] {
    return existsSync(this.#path) ? readFileSync(this.#path, 'utf8').split('\n') : [];
  }

  /** A last line that a power cut has left half is taken away first: behind it this one could not be read. */
  #append(anchor: Anchor): void {
    const rest = this.#texts().at(-1) ?? '';
    const isHalf = rest !== '' && anchorOf(rest).length === 0;
    if (isHalf) truncateSync(this.#path, readFileSync(this.#path).lastIndexOf('\n') + 1);
    const begin = rest !== '' && !isHalf ? '\n' : '';
    appendFileSync(this.#path, `${begin}${JSON.stringify(anchor)}\n`, { flush: true, mode: 0o640 });
  }
}

function anchorOf(line: string): Anchor[] {
  try {
    return [Line.parse(JSON.parse(line))];
  } catch {
    return [];
  }
}
