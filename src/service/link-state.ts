import { assertNever } from '../base/invariant.ts';
import type { Log } from '../base/log.ts';
import type { Answer, Trouble } from '../outbox/report-port.ts';

/** Why the service cannot be used: no usable answer comes, or the service refuses the key. */
export type LinkReason = Trouble | 'key';

/** `off`: no service is configured. `offline` without a reason: nothing was heard yet. */
export interface LinkView {
  readonly state: 'online' | 'offline' | 'off';
  readonly reason: LinkReason | null;
}

/**
 * What kind of request an answer belongs to: a key may be good for one and not for the other.
 * `feed`: the events, which need a scope that a key may well lack.
 */
export type Access = 'read' | 'write' | 'feed';

/**
 * Whether the service can be reached and takes our key, as the last answers showed it.
 *
 * INVARIANTS:
 * - a key that was refused for writing stays refused until a write is taken, whatever reads say;
 * - listeners hear changes only.
 */
export class LinkState {
  readonly #log: Log;
  readonly #listeners = new Set<(view: LinkView) => void>();
  #keyTaken: () => void = () => undefined;
  readonly #refused = new Set<Access>();
  #view: LinkView;

  constructor(log: Log, configured = true) {
    this.#log = log;
    this.#view = { state: configured ? 'offline' : 'off', reason: null };
  }

  get view(): LinkView {
    return this.#view;
  }

  /** Called after each change; the returned function ends it. */
  subscribe(listener: (view: LinkView) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls back when a key that reads were refused for is taken for one again, changed or not: writes may be tried at once. */
  onKeyTaken(listener: () => void): void {
    this.#keyTaken = listener;
  }

  /** What was refused was the key before; whether the new one is taken, the next answer shows. */
  keyChanged(): void {
    this.#refused.clear();
  }

  /** Learns from an answer; the feed's troubles are its own. */
  observe(answer: Answer, access: Access): void {
    if (access === 'feed') return;
    const wasRefused = this.#refused.has('read');
    const trouble = this.#learn(answer, access);
    if (wasRefused && !this.#refused.has('read')) this.#keyTaken();
    const reason = trouble ?? (this.#refused.size > 0 ? 'key' : null);
    this.#set({ state: reason === null ? 'online' : 'offline', reason });
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
    if (this.#view.state === 'off') return;
    if (view.state === this.#view.state && view.reason === this.#view.reason) return;
    this.#view = view;
    if (view.state === 'online') this.#log.info({}, 'service reached');
    else this.#log.warn({ reason: view.reason }, 'service not usable');
    for (const listener of this.#listeners) listener(view);
  }
}
