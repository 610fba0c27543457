import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../../../src/integration/connector.ts';
import type { RunRecord } from '../../../../src/integration/ports.ts';
import type { Accusation, ProviderSum, SyncCrime } from '../judge.ts';
import { type AnswerKind, meantBy, type Resource } from './shop-provider.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** The pauses between the probes of an integration that an outage has paused. */
const PROBES = { first: 5 * MINUTE, growth: 3, most: 6 * HOUR };

/** A run sends its first request within this time. */
const SLOWEST_MS = 1_000;

/** What the judge is shown before each request. */
export interface Moment {
  readonly pausedFor: 'credentials' | 'errors' | null;
  /** Whether the stored key is the one that the provider takes. */
  readonly hasGoodKey: boolean;
}

/** When runs may begin, by the judge's own arithmetic. */
export interface Rules {
  readonly isQuiet: (at: number) => boolean;
  /** Null: that resource runs at its interval. */
  readonly cronTimes: (resource: Resource) => ((after: number) => number) | null;
  readonly intervalMs: number;
}

/** Follows the requests that reach one provider, and what its answers forbid. */
export class ProviderVerdicts {
  readonly sums: Record<ProviderSum, number> = {
    ...{ requests: 0, probes: 0, pauses: 0, limited: 0 },
    ...{ forbidden: 0, unauthorised: 0, errors: 0, lives: 1 },
  };
  readonly accusations: Accusation[] = [];
  readonly #rules: Rules;
  readonly #elapsed: () => number;
  readonly #moment: () => Moment;
  readonly #notBefore = new Map<Resource, number>();
  readonly #forbidden = new Set<Resource>();
  /** When the last run of a resource failed. */
  readonly #failedAt = new Map<Resource, number>();
  /** Probes since the pause; the retries within one run are one probe. */
  readonly #probes = new Map<Resource, { readonly count: number; readonly isRunning: boolean }>();
  /** When a person asked for a run of a resource. */
  readonly #asked: { readonly resource: Resource; readonly at: number }[] = [];
  readonly #faults: { readonly from: number; to: number }[] = [];
  /** Of the run under way: its first request. */
  readonly #begunAt = new Map<Resource, number>();
  readonly #isPending = new Set<Resource>();
  #isRefused = false;

  constructor(rules: Rules, elapsed: () => number, moment: () => Moment) {
    this.#rules = rules;
    this.#elapsed = elapsed;
    this.#moment = moment;
  }

