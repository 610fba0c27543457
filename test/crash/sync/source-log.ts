/** The pages that a source has sent whole, as it knows them: what is asked for again after a kill is told by its own list. */
export class SourceLog {
  #life: string[] = [];
  #before: readonly string[] = [];
  #isNew = false;

  answered(path: string): void {
    if (!path.startsWith('/invoices?')) return;
    this.#life.push(path);
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
    const at = this.#before.lastIndexOf(first);
    return at < 0 ? 0 : this.#before.length - at;
  }
}
