import type { BadRecord } from '../connector.ts';
import { sourceError } from '../failure/source-error.ts';
import { type Digest, digested, judged, sorted, type Work } from '../page/page-work.ts';
import type { SinkWrite, SyncStore } from '../ports.ts';
import type { StreamSetup } from '../run/sync-run.ts';
import type { Route } from '../running-integration.ts';
import { type DryRun, MOST_PLANNED, MOST_REASONS, type PlannedWrite } from '../sync-runner-port.ts';
import { begun } from '../window/run-plan.ts';

/** A list with more pages counts as endless. */
const MOST_PAGES = 100_000;

export interface DryRunDeps {
  readonly setup: StreamSetup;
  readonly route: Route;
  readonly store: SyncStore;
  readonly digest: Digest;
  readonly isFull: boolean;
  readonly now: number;
  /** Requests sent so far. */
  readonly requests: () => number;
}

/**
 * Reads the window of the next run once and lists the writes of that run; it writes nothing and moves no cursor.
 * The list has no deletes that need two scans: one scan cannot show them.
 * @throws what the source throws (SOURCE_*); the signal's reason
 */
export async function dryRun(deps: DryRunDeps, signal: AbortSignal): Promise<DryRun> {
  const { setup, requests } = deps;
  const { window, state, shown } = plannedWindow(deps);
  const before = requests();
  const plan = new Plan(deps.route);
  const seen = new Set<string>();
  let token: string | null = null;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    signal.throwIfAborted();
    const page = await setup.connector.list(setup.manifest.name, window, token, signal);
    const { good, bad } = sorted(page);
    const within = good.filter(({ updatedAt }) => !isBefore(updatedAt, state.horizon ?? null));
    plan.add(judgedAs(deps, shown, within), bad);
    plan.warn([...(page.warnings ?? []), ...(page.cutOff === undefined ? [] : [page.cutOff])]);
    if (page.next === null) return plan.result(setup.manifest.name, requests() - before);
    if (seen.has(page.next)) break;
    seen.add(page.next);
    token = page.next;
  }
  throw sourceError('SOURCE_MALFORMED', 'the list goes in circles: its pages never end');
}

function plannedWindow({ setup, store, isFull, now }: DryRunDeps) {
  const { state, generation } = store.streamOf(setup.stream);
  const { manifest, lookbackDays, sweepEveryMs } = setup;
  const fresh = { ...state, progress: isFull ? null : state.progress };
  const next = begun(fresh, {
    manifest,
    lookbackDays,
    sweepEveryMs,
    generation,
    wantsFull: isFull,
    now,
    begunIn: null,
  });
  const { progress } = next;
  if (!progress) throw sourceError('SOURCE_REFUSED', 'there is nothing to be read');
  return { window: progress.bounds, state: next, shown: generation };
}

function judgedAs(deps: DryRunDeps, generation: number, records: Parameters<typeof digested>[0]) {
  const { setup, store, digest } = deps;
  const known = store.rowsOf(
    setup.stream,
    generation,
    records.map(({ id }) => id),
  );
  const work = judged(digested(records, digest), known, setup.map);
  return deps.isFull && setup.sink.kind === 'remote' ? work.map((one) => sentAgain(one, setup)) : work;
}

/** A full resync sends every record to a remote sink again. */
function sentAgain(work: Work, { map }: StreamSetup): Work {
  return work.verdict === 'unchanged' ? { ...work, verdict: 'updated', mapped: map(work.record) } : work;
}

function isBefore(updatedAt: number | null, horizon: number | null): boolean {
  return updatedAt !== null && horizon !== null && updatedAt < horizon;
}

/** Collects the planned writes, page by page. */
class Plan {
  readonly #route: Route;
  readonly #writes: PlannedWrite[] = [];
  #read = 0;
  #unchanged = 0;
  #inAll = 0;
  #sinkRequests = 0;
  readonly #warnings = new Set<string>();
  readonly #counts = { create: 0, update: 0, remove: 0, park: 0, ignore: 0 };
  readonly #reasons = new Map<string, { op: 'park' | 'ignore'; reason: string; records: number }>();

  constructor(route: Route) {
    this.#route = route;
  }

  warn(warnings: readonly string[]): void {
    for (const warning of warnings) this.#warnings.add(warning);
  }

  add(work: readonly Work[], bad: readonly BadRecord[]): void {
    this.#read += work.length + bad.length;
    for (const one of work) this.#note(one);
    const puts = work.flatMap(sinkWriteOf);
    const requests = puts.length === 0 ? [] : (this.#route.requestsOf?.(puts) ?? []);
    this.#sinkRequests += requests.reduce((sum, { count }) => sum + count, 0);
    for (const { id, reason } of bad) this.#keep({ op: 'park', id: id ?? '', request: null, body: reason });
  }

  result(resource: string, sourceRequests: number): DryRun {
    return {
      resource,
      read: this.#read,
      sourceRequests,
      sinkRequests: this.#sinkRequests,
      unchanged: this.#unchanged,
      writes: this.#writes,
      writesInAll: this.#inAll,
      counts: { ...this.#counts },
      reasons: [...this.#reasons.values()]
        .toSorted((one, other) => other.records - one.records)
        .slice(0, MOST_REASONS),
      warnings: [...this.#warnings],
    };
  }

  #note(work: Work): void {
    const planned = plannedOf(work);
    if (planned === null) this.#unchanged += 1;
    else this.#keep({ ...planned, request: this.#requestOf(work) });
  }

  #keep(write: PlannedWrite): void {
    this.#inAll += 1;
    this.#counts[write.op] += 1;
    if (write.op === 'park' || write.op === 'ignore') this.#because(write.op, String(write.body));
    if (this.#writes.length < MOST_PLANNED) this.#writes.push(write);
  }

  #because(op: 'park' | 'ignore', reason: string): void {
    const known = this.#reasons.get(`${op} ${reason}`);
    if (known) known.records += 1;
    else if (this.#reasons.size < MOST_PLANNED)
      this.#reasons.set(`${op} ${reason}`, { op, reason, records: 1 });
  }

  #requestOf(work: Work): string | null {
    const [request] = this.#route.requestsOf?.(sinkWriteOf(work)) ?? [];
    return request ? `${request.method} ${request.path}` : null;
  }
}

function plannedOf({ record, verdict, mapped }: Work): Omit<PlannedWrite, 'request'> | null {
  const { id } = record;
  if (verdict === 'deleted') return { op: 'remove', id, body: null };
  if (mapped === null) return null;
  if (mapped.kind === 'ignore') return { op: 'ignore', id, body: mapped.reason ?? 'its mapping says so' };
  if (mapped.kind === 'park') return { op: 'park', id, body: mapped.reason };
  return { op: verdict === 'created' ? 'create' : 'update', id, body: mapped.body };
}

function sinkWriteOf({ record, verdict, mapped }: Work): readonly SinkWrite[] {
  const { id, updatedAt } = record;
  if (verdict === 'deleted') return [{ op: 'remove', id }];
  return mapped?.kind === 'write' ? [{ op: 'put', id, updatedAt, body: mapped.body }] : [];
}
