import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemIds } from '../../../src/runtime/system-ids.ts';
import { noteLastBackup } from '../../../src/store/backup/last-backup.ts';
import { checkEpoch, noteEpoch } from '../../../src/store/epoch/epoch.ts';
import { JournalAnchors } from '../../../src/store/journal/journal-anchors.ts';
import { chainEnd } from '../../../src/store/journal/journal-chain.ts';
import { aFolder } from '../../support/money-database.ts';
import { Shop } from '../../support/shop.ts';

/** The files that a stopped daemon leaves behind. */
export interface StateFiles {
  /** The state folder. */
  readonly folder: string;
  readonly database: string;
  readonly epoch: string;
  readonly anchors: string;
}

/** The state folder of a shop that really took and refused money, reported it, and was stopped in good order. */
export async function stateFilesOf(deeds: (shop: Shop) => Promise<void>): Promise<StateFiles> {
  const shop = await Shop.open();
  const books = stateFilesIn(dirname(shop.databasePath));
  checkEpoch(shop.database, books.epoch, systemIds.uuid(), shop.clock.now());
  await deeds(shop);
  shop.database.run("UPDATE outbox SET state = 'done', done_at = created_at");
  new JournalAnchors(books.anchors).add(chainEnd(shop.database), '2026-11-20');
  noteEpoch(shop.database, books.epoch);
  shop.database.get('PRAGMA wal_checkpoint(TRUNCATE)');
  return copyOf(books);
}

/** A day with sales and a refusal: 35 rows in the journal. */
export async function aDay(shop: Shop): Promise<void> {
  const euros = (minor: number) => ({ amount: { minor, currency: 'EUR' as const } });
  for (const minor of [100, 250, 999, 12_00]) await shop.settle(shop.sell(euros(minor)).id);
  shop.terminal.press('decline');
  await shop.settle(shop.sell(euros(77)).id);
  await shop.settle(shop.sell(euros(78)).id);
  await shop.settle(shop.sell({ ...euros(4200), reference: 'table 7, café' }).id);
}

/** The same books somewhere else, as good as new, and backed up a moment ago. */
export function copyOf(books: StateFiles, to = join(aFolder(), 'state')): StateFiles {
  const copy = stateFilesIn(to);
  mkdirSync(copy.folder, { mode: 0o700 });
  for (const name of ['database', 'epoch', 'anchors'] as const)
    if (existsSync(books[name])) copyFileSync(books[name], copy[name]);
  noteLastBackup(join(copy.folder, 'last-backup'), {
    at: Date.now(),
    file: '/mnt/other-disk/tilld.db',
    sha256: 'f00',
  });
  return copy;
}

function stateFilesIn(folder: string): StateFiles {
  return {
    folder,
    database: join(folder, 'money.db'),
    epoch: join(folder, 'epoch'),
    anchors: join(folder, 'journal-anchors'),
  };
}
