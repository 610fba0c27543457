import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import { z } from 'zod';
import type { ChainEnd } from './journal-chain.ts';

/** `restored`: an older or another database replaced this one; rows that were anchored beyond it are not in it. */
const Line = z.object({
  on: z.iso.date(),
  count: z.int().min(0),
  hash: z.string().length(64),
  restored: z.literal(true).optional(),
  /** With `restored`: up to which row the earlier anchors are of the same journal; absent: up to its end. */
  same_until: z.int().min(0).optional(),
});

/** The end of the journal's chain on one day (UTC date). */
export type Anchor = z.infer<typeof Line>;

/**
 * Anchors of the journal in a file beside the database, one JSON line each. They detect a change or a restore of the database that leaves this file
 * untouched. A copy of the file on another machine proves more.
 */
export class JournalAnchors {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * Every valid anchor, oldest first: of those before a restore only the ones that the restored database reached. A half-written last line is left
   * out.
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
   * Records that the database was replaced, and how far the present one has come. It may be a copy of an older branch: an anchor that is not of its
   * journal is invalid, and so is every one after it.
   */
  restored(end: ChainEnd, on: string, isOfIt: (anchor: Anchor) => boolean): void {
    const earlier = this.read();
    const strange = earlier.findIndex((anchor) => anchor.count > 0 && !isOfIt(anchor));
    const same = strange === -1 ? earlier : earlier.slice(0, strange);
    this.#append({ on, ...end, restored: true, same_until: same.at(-1)?.count ?? 0 });
  }

  /** Adds today's anchor, unless the newest one is of today or has the same content. */
  add(end: ChainEnd, on: string): void {
    const newest = this.read().at(-1);
    if (end.count === 0 || newest?.on === on || newest?.count === end.count) return;
    this.#append({ on, ...end });
  }

  /** The lines that are no anchor, counted from 1; `cutShort`: only the last line is incomplete, as a power cut leaves it. */
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

  /** First removes a last line that a power cut left incomplete: after it the new line could not be read. */
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
