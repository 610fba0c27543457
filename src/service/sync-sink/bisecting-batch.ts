import { sinkError } from '../../integration/failure/sink-error.ts';
import type { SinkResult } from '../../integration/ports.ts';
import type { NotApplied } from '../../outbox/report-port.ts';
import { sinkErrorOf, wordsOf } from '../sync-answer.ts';
import type { PutWrite } from './ports.ts';

/** The result of a request for several records: a result for each, or the answer that accepted none. */
export type Taken = readonly SinkResult[] | NotApplied;

/** With so many records refused one by one, none accepted and none known to be bad: the service refuses tilld, not a record. */
const MANY = 20;
const MOST_REMEMBERED = 10_000;

/**
 * Sends records to the service in one batch. Where it refuses the whole batch for its contents, the batch is bisected until the bad records are
 * alone, so that one record never delays a hundred others. The result of a write is kept as long as the write itself, so that an interrupted batch
 * continues where it was.
 */
export class BisectingBatch {
  readonly #put: (writes: readonly PutWrite[], signal: AbortSignal) => Promise<Taken>;
  readonly #known = new WeakMap<PutWrite, SinkResult>();
  /** Writes that were refused alone. */
  readonly #alone = new WeakSet<PutWrite>();
  /** Ids that were refused alone before: they come again by themselves, and together they prove nothing. */
  readonly #before = new Set<string>();

  constructor(put: (writes: readonly PutWrite[], signal: AbortSignal) => Promise<Taken>) {
    this.#put = put;
  }

  /** @throws SINK_REFUSED where not one of many is accepted; SINK_* for an error that no record caused */
  async write(writes: readonly PutWrite[], signal: AbortSignal): Promise<ReadonlyMap<string, SinkResult>> {
    await this.#settle(
      writes.filter((one) => !this.#known.has(one)),
      signal,
    );
    const results = writes.flatMap((one) => this.#known.get(one) ?? []);
    const alone = writes.filter((one) => this.#alone.has(one)).map(({ id }) => id);
    const areAllNew = alone.length === writes.length && alone.every((id) => !this.#before.has(id));
    this.#remember(alone);
    if (areAllNew && alone.length >= MANY)
      throw sinkError(
        'SINK_REFUSED',
        `the service takes none of ${alone.length} records: ${results[0]?.reason}`,
      );
    return new Map(results.map((one) => [one.id, one]));
  }

  async #settle(writes: readonly PutWrite[], signal: AbortSignal): Promise<void> {
    const [first] = writes;
    if (!first) return;
    const taken = await this.#put(writes, signal);
    if (!('kind' in taken)) return this.#keep(writes, taken);
    if (taken.kind !== 'refused' || !OF_RECORDS.includes(taken.refusal.status)) throw sinkErrorOf(taken);
    if (writes.length === 1) {
      this.#alone.add(first);
      return this.#keep(writes, [{ id: first.id, outcome: 'rejected', reason: wordsOf(taken.refusal) }]);
    }
    const middle = Math.ceil(writes.length / 2);
    await this.#settle(writes.slice(0, middle), signal);
    await this.#settle(writes.slice(middle), signal);
  }

  #keep(writes: readonly PutWrite[], results: readonly SinkResult[]): void {
    const byId = new Map(results.map((one) => [one.id, one]));
    for (const write of writes) {
      const result = byId.get(write.id);
      if (result) this.#known.set(write, result);
    }
  }

  #remember(ids: readonly string[]): void {
    if (this.#before.size > MOST_REMEMBERED) this.#before.clear();
    for (const id of ids) this.#before.add(id);
  }
}

/** Statuses of a refusal for contents or size. */
const OF_RECORDS: readonly number[] = [400, 413, 422];
