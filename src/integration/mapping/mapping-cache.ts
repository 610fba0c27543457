import type { Mapping } from '../integration.ts';

/**
 * The mappings of an integration by external id, read again for each page.
 * Why not once per run: a new mapping must count for the next page. Why not per record: a page has hundreds of records, and an integration may have
 * thousands of mappings.
 */
export class MappingCache {
  readonly #read: () => readonly Mapping[];
  #known: ReadonlyMap<string, Mapping> | null = null;

  constructor(read: () => readonly Mapping[]) {
    this.#read = read;
  }

  readonly of = (externalId: string): Mapping | undefined => {
    if (this.#known === null) this.#open();
    return this.#known?.get(externalId);
  };

  /** A page is mapped without an await; the cache is dropped right after it. */
  #open(): void {
    this.#known = new Map(this.#read().map((mapping) => [mapping.externalId, mapping]));
    void Promise.resolve().then(() => {
      this.#known = null;
    });
  }
}
