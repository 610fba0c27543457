import { z } from 'zod';
import type { ProviderName } from '../../integration/integration.ts';
import type { SinkResult, SinkWrite } from '../../integration/ports.ts';
import { type MappingEntry, mappingsPath, type ServiceIntegrations } from '../integrations.ts';
import { sinkErrorOf } from '../sync-answer.ts';
import { BisectingBatch, type Taken } from './bisecting-batch.ts';
import { isPut, isRemove, type PlannedRequests, type PutWrite, type ResourceSink } from './ports.ts';

/** The mapper's result. */
const Body = z.object({ internalId: z.string().nullable(), metadata: z.record(z.string(), z.string()) });

/**
 * Products through the integration's mappings (`import_only`: the merchant's own catalogue is never written).
 *
 * INVARIANTS:
 * - a person's decision at the service (mapped, ignored, a price) is never changed, and its entry never removed;
 * - nothing is sent where nothing would change, so a repeat after a kill changes nothing.
 * Limit: the set is replaced as a whole and the interface has no version of it: a change at the service between tilld's read and its write, two
 * requests one after the other, is lost.
 */
export class ProductSink implements ResourceSink {
  readonly #provider: ProviderName;
  readonly #service: ServiceIntegrations;
  readonly #batches: BisectingBatch;

  constructor(service: ServiceIntegrations, provider: ProviderName) {
    this.#provider = provider;
    this.#service = service;
    this.#batches = new BisectingBatch((writes, signal) => this.#put(writes, signal));
  }

  async write(batch: readonly SinkWrite[], signal: AbortSignal): Promise<readonly SinkResult[]> {
    const results = await this.#batches.write(batch.filter(isPut), signal);
    const removed = batch.filter(isRemove).map(({ id }) => id);
    if (removed.length > 0) await this.#remove(new Set(removed), signal);
    return batch.map(({ id }) => results.get(id) ?? { id, outcome: 'removed' });
  }

  requestsOf(writes: readonly SinkWrite[]): readonly PlannedRequests[] {
    const path = mappingsPath(this.#provider);
    const [puts, removes] = [writes.filter(isPut).length, writes.filter(isRemove).length];
    const batches = Math.ceil(puts / 100);
    return [
      { method: 'GET', path, count: batches + Math.ceil(removes / 100) },
      { method: 'PUT', path, count: batches },
      { method: 'DELETE', path: `${path}/{externalId}`, count: removes },
    ].filter(({ count }) => count > 0);
  }

  async #put(writes: readonly PutWrite[], signal: AbortSignal): Promise<Taken> {
    const entries = await this.#service.mappings(this.#provider, signal);
    if ('kind' in entries) return entries;
    const known = new Map(entries.map((entry) => [entry.externalId, entry]));
    const wanted = new Map(writes.map((write) => [write.id, merged(known.get(write.id), write)]));
    const results = writes.map(
      ({ id }): SinkResult => ({ id, outcome: known.has(id) ? 'updated' : 'created' }),
    );
    if ([...wanted].every(([id, entry]) => isSame(entry, known.get(id)))) return results;
    const all = [...entries.map((entry) => wanted.get(entry.externalId) ?? entry)];
    const added = [...wanted.values()].filter(({ externalId }) => !known.has(externalId));
    const answer = await this.#service.replaceMappings(this.#provider, [...all, ...added].map(sent), signal);
    return answer.kind === 'applied' ? results : answer;
  }

  /** Removes entries without a decision; the others stay. */
  async #remove(ids: ReadonlySet<string>, signal: AbortSignal): Promise<void> {
    const entries = await this.#service.mappings(this.#provider, signal);
    if ('kind' in entries) throw sinkErrorOf(entries);
    for (const { externalId } of entries.filter((entry) => ids.has(entry.externalId) && isOpen(entry))) {
      const answer = await this.#service.removeMapping(this.#provider, externalId, signal);
      if (answer.kind !== 'applied' && answer.kind !== 'not_found') throw sinkErrorOf(answer);
    }
  }
}

function isOpen({ internalId, ignored, priceOverride }: MappingEntry): boolean {
  return (internalId ?? null) === null && ignored !== true && (priceOverride ?? null) === null;
}

/** Fills undecided entries, updates names, and leaves the rest as it is. */
function merged(known: MappingEntry | undefined, { id, body }: PutWrite): MappingEntry {
  const { internalId, metadata } = Body.parse(body);
  if (!known) return { externalId: id, internalId, ignored: false, metadata, priceOverride: null };
  return {
    ...known,
    internalId: isOpen(known) ? internalId : (known.internalId ?? null),
    metadata: { ...known.metadata, ...metadata },
  };
}

function isSame(wanted: MappingEntry, known: MappingEntry | undefined): boolean {
  if (!known || (wanted.internalId ?? null) !== (known.internalId ?? null)) return false;
  return Object.entries(wanted.metadata ?? {}).every(([name, value]) => known.metadata?.[name] === value);
}

/** The fields of an entry that the interface names, and no others. */
function sent({ externalId, internalId, ignored, metadata, priceOverride }: MappingEntry): MappingEntry {
  return {
    externalId,
    internalId: internalId ?? null,
    ignored: ignored ?? false,
    metadata: metadata ?? {},
    ...(priceOverride === null || priceOverride === undefined ? {} : { priceOverride }),
  };
}
