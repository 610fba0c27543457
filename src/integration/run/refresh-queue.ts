import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { RecordRefresh } from '../sync-runner-port.ts';

/** Beyond this number the oldest finished refreshes are forgotten. */
const MOST_KEPT = 1_000;

/** Requests one record; it is in the store when this resolves. */
export type Refresher = (signal: AbortSignal) => Promise<void>;

/** Refreshes of single records since the start. A second request for a queued record adds no request. */
export class RefreshQueue {
  readonly #clock: Clock;
  readonly #entries = new Map<string, RecordRefresh>();
  readonly #stop = new AbortController();
  #queue: Promise<void> = Promise.resolve();

  constructor({ clock }: { readonly clock: Clock }) {
    this.#clock = clock;
  }

  find(integration: string, externalId: string): RecordRefresh | null {
    return this.#entries.get(keyOf(integration, externalId)) ?? null;
  }

  /** One after the other; never throws. */
  ask(integration: string, externalId: string, refresh: Refresher): void {
    const key = keyOf(integration, externalId);
    if (this.#entries.get(key)?.status === 'queued') return;
    this.#keep(key, {
      externalId,
      status: 'queued',
      requestedAt: this.#clock.now(),
      finishedAt: null,
      error: null,
    });
    this.#queue = this.#queue.then(() => this.#run(key, refresh));
  }

  async stop(reason: Error): Promise<void> {
    this.#stop.abort(reason);
    await this.#queue;
  }

  async #run(key: string, refresh: Refresher): Promise<void> {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#keep(key, { ...entry, status: 'running' });
    const error = await refresh(this.#stop.signal).then(() => null, messageOf);
    this.#keep(key, {
      ...entry,
      status: error === null ? 'succeeded' : 'failed',
      finishedAt: this.#clock.now(),
      error,
    });
  }

  #keep(key: string, entry: RecordRefresh): void {
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    for (const [old, { finishedAt }] of this.#entries) {
      if (this.#entries.size <= MOST_KEPT) return;
      if (finishedAt !== null) this.#entries.delete(old);
    }
  }
}

function keyOf(integration: string, externalId: string): string {
  return `${integration}/${externalId}`;
}
