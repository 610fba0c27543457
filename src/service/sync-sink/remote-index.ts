import { z } from 'zod';
import { sinkError } from '../../integration/failure/sink-error.ts';
import type { ProviderName } from '../../integration/integration.ts';
import { listReply } from '../replies.ts';
import { sinkErrorOf } from '../sync-answer.ts';
import type { SyncLine } from '../sync-line.ts';
import type { RequestQuota } from './request-quota.ts';

/** What the service stores of one imported record. */
export interface StoredRecord {
  readonly id: string;
  readonly customerId: string | null;
  readonly status: string;
  /** Of the sent body. */
  readonly version: string | null;
  /** Time of the source, ms. */
  readonly updatedAt: number | null;
}

const Mark = z.looseObject({
  slot: z.string(),
  external_id: z.string(),
  version: z.string().optional(),
  updated_at: z.number().nullish(),
});
const Record = z.looseObject({
  id: z.string().min(1),
  customer_id: z.string().nullish(),
  status: z.string().nullish(),
  metadata: z.looseObject({ tilld: Mark }),
});
const PAGE_OF_RECORDS = listReply(z.unknown());

/** The origin of a record at the service; null: tilld did not import it. */
export function storedIn(
  provider: ProviderName,
  raw: unknown,
): { readonly externalId: string; readonly stored: StoredRecord } | null {
  const read = Record.safeParse(raw);
  if (!read.success || read.data.metadata.tilld.slot !== provider) return null;
  const { id, customer_id, status, metadata } = read.data;
  const { external_id: externalId, version, updated_at } = metadata.tilld;
  const stored = { id, customerId: customer_id ?? null, status: status ?? '', version: version ?? null };
  return { externalId, stored: { ...stored, updatedAt: updated_at ?? null } };
}

const PAGE = 100;
/** Pages overlap: as many records may leave the list between two of them without a missed one. */
const OVERLAP = 10;
const MOST_STORED = 500_000;

/**
 * The imported records of an integration at the service, by the id at the provider.
 * Why the service's lists and no table of tilld: only the service knows what it accepted. A lost table, or a kill between an answer and the commit,
 * would create a second invoice.
 */
export class RemoteIndex {
  readonly #line: SyncLine;
  readonly #path: string;
  readonly #provider: ProviderName;
  readonly #isOver: (status: string) => boolean;
  #stored = new Map<string, StoredRecord>();
  /** How far the list was read; null: to its end. */
  #offset: number | null = 0;

  constructor(line: SyncLine, path: string, provider: ProviderName, isOver: (status: string) => boolean) {
    this.#line = line;
    this.#path = path;
    this.#provider = provider;
    this.#isOver = isOver;
  }

  /** Reads the list to its end, once; an interrupted read continues where it was. @throws SINK_* */
  async look(quota: RequestQuota, signal: AbortSignal): Promise<void> {
    while (this.#offset !== null) {
      quota.step();
      const query = { limit: String(PAGE), offset: String(this.#offset) };
      const call = { method: 'GET', path: this.#path, query, reads: PAGE_OF_RECORDS } as const;
      const { answer } = await this.#line.ask(call, signal);
      if (answer.kind !== 'applied') throw sinkErrorOf(answer);
      const { items } = answer.value;
      for (const raw of items) this.note(raw);
      this.#offset = items.length < PAGE ? null : this.#offset + PAGE - OVERLAP;
    }
  }

  of(externalId: string): StoredRecord | undefined {
    return this.#stored.get(externalId);
  }

  /** Of two with one external id the valid one is kept. @returns false: tilld did not import it */
  note(raw: unknown): boolean {
    const read = storedIn(this.#provider, raw);
    if (!read) return false;
    const known = this.#stored.get(read.externalId);
    if (known && known.id !== read.stored.id && this.#isOver(read.stored.status)) return true;
    if (!known && this.#stored.size >= MOST_STORED)
      throw sinkError(
        'SINK_REFUSED',
        `the service holds more than ${MOST_STORED} records of this integration`,
      );
    this.#stored.set(read.externalId, read.stored);
    return true;
  }

  change(externalId: string, change: Partial<StoredRecord>): void {
    const known = this.#stored.get(externalId);
    if (known) this.#stored.set(externalId, { ...known, ...change });
  }

  /** The result of the last request is not known: the list is read again. */
  forget(): void {
    this.#stored = new Map();
    this.#offset = 0;
  }
}
