import { copyFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { noteRestored } from '../../src/store/epoch/epoch-note.ts';
import { aFolder } from './money-database.ts';
import { Shop, type ShopOptions, textMemory } from './shop.ts';
import { stateFolder } from './state-folder.ts';

const NO_NOTE = { epoch: '', count: 0, hash: '' };

/** An image of a shop's disk at this moment: the database, and the note beside it. Returns the path of the database. */
export function diskImage({ database, databasePath }: Shop): string {
  const [disk, image] = [stateFolder(dirname(databasePath)), stateFolder(aFolder())];
  database.run('VACUUM INTO ?', image.moneyDatabase);
  copyFileSync(disk.epoch, image.epoch);
  return image.moneyDatabase;
}

/** A backup of this moment, put back by `tillctl restore`, which marks the note beside it. Returns the path of the database. */
export function restoredBackup(shop: Shop): string {
  const path = diskImage(shop);
  noteRestored(stateFolder(dirname(path)).epoch, NO_NOTE);
  return path;
}

/**
 * A shop whose database was restored and whose terminals are the same; nothing of it is started.
 * @param earlier happens before the backup: in the database, and at the terminals
 */
export async function aRestoredShop(
  options: ShopOptions = {},
  earlier: (shop: Shop) => void = () => undefined,
): Promise<Shop> {
  const memories = [textMemory(), textMemory()];
  const before = new Shop({ ...options, memories });
  before.terminal.start();
  await before.clock.settle();
  earlier(before);
  const databasePath = restoredBackup(before);
  await before.close();
  return new Shop({ ...options, memories, databasePath });
}
