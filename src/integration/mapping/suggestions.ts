import type { KnownProduct, UnmappedPackage } from '../integrations-api.ts';

/** Why a product is suggested, the surest first. */
export type SuggestedBy = 'code' | 'name';

export interface Suggestion {
  readonly product: KnownProduct;
  readonly by: SuggestedBy;
  /** 0 to 1; 1: the same but for case, blanks and signs. */
  readonly likeness: number;
}

/** The edit distance of two texts, in letters. */
export type Distance = (one: string, other: string) => number;

const MOST = 3;
const LONGEST = 64;
/** Equal codes differ by a sign or a prefix at most. */
const LEAST = { code: 0.85, name: 0.6 } as const;

/** The most similar products for a package, at most three; none where none is similar. */
export function suggestionsFor(
  { externalId, name, codes }: UnmappedPackage,
  products: readonly KnownProduct[],
  distance: Distance,
): readonly Suggestion[] {
  const all = [externalId, ...codes].map(folded);
  const words = folded(name ?? '');
  return products
    .flatMap((product) => best(product, all, words, distance))
    .toSorted(byLikeness)
    .slice(0, MOST);
}

function best(
  product: KnownProduct,
  codes: readonly string[],
  name: string,
  distance: Distance,
): Suggestion[] {
  const byCode = Math.max(
    0,
    ...product.codes
      .map(folded)
      .flatMap((one) => codes.map((code) => likeness(code, one, distance, LEAST.code))),
  );
  if (byCode >= LEAST.code) return [{ product, by: 'code', likeness: byCode }];
  const byName = likeness(name, folded(product.name ?? ''), distance, LEAST.name);
  return byName >= LEAST.name ? [{ product, by: 'name', likeness: byName }] : [];
}

/** 0 where the lengths alone rule out `least`: a search of 2,000 products must be fast. */
function likeness(one: string, other: string, distance: Distance, least: number): number {
  const longer = Math.max(one.length, other.length);
  if (one === '' || other === '' || Math.abs(one.length - other.length) > longer * (1 - least)) return 0;
  return 1 - distance(one, other) / longer;
}

/** Small letters and digits alone: `Hair-Cut  (short)` and `haircut short` are the same. */
function folded(text: string): string {
  return text
    .slice(0, 4 * LONGEST)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    .slice(0, LONGEST);
}

/** Codes before names, and a fixed order where two are equally similar. */
function byLikeness(one: Suggestion, other: Suggestion): number {
  if (one.by !== other.by) return one.by === 'code' ? -1 : 1;
  return other.likeness - one.likeness || (one.product.id < other.product.id ? -1 : 1);
}
