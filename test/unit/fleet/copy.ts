import { join } from 'node:path';
import { OldShop } from '../../support/archive.ts';
import { aFolder } from '../../support/money-database.ts';

/** The books of a shop as someone copied its folder. */
export function copyOfDatabase(books: OldShop): OldShop {
  const folder = aFolder();
  books.money.run(`VACUUM INTO '${join(folder, 'money.db')}'`);
  return new OldShop(folder);
}
