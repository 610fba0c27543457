import { setTimeout as pause } from 'node:timers/promises';
import { listOf } from '../../api/contract/primitives.ts';
import { SyncStream } from '../../api/contract/sync.ts';
import { AppError, hasCode } from '../../base/errors.ts';
import type { Answer, DaemonClient } from '../client.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { integrationPath, withNextStep } from '../provider.ts';

/** Timeouts and intervals of `tillctl sync --wait`, in milliseconds; tests shorten them. */
export interface SyncTimeouts {
  readonly lookMs: number;
  /** How long tilld may be unreachable: it restarts, and the sync continues. */
  readonly awayMs: number;
  /** How long a stream may be idle before its run counts as not started. */
  readonly idleMs: number;
}

export const SYNC_TIMEOUTS: SyncTimeouts = { lookMs: 500, awayMs: 60_000, idleMs: 30_000 };

export type Streams = Answer<{ readonly data: readonly SyncStream[] }>;

/** The number of the last run of each stream before the sync request. */
export type RunNumbers = ReadonlyMap<string, number>;

export interface FollowSync {
  readonly timeouts: SyncTimeouts;
  readonly signal: AbortSignal;
  readonly show: (streams: readonly SyncStream[]) => void;
}

const ENDED = ['complete', 'failed', 'held', 'waiting'];

/** The streams of an integration, or the one of a resource. @throws REFUSED, RESOURCE_UNKNOWN */
export async function streamsOf(
  client: DaemonClient,
  provider: string,
  resource: string | undefined,
  signal: AbortSignal,
): Promise<Streams> {
  const call = { path: integrationPath(provider, 'streams'), signal };
  const { body, value } = await withNextStep(provider, client, () => client.call(call, listOf(SyncStream)));
  if (resource === undefined) return { body, value };
  const data = value.data.filter((stream) => stream.resource === resource);
  return { body: { ...value, data }, value: { data } };
}

export function numbersOf(streams: readonly SyncStream[]): RunNumbers {
  return new Map(streams.map(({ resource, run }) => [resource, run?.no ?? 0]));
}

/**
 * Polls until every stream has completed a run since `before`. A stream with another run in progress runs again; it waits for a daemon
 * that restarts.
 * @throws NO_DAEMON, CONNECTION_LOST when it stays unreachable, SYNC_NOT_BEGUN when nothing runs
 */
export async function followSync(
  look: () => Promise<Streams>,
  before: RunNumbers,
  { timeouts, signal, show }: FollowSync,
): Promise<Streams> {
  let seenAt = performance.now();
  let movedAt = seenAt;
  for (;;) {
    await pause(timeouts.lookMs, undefined, { signal });
    const seen = await look().catch((error: unknown) => {
      if (signal.aborted || !isAway(error) || performance.now() - seenAt > timeouts.awayMs) throw error;
    });
    const now = performance.now();
    if (!seen) continue;
    seenAt = now;
    const streams = seen.value.data;
    show(streams);
    const open = streams.filter((stream) => !isOver(stream, before));
    if (open.length === 0) return seen;
    if (open.some(({ state }) => state !== 'idle')) movedAt = now;
    if (now - movedAt > timeouts.idleMs) throw notBegun(open);
  }
}

/** 0 where every run is complete. */
export function exitOf(streams: readonly SyncStream[], before: RunNumbers): ExitCode {
  const isDone = (stream: SyncStream) => isOver(stream, before) && stream.run?.outcome === 'complete';
  return streams.every(isDone) ? EXIT.done : EXIT.no;
}

/** A run that was stopped or killed continues by itself as long as it is queued. */
function isOver({ run, state, resource }: SyncStream, before: RunNumbers): boolean {
  if (run === null || run.no <= (before.get(resource) ?? 0) || run.outcome === 'running') return false;
  return ENDED.includes(run.outcome) || state === 'idle';
}

function isAway(error: unknown): boolean {
  return hasCode(error, 'NO_DAEMON') || hasCode(error, 'CONNECTION_LOST');
}

function notBegun(open: readonly SyncStream[]): AppError {
  const names = open.map(({ provider, resource }) => `${provider}/${resource}`).join(', ');
  return new AppError(
    'SYNC_NOT_BEGUN',
    `nothing runs of ${names}: \`tillctl integrations --streams\` says why`,
  );
}
