import type { SinkResult, SinkWrite } from '../../integration/ports.ts';
import type { NotApplied, Refusal } from '../../outbox/report-port.ts';
import { sinkErrorOf, wordsOf } from '../sync-answer.ts';
import type { SyncAnswer, SyncCall, SyncLine } from '../sync-line.ts';
import type { RemoteIndex } from './remote-index.ts';
import type { RequestQuota } from './request-quota.ts';

/** The result of a request for one record. `refused`: the service refuses this record for its contents; any other error is thrown. */
export type ItemResult<T = unknown> =
  | { readonly kind: 'applied'; readonly value: T }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** Sends records to the service item by item, where its interface has no batch. */
export class ItemByItem {
  readonly #line: SyncLine;
  readonly #index: RemoteIndex;
  readonly #known = new WeakMap<SinkWrite, SinkResult>();

  constructor(line: SyncLine, index: RemoteIndex) {
    this.#line = line;
    this.#index = index;
  }

  /** A write with a result is not sent again after an interruption of the batch. */
  async all(
    batch: readonly SinkWrite[],
    send: (write: SinkWrite) => Promise<SinkResult>,
  ): Promise<readonly SinkResult[]> {
    const results: SinkResult[] = [];
    for (const write of batch) {
      const result = this.#known.get(write) ?? (await send(write));
      this.#known.set(write, result);
      results.push(result);
    }
    return results;
  }

  /** @throws SINK_*; after a request with an unknown outcome the list is read again before the next write */
  async ask<T>(call: SyncCall<T>, quota: RequestQuota, signal: AbortSignal): Promise<ItemResult<T>> {
    quota.step();
    const { answer } = await this.#asked(call, signal);
    if (answer.kind === 'applied') return answer;
    const refusal = refusalOf(answer);
    if (refusal) return { kind: 'refused', refusal };
    if (answer.kind !== 'rate_limited') this.#index.forget();
    throw sinkErrorOf(answer);
  }

  async #asked<T>(call: SyncCall<T>, signal: AbortSignal): Promise<SyncAnswer<T>> {
    try {
      return await this.#line.ask(call, signal);
    } catch (error) {
      this.#index.forget();
      throw error;
    }
  }
}

/** Null: the answer is not about this record: the service cannot do this for any record. */
function refusalOf(answer: NotApplied): Refusal | null {
  switch (answer.kind) {
    case 'refused':
    case 'not_found':
    case 'already_exists':
      return NOT_SERVED.includes(answer.refusal.status) ? null : answer.refusal;
    default:
      return null;
  }
}

const NOT_SERVED: readonly number[] = [405, 501];

export function rejected(id: string, refusal: Refusal): SinkResult {
  return { id, outcome: 'rejected', reason: wordsOf(refusal) };
}
