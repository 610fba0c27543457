import { onTestFinished } from 'vitest';
import type { JsonObject } from '../../../src/integration/connector.ts';
import type { InvoiceHere } from '../../../src/payment/payments.ts';
import type { Database } from '../../../src/store/database.ts';
import { SqliteMirrorReader } from '../../../src/store/mirror/sqlite-mirror-reader.ts';
import { mirrorRecords } from '../../support/mirrored.ts';
import { aMirror } from '../../support/sync.ts';
import type { MemoryPayments } from './memory-payments.ts';
import { type Answer, type Ask, ask, openShop, startShop } from './shop.ts';

export interface MirroredShop {
  readonly get: (path: string, more?: Omit<Ask, 'path'>) => Promise<Answer>;
  readonly mirror: Database;
  /** The unix socket. */
  readonly socket: string;
  readonly payments: MemoryPayments;
}

/** A shop whose mirror holds these records of these lists, and no others. */
export async function shopWithMirror(
  lists: Readonly<Record<string, readonly JsonObject[]>>,
  here: readonly [string, InvoiceHere][] = [],
  now?: number,
): Promise<MirroredShop> {
  const database = aMirror();
  for (const [name, records] of Object.entries(lists)) mirrorRecords(database, name, records);
  const shop = openShop();
  for (const [id, known] of here) shop.payments.invoices.set(id, known);
  const { clock } = shop.deps;
  const deps = {
    ...shop.deps,
    mirror: new SqliteMirrorReader(database),
    mirrorLists: Object.keys(lists),
    clock: now === undefined ? clock : { ...clock, now: () => now, monotonic: () => clock.monotonic() },
  };
  const { api, socketPath } = await startShop({}, { ...shop, deps });
  onTestFinished(() => api.stop());
  const get = (path: string, more: Omit<Ask, 'path'> = {}) => ask(api.url, { path, ...more });
  return { get, mirror: database, socket: socketPath, payments: shop.payments };
}
