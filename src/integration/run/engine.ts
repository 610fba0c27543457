import { AppError, hasCode } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { type Failure, failureOf } from '../failure/failure.ts';
import type { HeldForApproval, Lease, RunEnd, RunOutcome } from '../ports.ts';
import { nameOf, type RunKind } from '../window/stream.ts';
import { LEASE_MS, type RunDeps, type RunResult, type StreamSetup, SyncRun } from './sync-run.ts';

export interface EngineDeps extends RunDeps {
  readonly log: Log;
  /** The id of this process run. */
  readonly owner: string;
}

/** The result of a run. `busy`: another run has the stream, this one did nothing. */
export type RunReport =
  | { readonly outcome: 'busy' }
  | {
      readonly outcome: Exclude<RunOutcome, 'running' | 'killed'>;
      readonly kind: RunKind | null;
      readonly failure: Failure | null;
      readonly held: HeldForApproval | null;
    };

/** The reason of an abort that stops a run; the next run continues at the same place. */
export function stopOf(): AppError {
  return new AppError('SYNC_STOPPED', 'the run was stopped; it goes on where it was', { retry: 'safe' });
}

/**
 * Runs streams, each at most once at a time.
 * Why a lease in the database and not a flag: the next run takes over from a run that hangs after its deadline, and every later write of the old run
 * is refused.
 */
export class SyncEngine {
  readonly #deps: EngineDeps;
  #runs = 0;

  constructor(deps: EngineDeps) {
    this.#deps = deps;
  }

  /** Frees the leases of a dead process. Call it once, before the first run. */
  start(): void {
    this.#deps.store.reclaim(this.#deps.clock.now());
  }

  /** Never throws for an error of a source or a sink; only a lost lease and a broken database leave no entry in the runs. */
  async run(setup: StreamSetup, signal: AbortSignal): Promise<RunReport> {
    const lease = this.#lease(setup);
    if (lease === null) return { outcome: 'busy' };
    try {
      return this.#completed(lease, await new SyncRun(setup, this.#deps, lease).run(signal));
    } catch (error) {
      if (hasCode(error, 'LEASE_LOST')) throw error;
      return this.#broken(lease, error, signal);
    }
  }

  #lease({ stream }: StreamSetup): Lease | null {
    const { store, clock, owner } = this.#deps;
    const now = clock.now();
    this.#runs += 1;
    const { state, wantsFull } = store.streamOf(stream);
    const kind = state.progress?.kind ?? (wantsFull ? 'full' : 'changes');
    return store.takeLease(stream, `${owner}/${this.#runs}`, kind, now, now + LEASE_MS);
  }

  #completed(lease: Lease, result: RunResult): RunReport {
    const { kind, freshAt, begunIn, held, usedApproval, cutOff } = result;
    const now = this.#deps.clock.now();
    const kept = held && { ...held, at: now };
    const isResync = held?.kind === 'resync';
    const outcome = held ? 'held' : 'complete';
    const end: RunEnd = { outcome, code: null, message: kept ? heldWords(kept) : cutOff, at: now };
    const before = this.#deps.store.streamOf(lease.stream).held;
    const stays = held === null && before?.kind === 'resync' && kind !== 'full';
    this.#deps.store.end(lease, {
      ...end,
      ...(isResync ? {} : { freshAt, begunIn }),
      ...(stays ? {} : { held: kept }),
      kind,
      usedApproval,
    });
    if (cutOff !== null)
      this.#deps.log.warn(
        { stream: nameOf(lease.stream), why: cutOff },
        'the source may have more than it listed',
      );
    if (kept)
      this.#deps.log.error({ stream: nameOf(lease.stream), ...kept }, 'sync holds deletes for a person');
    return { outcome, kind, failure: null, held: kept };
  }

  #broken(lease: Lease, error: unknown, signal: AbortSignal): RunReport {
    const { store, clock, log } = this.#deps;
    const failure = failureOf(error);
    const outcome = signal.aborted ? 'stopped' : failure.effect === 'wait' ? 'waiting' : 'failed';
    const { code, message, retryAfterMs } = failure;
    if (retryAfterMs !== null && outcome !== 'stopped') {
      const { state } = store.streamOf(lease.stream);
      store.commitState(lease, { ...state, askAgainAt: clock.now() + retryAfterMs });
    }
    store.end(lease, { outcome, code, message, at: clock.now() });
    const fields = { stream: nameOf(lease.stream), code, error: message };
    if (outcome === 'failed') log.warn(fields, 'sync run failed');
    return { outcome, kind: null, failure, held: null };
  }
}

/** Which rows would go, and why. */
export function heldWords({ missing, rows, kind, examples }: Omit<HeldForApproval, 'at'>): string {
  const why =
    kind === 'resync'
      ? 'a full resync did not show'
      : 'the source deleted, or did not show in two complete readings,';
  const rest = missing - examples.length;
  const which =
    examples.length === 0 ? '' : ` (${examples.join(', ')}${rest > 0 ? ` and ${rest} more` : ''})`;
  return `${why} ${missing} of ${rows} rows${which}: more than a run may delete by itself`;
}
