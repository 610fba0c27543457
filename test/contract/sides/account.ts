import type { JsonObject } from '../../../src/integration/connector.ts';
import type { MirrorReader } from '../../../src/integration/views/mirror.ts';
import type { Lifecycle } from '../../../src/runtime/lifecycle.ts';
import { recordOf } from '../../../src/sandbox/service/catalogue.ts';
import type { CatalogueKind } from '../../../src/sandbox/service/settings.ts';
import { openMirror } from '../../../src/store/mirror/mirror-database.ts';
import { SqliteMirrorReader } from '../../../src/store/mirror/sqlite-mirror-reader.ts';
import { mirrorRecords } from '../../support/mirrored.ts';

/** Records of each kind: more than a page holds, fewer than the largest page. */
const EACH = 60;

/** The account that the sandbox service has, and that the local side has mirrored. */
export const ACCOUNT: Readonly<Record<CatalogueKind, number>> = {
  invoices: EACH,
  customers: EACH,
  products: EACH,
  prices: EACH,
  subscriptions: EACH,
  orders: EACH,
  payment_intents: EACH,
  disputes: EACH,
  payouts: EACH,
  mandates: EACH,
  entitlements: EACH,
  transactions: EACH,
};

const KINDS = Object.keys(ACCOUNT).filter((kind): kind is CatalogueKind => Object.hasOwn(ACCOUNT, kind));
/** The names of the lists in the configuration. */
export const MIRRORED: readonly string[] = KINDS.map(listOf);

/** A mirror that has read the whole account at `freshAt`. */
export function accountMirror(path: string, freshAt: number, lifecycle: Lifecycle): MirrorReader {
  const { database } = openMirror(path, '0.1.0', 0);
  lifecycle.started('mirror', () => database.close());
  for (const kind of KINDS) mirrorRecords(database, listOf(kind), recordsOf(kind), freshAt);
  return new SqliteMirrorReader(database);
}

function* recordsOf(kind: CatalogueKind): Generator<JsonObject> {
  for (let index = 0; index < ACCOUNT[kind]; index += 1)
    yield JSON.parse(JSON.stringify(recordOf(kind, index)));
}

function listOf(kind: CatalogueKind): string {
  return kind === 'payment_intents' ? 'payments' : kind;
}
