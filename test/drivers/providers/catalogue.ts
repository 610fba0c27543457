import { BOOKS } from './documented-books.ts';
import { SHOPS } from './documented-shops.ts';

/** A source for each recipe that is proven against no real one. */
export const CATALOGUE = [...SHOPS, ...BOOKS];
