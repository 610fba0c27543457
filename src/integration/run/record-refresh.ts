import { sleep } from '../../base/clock.ts';
import { AppError, hasCode } from '../../base/errors.ts';
import type { SourceRecord } from '../connector.ts';
import { type Failure, failureOf } from '../failure/failure.ts';
import { sourceError } from '../failure/source-error.ts';
import { PageReader } from '../page/page-reader.ts';
import { PageWorker } from '../page/page-worker.ts';
import { SinkWriter } from '../page/sink-writer.ts';
import type { Lease } from '../ports.ts';
import type { EngineDeps } from './engine.ts';
import { LEASE_MS, type StreamSetup } from './sync-run.ts';

/** The result of a refresh of one record. */
export type Refreshed =
  | { readonly status: 'succeeded'; readonly failure: null }
  | { readonly status: 'failed'; readonly failure: Failure };

/** How often a refresh checks a stream that runs, and how many times. */
const LOOK_MS = 1_000;
const MOST_LOOKS = 600;

/**
 * Asks the source for one record and processes it as a page does, beside the stream's own runs.
 *
 * INVARIANTS:
 * - it holds the stream's lease: while a run has the lease it waits, ten minutes at most;
 * - cursor, window and progress of the stream stay as they are; a generation that is being built gets the record as well as the one that is shown;
 * - it counts as no run of the stream, neither success nor failure, and does not change its freshness.
 * Never throws.
 */
export async function refreshRecord(
  setup: StreamSetup,
  deps: EngineDeps,
  id: string,
  signal: AbortSignal,
): Promise<Refreshed> {
  try {
    const lease = await leaseOf(setup, deps, signal);
    return await held(lease, deps, id, () => refreshed(setup, deps, lease, id, signal));
  } catch (error) {
    return { status: 'failed', failure: failureOf(error) };
  }
}

/** @throws SYNC_BUSY where the stream runs for longer than the refresh waits */
async function leaseOf({ stream }: StreamSetup, deps: EngineDeps, signal: AbortSignal): Promise<Lease> {
  const { store, clock } = deps;
  const owner = `${deps.owner}/refresh ${clock.monotonic()}`;
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    signal.throwIfAborted();
    const now = clock.now();
    const lease = store.takeLease(stream, owner, 'changes', now, now + LEASE_MS);
    if (lease) return lease;
    await sleep(clock, LOOK_MS, signal, 'refresh waits for the run');
  }
  throw new AppError('SYNC_BUSY', 'the stream runs; ask again when it has ended', { retry: 'safe' });
}

/** The stream is free again after it, in every case. */
async function held(
  lease: Lease,
  { store, clock }: EngineDeps,
  id: string,
  work: () => Promise<void>,
): Promise<Refreshed> {
  let failure: Failure | null = null;
  try {
    await work();
  } catch (error) {
    if (hasCode(error, 'LEASE_LOST')) throw error;
    failure = failureOf(error);
  }
  const said = { code: 'RECORD_REFRESH', message: `${id}: ${failure?.message ?? 'refreshed'}`.slice(0, 500) };
  store.end(lease, { outcome: 'stopped', ...said, at: clock.now() });
  return failure === null ? { status: 'succeeded', failure: null } : { status: 'failed', failure };
}

/** @throws SOURCE_*, SINK_*, RECORD_GONE, RECORD_PARKED */
async function refreshed(
  setup: StreamSetup,
  deps: EngineDeps,
  lease: Lease,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  const { store, clock, digest } = deps;
  const { stream } = setup;
  const pages = new PageReader(deps, () => store.renew(lease, clock.now() + LEASE_MS));
  await pages.yieldToPayments(signal);
  const record = await pages.patiently(signal, (inner) => asked(setup, id, inner));
  const worker = new PageWorker({
    ...setup,
    lease,
    store,
    digest,
    pages,
    sink: new SinkWriter(setup.sink),
  });
  const { state, generation } = store.streamOf(stream);
  for (const one of new Set([generation, state.progress?.generation ?? generation])) {
    const facts = { state, generation: one, now: clock.now() };
    const commit = await worker.retryOf([record], [], facts, signal);
    store.commitPage(lease, { ...commit, leaseUntil: clock.now() + LEASE_MS });
  }
  const waits = store.parkedOf(stream, [id]).get(id);
  if (waits) throw new AppError('RECORD_PARKED', waits.reason);
}

/** A record that the source does not have is not deleted here: only complete scans and tombstones delete. */
async function asked(
  { connector, manifest }: StreamSetup,
  id: string,
  signal: AbortSignal,
): Promise<SourceRecord> {
  if (!connector.get)
    throw new AppError('OPERATION_NOT_SUPPORTED', 'this source cannot be asked for one record');
  const record = await connector.get(manifest.name, id, signal);
  if (record === null) throw new AppError('RECORD_GONE', 'the source does not have it');
  if (record.id !== id)
    throw sourceError('SOURCE_MALFORMED', 'the source was asked for one record and gave another');
  return record;
}
