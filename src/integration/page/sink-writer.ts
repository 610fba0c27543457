import { MOST_BATCH, type Sink, type SinkResult, type SinkWrite } from '../ports.ts';

/** Sends writes to a sink in batches; a local sink gets none, the commit is the write. */
export class SinkWriter {
  readonly #sink: Sink;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  get keepsBodies(): boolean {
    return this.#sink.kind === 'local';
  }

  /** The batches for a remote sink, {@link MOST_BATCH} writes each; none for a local one. */
  batchesOf(writes: readonly SinkWrite[]): readonly (readonly SinkWrite[])[] {
    if (this.#sink.kind === 'local') return [];
    const count = Math.ceil(writes.length / MOST_BATCH);
    return Array.from({ length: count }, (_, at) => writes.slice(at * MOST_BATCH, (at + 1) * MOST_BATCH));
  }

  /** @returns why the sink refused a record, by its id; a stale record is not refused. @throws SINK_* */
  async write(writes: readonly SinkWrite[], signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const refused = new Map<string, string>();
    if (this.#sink.kind === 'local') return refused;
    for (const batch of this.batchesOf(writes)) {
      const results = await this.#sink.write(batch, signal);
      for (const { id, reason } of results.filter(isRefused))
        refused.set(id, reason ?? 'refused without a word');
    }
    return refused;
  }

  async remove(ids: readonly string[], signal: AbortSignal): Promise<void> {
    await this.write(
      ids.map((id) => ({ op: 'remove', id })),
      signal,
    );
  }
}

function isRefused({ outcome }: SinkResult): boolean {
  return outcome === 'rejected';
}
