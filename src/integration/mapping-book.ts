import type { Mapping } from './slot.ts';

/**
 * The mappings of a slot by external id, read anew for each page.
 * Why not once per run: a mapping that a person makes must count for the next page. Why not per record: a page has hundreds, and so may a slot
 * have thousands of mappings.
 */
export class MappingBook {
  readonly #read: () => readonly Mapping[];
  #known: ReadonlyMap<string, Mapping> | null = null;

  constructor(read: () => readonly Mapping[]) {
    this.#read = read;
  }

  readonly of = (externalId: string): Mapping | undefined => {
    if (this.#known === null) this.#open();
    return this.#known?.get(externalId);
  };

  /** A page is mapped without a wait in between; after that nothing is known any more. */
  #open(): void {
    this.#known = new Map(this.#read().map((mapping) => [mapping.externalId, mapping]));
    void Promise.resolve().then(() => {
      this.#known = null;
    });
  }
}
