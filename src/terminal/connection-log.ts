import type { Reach } from './supervisor.ts';

/** `not_connected`: also a terminal that answers and needs a person first, such as one that is locked. */
export type ConnectionState = 'connected' | 'not_connected' | 'wrong_terminal';

/** A span of time in which the connection of a terminal did not change; epoch ms. Between two spans tilld did not run. */
export interface ConnectionSpan {
  readonly state: ConnectionState;
  readonly since: number;
  /** null: it lasts. */
  readonly until: number | null;
  /** Why the terminal was not reached; null while it was connected. */
  readonly reason: string | null;
}

/** The store of the spans; synchronous like every store. @throws STORAGE_FULL, STORAGE_FAILED; then nothing is written */
export interface ConnectionStore {
  /** Adds a span behind those of the device, the oldest of which may be deleted. Returns its number. */
  add(deviceId: string, span: ConnectionSpan): number;
  /** The span with this number lasts until then, at least. */
  extend(seq: number, until: number): void;
  /** Those that reach into the time since `from`, newest first. */
  spans(deviceId: string, from: number): readonly ConnectionSpan[];
}

export interface ConnectionLogDeps {
  readonly store: ConnectionStore;
  readonly deviceIds: readonly string[];
  readonly now: () => number;
}

const NOT_YET: Reach = { kind: 'down', reason: 'connecting for the first time' };

/**
 * Records when a terminal was connected and when it was not. A change is written at once, and `keep` notes from time to time that nothing has
 * changed: after a crash the span ends at the last such note, and the rest counts as unknown.
 */
export class ConnectionLog {
  readonly #deps: ConnectionLogDeps;
  readonly #startedAt: number;
  /** The number of the newest span of each device, which lasts. */
  readonly #open = new Map<string, number>();

  constructor(deps: ConnectionLogDeps) {
    this.#deps = deps;
    this.#startedAt = deps.now();
  }

  /** The connection of this device's terminal has changed. */
  changed(deviceId: string, reach: Reach): void {
    const open = this.#open.get(deviceId);
    if (open !== undefined) this.#deps.store.extend(open, this.#deps.now());
    this.#begin(deviceId, reach, this.#deps.now());
  }

  /** Every terminal is still as it was. One that has not been connected since the start is recorded from the start on. */
  keep(): void {
    const { store, deviceIds, now } = this.#deps;
    for (const deviceId of deviceIds) {
      const open = this.#open.get(deviceId) ?? this.#begin(deviceId, NOT_YET, this.#startedAt);
      store.extend(open, now());
    }
  }

  /** The spans since `from`, newest first. */
  spans(deviceId: string, from: number): readonly ConnectionSpan[] {
    const isOpen = this.#open.has(deviceId);
    const spans = this.#deps.store.spans(deviceId, isOpen ? 0 : from);
    return spans
      .map((span, index) => (isOpen && index === 0 ? { ...span, until: null } : span))
      .filter(({ until }) => until === null || until >= from);
  }

  /** Returns the number of the new span. */
  #begin(deviceId: string, reach: Reach, since: number): number {
    const reason = reach.kind === 'up' ? null : reach.reason;
    const span = { state: STATES[reach.kind], since, until: since, reason };
    const seq = this.#deps.store.add(deviceId, span);
    this.#open.set(deviceId, seq);
    return seq;
  }
}

const STATES = { up: 'connected', down: 'not_connected', wrong_terminal: 'wrong_terminal' } as const;

/** How long a terminal was connected, and of how long that is known; ms. */
export interface Uptime {
  readonly connectedMs: number;
  readonly knownMs: number;
}

/** The uptime between two moments. Spans that overlap, because a clock was set, count once: each ends where the next one begins. */
export function uptimeOf(newestFirst: readonly ConnectionSpan[], from: number, to: number): Uptime {
  let [connectedMs, knownMs] = [0, 0];
  let before = to;
  for (const { state, since, until } of newestFirst) {
    const ms = Math.max(0, Math.min(until ?? to, before) - Math.max(since, from));
    before = Math.min(before, since);
    knownMs += ms;
    if (state === 'connected') connectedMs += ms;
  }
  return { connectedMs, knownMs };
}