  accuse(crime: SyncCrime, text: string): void {
    this.accusations.push({ crime, text, atMs: this.#elapsed() });
  }

  /** A person asks for runs: whatever an answer forbade may be tried again. */
  runsAsked(resources: readonly Resource[], at: number): void {
    for (const resource of resources) {
      this.#asked.push({ resource, at });
      this.#notBefore.delete(resource);
      this.#forbidden.delete(resource);
    }
    this.#isRefused = false;
    this.#probes.clear();
  }

  /** Another key is stored: what the old one might not read is asked for once more. */
  keyChanged(): void {
    this.#forbidden.clear();
  }

  /** The integration goes on by itself after an outage. */
  resumed(): void {
    this.#probes.clear();
  }

  /** Answers of 200 with errors in them; nothing read meanwhile is complete. */
  brokenData(from: number, to: number): void {
    this.#faults.push({ from, to });
  }

  asked(resource: Resource, at: number): void {
    this.sums.requests += 1;
    if (!this.#begunAt.has(resource)) this.#begin(resource, at);
    const notBefore = this.#notBefore.get(resource) ?? 0;
    if (at < notBefore)
      this.accuse('asked_too_soon', `${resource}: ${notBefore - at} ms before its Retry-After has passed`);
    if (this.#forbidden.has(resource))
      this.accuse('asked_though_refused', `${resource}: after a 403, and no person asked for it`);
    const { pausedFor } = this.#moment();
    if (this.#isRefused && pausedFor === 'credentials')
      this.accuse('asked_though_refused', `${resource}: while the credential is refused`);
    if (pausedFor === 'errors') this.#probed(resource, at);
  }

  /** Who asks while a run is under way gets another one behind it. */
  #begin(resource: Resource, at: number): void {
    this.#begunAt.set(resource, at);
    if (!this.#isPending.delete(resource)) return;
    this.#notBefore.delete(resource);
    this.#forbidden.delete(resource);
  }

  #probed(resource: Resource, at: number): void {
    const { count, isRunning } = this.#probes.get(resource) ?? { count: 0, isRunning: false };
    if (isRunning) return;
    const pause = Math.min(PROBES.most, PROBES.first * PROBES.growth ** count);
    const since = at - (this.#failedAt.get(resource) ?? 0);
    if (since < pause) this.accuse('probed_too_soon', `${resource}: probe ${count + 1} after ${since} ms`);
    this.sums.probes += 1;
    this.#probes.set(resource, { count, isRunning: true });
  }

  answered(resource: Resource, kind: AnswerKind, at: number, retryAfterMs = 0): void {
    if (kind === 'limited') {
      this.sums.limited += 1;
      this.#notBefore.set(resource, at + retryAfterMs);
    }
    if (kind === 'forbidden') {
      this.sums.forbidden += 1;
      this.#forbidden.add(resource);
    }
    if (kind === 'unauthorised') {
      this.sums.unauthorised += 1;
      this.#isRefused = !this.#moment().hasGoodKey;
    }
    if (kind === 'errors') this.sums.errors += 1;
  }

  /** The end of a run. */
  ran(resource: Resource, isFailed: boolean, at: number): void {
    if (isFailed) this.#failedAt.set(resource, at);
    const begunAt = this.#begunAt.get(resource) ?? at;
    if (this.#asked.some((request) => request.resource === resource && request.at >= begunAt - SLOWEST_MS))
      this.#isPending.add(resource);
    this.#begunAt.delete(resource);
    const probes = this.#probes.get(resource);
    // One that only has to wait (429) has not failed, and is no step.
    if (probes) this.#probes.set(resource, { count: probes.count + (isFailed ? 1 : 0), isRunning: false });
  }

  /** The process died: whatever ran is over. */
  killed(): void {
    this.sums.lives += 1;
    this.#begunAt.clear();
    this.#isPending.clear();
    for (const [resource, probes] of this.#probes)
      this.#probes.set(resource, { ...probes, isRunning: false });
  }

  /** An integration was paused just now. */
  paused(reason: 'credentials' | 'errors'): void {
    this.sums.pauses += 1;
    this.#probes.clear();
    if (reason === 'credentials' && this.#moment().hasGoodKey)
      this.accuse('paused_wrongly', 'for its credential, which the provider takes');
  }

  /** All runs of a resource, oldest first. */
  runs(resource: Resource, runs: readonly RunRecord[]): void {
    for (const [no, run] of runs.entries()) {
      const before = runs[no - 1];
      const why = `${resource} run ${run.no}, ${run.outcome}, began at ${new Date(run.startedAt).toISOString()}`;
      const isAskedFor = this.#isAskedFor(resource, runs, no);
      if (!isAskedFor && this.#rules.isQuiet(run.startedAt)) this.accuse('ran_in_quiet_hours', why);
      if (!isAskedFor && before && !this.#isDue(resource, before, run)) this.accuse('ran_off_schedule', why);
      if (run.outcome === 'complete' && this.#readNothing(run)) this.accuse('complete_without_data', why);
    }
  }

  /**
   * A complete run ends what a person has asked for; one that began when the person asked is followed by another one, at once, which goes on
   * after each wait that the provider wants.
   */
  #isAskedFor(resource: Resource, runs: readonly RunRecord[], no: number): boolean {
    const startedAt = runs[no]?.startedAt ?? 0;
    const last = runs.slice(0, no).findLastIndex(({ outcome }) => outcome === 'complete');
    const complete = runs[last]?.startedAt ?? 0;
    const follower = runs.slice(last + 1, no).every(({ outcome }) => outcome === 'waiting') ? last + 1 : no;
    const isAtOnce = (runs[follower]?.startedAt ?? 0) - (runs[follower - 1]?.endedAt ?? 0) < MINUTE;
    const asked = this.#asked.filter((request) => request.resource === resource && request.at <= startedAt);
    return asked.some(({ at }) => at > complete || (at === complete && isAtOnce));
  }

  #isDue(resource: Resource, before: RunRecord, { startedAt }: RunRecord): boolean {
    const end = before.endedAt ?? before.startedAt;
    if (before.outcome !== 'complete') return true;
    const next = this.#rules.cronTimes(resource);
    return startedAt >= (next === null ? end + this.#rules.intervalMs : next(end));
  }

  #readNothing({ startedAt, endedAt }: RunRecord): boolean {
    return this.#faults.some(({ from, to }) => startedAt >= from && (endedAt ?? startedAt) <= to);
  }

  /** What readers see at the end, against what the provider has. */
  shown(
    resource: Resource,
    rows: ReadonlyMap<string, JsonObject>,
    shown: ReadonlyMap<string, JsonObject>,
  ): void {
    for (const [id, row] of rows) {
      const body = shown.get(id);
      if (row['gone'] === true) {
        if (body) this.accuse('extra', id);
      } else if (body?.['version'] !== row['version'])
        this.accuse('missed', `${id}: ${JSON.stringify(body)} instead of ${JSON.stringify(row)}`);
      else if (!isDeepStrictEqual({ ...body }, { ...meantBy(row) }))
        this.accuse('altered', `${id}: ${JSON.stringify(body)} instead of ${JSON.stringify(meantBy(row))}`);
    }
    for (const id of shown.keys()) if (!rows.has(id)) this.accuse('extra', `${resource}: ${id}`);
  }
}
