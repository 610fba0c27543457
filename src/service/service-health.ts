import { assertNever } from '../base/invariant.ts';
import type { Log } from '../base/log.ts';
import type { HttpReply } from '../net/http-client.ts';
import type { Answer, Trouble } from '../outbox/report-port.ts';
import { HEADERS } from './contract.ts';

/** Why the service cannot be used: no usable answer comes, or the service refuses the key. */
export type LinkReason = Trouble | 'key';

/** `offline` without a reason: no answer came yet. */
export interface LinkView {
  readonly state: 'online' | 'offline';
  readonly reason: LinkReason | null;
}

/**
 * The kind of request that an answer belongs to: a key may be valid for one and not for the other.
 * `feed`: reads whose scope a key may lack (events, invoices), and syncs.
 */
export type Access = 'read' | 'write' | 'feed';

export interface HealthListener {
  /** The state is another one. */
  changed?(view: LinkView): void;
  /** A key that was refused for reads is accepted for one again, changed or not: writes may be tried at once. */
  keyAccepted?(): void;
}

/**
 * Whether the service can be reached, accepts the key and still serves this version, by the last answers. Each part that needs to know asks here.
 * What follows from it is decided elsewhere: the rate of requests by the budget, the retries of a report by its delivery.
 *
 * INVARIANTS:
 * - a key that was refused for writing stays refused until a write succeeds, whatever reads return;
 * - listeners get changes only.
 */
export class ServiceHealth {
  readonly #log: Log;
  readonly #listeners = new Set<HealthListener>();
  readonly #refused = new Set<Access>();
  #view: LinkView = { state: 'offline', reason: null };
  #warnedOfVersion = false;

  constructor(log: Log) {
    this.#log = log;
  }

  get view(): LinkView {
    return this.#view;
  }

  /** The returned function ends it. */
  subscribe(listener: HealthListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The refusals were those of the old key; the next answer shows whether the new one is accepted. */
  keyChanged(): void {
    this.#refused.clear();
  }

  /** Updates the state from an answer; answers of `feed` are ignored. */
  observe(answer: Answer, access: Access): void {
    if (access === 'feed') return;
    const wasRefused = this.#refused.has('read');
    const trouble = this.#learn(answer, access);
    if (wasRefused && !this.#refused.has('read'))
      for (const listener of this.#listeners) listener.keyAccepted?.();
    const reason = trouble ?? (this.#refused.size > 0 ? 'key' : null);
    this.#set({ state: reason === null ? 'online' : 'offline', reason });
  }

  /** The line is probably down: an answer is late, or a bare connection failed. The next answer decides. */
  suspect(trouble: Trouble): void {
    const words = 'no answer, or no connection';
    this.observe({ kind: 'unavailable', trouble, reached: 'unknown', retryAfterMs: null, words }, 'read');
  }

  /** Warns once when the service announces that it will stop serving this version. */
  observeVersion({ headers }: Pick<HttpReply, 'headers'>): void {
    const {
      [HEADERS.deprecation]: deprecation,
      [HEADERS.sunset]: sunset,
      [HEADERS.version]: version,
    } = headers;
    if (this.#warnedOfVersion || (deprecation === undefined && sunset === undefined)) return;
    this.#warnedOfVersion = true;
    this.#log.warn({ version, deprecation, sunset }, 'the service will stop serving this version');
  }

  #learn(answer: Answer, access: Access): LinkReason | null {
    switch (answer.kind) {
      case 'unavailable':
        return answer.trouble;
      case 'unauthorised':
      case 'forbidden':
        this.#refused.add(access);
        return null;
      case 'rate_limited':
        return null;
      case 'applied':
      case 'conflict_in_progress':
      case 'key_mismatch':
      case 'already_exists':
      case 'not_found':
      case 'refused':
        this.#refused.delete(access);
        return null;
      default:
        return assertNever(answer);
    }
  }

  #set(view: LinkView): void {
    if (view.state === this.#view.state && view.reason === this.#view.reason) return;
    this.#view = view;
    if (view.state === 'online') this.#log.info({}, 'service reached');
    else this.#log.warn({ reason: view.reason }, 'service not usable');
    for (const listener of this.#listeners) listener.changed?.(view);
  }
}
