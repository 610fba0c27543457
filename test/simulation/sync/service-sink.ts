import { AppError } from '../../../src/base/errors.ts';
import type { JsonObject } from '../../../src/integration/connector.ts';
import type { Sink, SinkResult, SinkWrite } from '../../../src/integration/ports.ts';
import type { Random } from '../random.ts';

/** The service as an import meets it: it keeps the newest, by the time of the source. */
export class ServiceSink {
  readonly rows = new Map<string, { readonly updatedAt: number | null; readonly body: JsonObject }>();
  /** Chance that it does not answer, although it may have written. */
  unreliable = 0;
  /** Chance that it refuses a record, this once. */
  picky = 0;
  readonly #random: Random;
  readonly #onRemoved: (id: string) => void;

  constructor(random: Random, onRemoved: (id: string) => void) {
    this.#random = random;
    this.#onRemoved = onRemoved;
  }

  get sink(): Sink {
    return { kind: 'remote', write: async (batch) => this.#write(batch) };
  }

  #write(batch: readonly SinkWrite[]): readonly SinkResult[] {
    if (batch.length > 100) throw new AppError('SINK_REFUSED', 'more than 100 at once');
    if (this.#random.chance(this.unreliable / 2)) throw new AppError('SINK_UNAVAILABLE', 'no answer');
    const results = batch.map((one) => this.#take(one));
    if (this.#random.chance(this.unreliable / 2))
      throw new AppError('SINK_UNAVAILABLE', 'the answer was cut');
    return results;
  }

  #take(write: SinkWrite): SinkResult {
    const { id } = write;
    if (write.op === 'remove') {
      this.#onRemoved(id);
      this.rows.delete(id);
      return { id, outcome: 'removed' };
    }
    if (this.#random.chance(this.picky)) return { id, outcome: 'rejected', reason: 'not today' };
    const known = this.rows.get(id);
    if (known && known.updatedAt !== null && write.updatedAt !== null && write.updatedAt < known.updatedAt)
      return { id, outcome: 'stale' };
    this.rows.set(id, { updatedAt: write.updatedAt, body: write.body });
    return { id, outcome: known ? 'updated' : 'created' };
  }
}
