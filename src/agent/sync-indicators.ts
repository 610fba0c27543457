import type { Health, StreamStatus } from '../api/contract/status.ts';
import type { Clock } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import type { ProviderName } from '../integration/integration.ts';
import type { IntegrationRunner } from '../integration/runner/integration-runner.ts';
import type { IntegrationSettings } from '../integration/settings/integration-settings.ts';
import type { StreamIndicator } from '../integration/views/stream-lists.ts';
import { lossWords, type MirrorLoss } from '../store/mirror/mirror-loss.ts';
import type { MirrorPlace } from '../store/mirror/mirror-place.ts';

export interface StreamFreshness {
  readonly provider: string;
  readonly resource: string;
  /** null: it was never complete. */
  readonly seconds: number | null;
}

/** The state of the syncs, for the status report. A mirror that cannot be read is only a reason in it: payments do not need the mirror. */
export interface SyncIndicators {
  isFresh(): boolean;
  reasons(): Health['reasons'];
  streams(): readonly StreamStatus[];
  freshness(): readonly StreamFreshness[];
  paused(): readonly string[];
}

const WHY = {
  credentials: 'the provider refuses its credential: tillctl integrations says how to replace it',
  errors: 'too many runs in a row have failed: see tillctl integrations, then resume',
} as const;

/** An integration of the configuration that does not run: file, line and column, what is wrong there. */
export interface Refusal {
  /** As the configuration has it. */
  readonly name: string;
  readonly why: string;
}

export interface SyncIndicatorsDeps {
  readonly runner: IntegrationRunner;
  readonly settings: IntegrationSettings;
  readonly refusals: readonly Refusal[];
  readonly mirror: Pick<MirrorPlace, 'loss'>;
  readonly clock: Clock;
}

export function syncIndicators({
  runner,
  settings,
  refusals,
  mirror,
  clock,
}: SyncIndicatorsDeps): SyncIndicators {
  const indicators = () => readable(() => runner.indicators());
  const paused = () => settings.all().filter(({ isActive, pausedFor }) => isActive && pausedFor !== null);
  const isRefused = () =>
    settings.all().some(({ name, isActive }) => isActive && refusals.some((one) => one.name === name));
  return {
    isFresh: () => !isRefused() && paused().length === 0 && (indicators()?.every(isFreshStream) ?? false),
    reasons: () => [
      ...lossReasons(mirror.loss),
      ...refusals.map(({ name, why }) => ({
        code: 'integration_refused',
        message: `${name} is refused, everything else runs: ${why}`,
      })),
      ...paused().map(({ name, pausedFor }) => ({
        code: 'integration_paused',
        message: `${name} is paused: ${pauseWords(runner, name, pausedFor ?? 'errors')}${why(lastErrorOf(settings, name))}`,
      })),
      ...(indicators()?.flatMap(reasonsOf) ?? [unreadable(() => runner.indicators())]),
    ],
    streams: () => readable(() => streamsOf(runner, new Set(paused().map(({ name }) => String(name))))) ?? [],
    freshness: () =>
      indicators()?.map(({ integration: provider, resource, freshAt }) => ({
        provider,
        resource,
        seconds: freshAt === null ? null : Math.max(0, (clock.now() - freshAt) / 1_000),
      })) ?? [],
    paused: () => paused().map(({ name }) => name),
  };
}

/** A list that is not read is not fresh, however young it was when its reading stopped. */
function isFreshStream({ isStale, isPaused, isAllParked }: StreamIndicator): boolean {
  return !isStale && !isPaused && !isAllParked;
}

/** Until everything was read again. */
function lossReasons(loss: MirrorLoss | null): Health['reasons'] {
  return loss?.readAgainAt === null ? [{ code: 'mirror_replaced', message: lossWords(loss) }] : [];
}

function reasonsOf({
  integration,
  resource,
  isStale,
  isHeld,
  isPaused,
  isAllParked,
  lastError,
}: StreamIndicator): Health['reasons'] {
  const name = `${integration}/${resource}`;
  return [
    ...(isPaused
      ? [
          {
            code: 'sync_stream_paused',
            message: `${name} is paused, the others go on${why(lastError)}. Give the credential this permission at the provider, then: tillctl sync ${integration} --resource ${resource}`,
          },
        ]
      : []),
    ...(isStale && !isPaused
      ? [{ code: 'sync_stale', message: `${name} has not been complete for too long${why(lastError)}` }]
      : []),
    ...(isAllParked
      ? [
          {
            code: 'sync_all_parked',
            message: `${name} has no record that is not parked: tillctl parked ${integration} says why`,
          },
        ]
      : []),
    ...(isHeld
      ? [{ code: 'sync_held', message: `${name} holds deletes for a person: look, then tillctl approve` }]
      : []),
  ];
}

/** Where the mirror cannot be read, nothing is tried again. */
function pauseWords(
  runner: Pick<IntegrationRunner, 'nextRunAt'>,
  name: ProviderName,
  reason: keyof typeof WHY,
): string {
  const probes = reason === 'errors' && readable(() => runner.nextRunAt(name)) !== null;
  return probes ? 'an outage; it tries again by itself, every six hours at least' : WHY[reason];
}

/** Of the resource that failed most often in a row. */
function lastErrorOf(settings: Pick<IntegrationSettings, 'errorsOf'>, name: ProviderName): string | null {
  const [most] = settings.errorsOf(name).toSorted((one, other) => other.count - one.count);
  return most?.message ?? null;
}

function why(lastError: string | null): string {
  return lastError === null ? '' : `: ${lastError}`;
}

function streamsOf(runner: IntegrationRunner, paused: ReadonlySet<string>): readonly StreamStatus[] {
  return runner.all().flatMap(({ name, streams }) =>
    streams.map(({ resource, state, rows, freshAt, isStale, held, parked, errors }) => ({
      provider: name,
      resource,
      state,
      rows,
      fresh_at: freshAt === null ? null : new Date(freshAt).toISOString(),
      is_stale: isStale,
      is_held: held !== null,
      parked,
      errors,
      paused: paused.has(name),
    })),
  );
}

function readable<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

function unreadable(read: () => unknown): Health['reasons'][number] {
  try {
    read();
    return { code: 'mirror_unreadable', message: 'the mirror could not be read a moment ago' };
  } catch (error) {
    return { code: 'mirror_unreadable', message: messageOf(error) };
  }
}
