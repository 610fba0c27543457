/** A page that a source has sent whole. */
export interface SentPage {
  readonly path: string;
  /** A connector passes over it within one page of its own. */
  readonly isEmpty: boolean;
  /** The list ends with it. */
  readonly isLast: boolean;
}

/**
 * The pages that a source has sent whole, as it knows them: what is asked for again after a kill is told by its own list, and by what the
 * store had counted of it. A pass that begins anew asks for the pages of the one before it: that is no repetition.
 */
export class SourceLog {
  #life: SentPage[] = [];
  #before: readonly SentPage[] = [];
  #lost = 0;
  #isNew = false;

  answered(page: SentPage): void {
    if (!page.path.startsWith('/invoices?')) return;
    this.#life.push(page);
  }

  /** The process died; `committed`: how many pages of its life the store has counted; null: a run failed in between, and the count tells nothing. */
  killed(committed: number | null): void {
    if (this.#life.length === 0) return;
    this.#lost = committed === null ? 0 : Math.max(0, this.#life.filter(isPage).length - committed);
    this.#before = this.#life;
    this.#life = [];
    this.#isNew = true;
  }

  /** How many pages of the life before its death were asked for again; null: nothing was asked for since, or that was told already. */
  repeated(): number | null {
    const first = this.#life[0];
    if (!this.#isNew || first === undefined) return null;
    this.#isNew = false;
    const ofThisPass = passUnderWay(this.#before);
    const at = ofThisPass.findLastIndex(({ path }) => path === first.path);
    const askedAgain = at < 0 ? 0 : ofThisPass.slice(at).filter(isPage).length;
    return Math.max(askedAgain, this.#lost);
  }
}

/** What a connector makes a page of. */
function isPage({ isEmpty, isLast }: SentPage): boolean {
  return !isEmpty || isLast;
}

/** The pages since a list was last read to its end; where that was the very last page sent, it may not have been kept: it alone. */
function passUnderWay(pages: readonly SentPage[]): readonly SentPage[] {
  return pages
    .slice(pages.slice(0, -1).findLastIndex(({ isLast }) => isLast) + 1)
    .slice(-(pages.at(-1)?.isLast ? 1 : pages.length));
}
