interface Sent {
  readonly path: string;
  /** A connector passes over it within one page of its own. */
  readonly isEmpty: boolean;
}

/** The pages that a source has sent whole, as it knows them: what is asked for again after a kill is told by its own list. */
export class SourceLog {
  #life: Sent[] = [];
  #before: readonly Sent[] = [];
  #isNew = false;

  answered(path: string, isEmpty: boolean): void {
    if (!path.startsWith('/invoices?')) return;
    this.#life.push({ path, isEmpty });
  }

  /** The process died. */
  killed(): void {
    if (this.#life.length === 0) return;
    this.#before = this.#life;
    this.#life = [];
    this.#isNew = true;
  }

  /** How many pages of the life before its death were asked for again; null: nothing was asked for since, or that was told already. */
  repeated(): number | null {
    const first = this.#life[0];
    if (!this.#isNew || first === undefined) return null;
    this.#isNew = false;
    const at = this.#before.findLastIndex(({ path }) => path === first.path);
    return at < 0 ? 0 : this.#before.slice(at).filter(({ isEmpty }) => !isEmpty).length;
  }
}
