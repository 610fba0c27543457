import { type Clock, sleep } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Ids } from '../../base/ids.ts';
import type { ProviderCredentials, ResourceManifest } from '../connector.ts';
import { type Errors, isStreamPaused, PROVIDERS, type ProviderName } from '../integration.ts';
import type { Digest } from '../page/page-work.ts';
import { causesIn, parkedOf, parkedOfCause, type QuarantineDeps, retriedIn } from '../page/quarantine.ts';
import type { SyncStore } from '../ports.ts';
import { stopOf } from '../run/engine.ts';
import { RefreshQueue } from '../run/refresh-queue.ts';
import type { StreamSetup } from '../run/sync-run.ts';
import type { RunningIntegration } from '../running-integration.ts';
import { nextProbeAt } from '../schedule/auto-probe.ts';
import { INVOICES, lastEndOf } from '../schedule/read-back.ts';
import { Schedule, type Scheduled } from '../schedule/schedule.ts';
import { TIMES_SHOWN } from '../schedule/timetable.ts';
import { mayWake, waitLeft } from '../schedule/wait-after.ts';
import type {
  Completeness,
  DryRun,
  QuarantineCause,
  QuarantinedView,
  RecordRefresh,
  RunRequest,
  RunView,
  StreamView,
  SyncRunner,
  SyncStats,
} from '../sync-runner-port.ts';
import { indicatorOf, runsOf, type StreamIndicator } from '../views/stream-lists.ts';
import { completenessOf, statsOfStreams, viewOfStream } from '../views/stream-view.ts';
import { nameOf, type StreamKey } from '../window/stream.ts';
import { dryRun } from './dry-run.ts';
import { StreamRuns, type StreamRunsDeps, setupOf } from './stream-runs.ts';

/** Requests one record of a stream and writes it as a run does. @throws what the source throws */
export type RecordRefresher = (setup: StreamSetup, id: string, signal: AbortSignal) => Promise<void>;

export interface IntegrationRunnerDeps extends StreamRunsDeps {
  readonly store: SyncStore;
  /** Absent: single records cannot be refreshed. */
  readonly refresh?: RecordRefresher;
  readonly digest: Digest;
  readonly clock: Clock;
  readonly ids: Ids;
}

const TEST_MS = 60_000;

/** Runs the streams of every configured source, and reports their state. */
export class IntegrationRunner implements SyncRunner {
  readonly #deps: IntegrationRunnerDeps;
  readonly #integrations: readonly RunningIntegration[];
  readonly #schedule: Schedule;
  readonly #runs: StreamRuns;
  readonly #refreshes: RefreshQueue;
  readonly #stopping = new AbortController();

  constructor(deps: IntegrationRunnerDeps, integrations: readonly RunningIntegration[]) {
    this.#deps = deps;
    this.#integrations = integrations;
    this.#runs = new StreamRuns(deps, (stream) => this.#schedule.runNow(nameOf(stream)));
    this.#schedule = new Schedule(
      deps,
      integrations.flatMap((integration) =>
        integration.source.resources.map((manifest) => this.#scheduled(integration, manifest)),
      ),
    );
    this.#refreshes = new RefreshQueue(deps);
  }

  /** Frees the leases of the last process run, then runs what is due. Once. */
  start(): void {
    this.#deps.engine.start();
    this.#schedule.start();
  }

  /** Starts what is due; safe to call at any time. */
  tick(): void {
    this.#schedule.tick();
  }

  /** The mirror is a new one: every stream is read from its beginning. */
  startOver(): void {
    this.#schedule.startOver(stopOf());
  }

  /** Every stream that is scheduled was complete at least once. */
  isComplete(): boolean {
    const { store } = this.#deps;
    return this.#integrations
      .filter((one) => one.isScheduled())
      .every((one) => streamsOf(one).every((stream) => store.streamOf(stream).freshAt !== null));
  }

  /** Stops runs where they are; they continue there next time. */
  async close(): Promise<void> {
    const reason = stopOf();
    this.#stopping.abort(reason);
    await Promise.all([this.#schedule.stop(reason), this.#refreshes.stop(reason)]);
    await Promise.all(this.#integrations.map(({ source }) => source.close()));
  }

  queue(name: ProviderName, { full, resource }: RunRequest): void {
    for (const stream of this.#asked(name, resource)) {
      if (full) this.#deps.control.requestFull(stream);
      this.#schedule.runNow(nameOf(stream));
    }
  }

  wake(name: ProviderName, resources: readonly string[] | null): void {
    const integration = this.#integrations.find((one) => one.name === name);
    for (const stream of integration ? streamsOf(integration) : [])
      if (resources === null || resources.includes(stream.resource)) this.#schedule.wake(nameOf(stream));
  }

  /** An integration without a connector has no runs. */
  stop(name: ProviderName): void {
    const integration = this.#integrations.find((one) => one.name === name);
    for (const stream of integration ? streamsOf(integration) : [])
      this.#schedule.stopRun(nameOf(stream), stopOf());
  }

  nextRunAt(name: ProviderName): number | null {
    const integration = this.#integrationOf(name);
    const streams = streamsOf(integration);
    if (integration.isScheduled()) return this.#nextOf(streams);
    const probing = streams.filter((one) => this.#probeOf(integration, one) !== null);
    // One that probes now does so by itself, too.
    return probing.length === 0 ? null : (this.#nextOf(probing) ?? this.#deps.clock.now());
  }

  completeness(name: ProviderName): Completeness {
    return completenessOf(this.#deps.store, streamsOf(this.#integrationOf(name)));
  }

  test(name: ProviderName, credentials: ProviderCredentials) {
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(TEST_MS)]);
    return this.#integrationOf(name).source.test(credentials, signal);
  }

  testResources(name: ProviderName, credentials: ProviderCredentials | null) {
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(TEST_MS)]);
    return this.#integrationOf(name).source.testResources(credentials, this.#deps.clock.now(), signal);
  }

  credentialsChanged(name: ProviderName): void {
    this.#integrationOf(name).source.credentialsChanged();
  }

  mappingsChanged(name: ProviderName, externalIds: readonly string[]): void {
    const { control, clock } = this.#deps;
    const integration = this.#integrationOf(name);
    if (externalIds.length === 0 || control.release(name, externalIds, clock.now()) === 0) return;
    if (integration.isScheduled())
      for (const stream of streamsOf(integration)) this.#schedule.runNow(nameOf(stream));
  }

  refreshInvoice(name: ProviderName, externalId: string): void {
    const integration = this.#integrationOf(name);
    const manifest = integration.source.resources.find((one) => one.name === INVOICES);
    const { refresh } = this.#deps;
    if (!manifest || !refresh || !integration.source.connector().get)
      throw new AppError('OPERATION_NOT_SUPPORTED', `${name} cannot be asked for one invoice`);
    this.#refreshes.ask(name, externalId, (signal) =>
      refresh(setupOf(integration, manifest), externalId, signal),
    );
  }

  invoiceRefresh(name: ProviderName, externalId: string): RecordRefresh | null {
    return this.#refreshes.find(name, externalId);
  }

  stats(name: ProviderName): SyncStats {
    return this.#statsOf(streamsOf(this.#integrationOf(name)));
  }

  statsByResource(name: ProviderName): Readonly<Record<string, SyncStats>> {
    const streams = streamsOf(this.#integrationOf(name));
    return Object.fromEntries(streams.map((stream) => [stream.resource, this.#statsOf([stream])]));
  }

  streams(name: ProviderName): readonly StreamView[] {
    return this.#viewsOf(this.#integrationOf(name));
  }

  /** Of every source, also of the one that is no integration. */
  all(): readonly { readonly name: string; readonly streams: readonly StreamView[] }[] {
    return this.#integrations.map((integration) => ({
      name: integration.name,
      streams: this.#viewsOf(integration),
    }));
  }

  /** The indicators of all streams, cheap enough for frequent calls. */
  indicators(): readonly StreamIndicator[] {
    return this.#integrations.flatMap((integration) =>
      streamsOf(integration).map((stream) =>
        indicatorOf(this.#deps, integration, stream, this.#isPaused(stream)),
      ),
    );
  }

  parked(name: ProviderName, after: string | null, limit: number): readonly QuarantinedView[] {
    return parkedOf(this.#quarantine(), streamsOf(this.#integrationOf(name)), { after, limit });
  }

  parkedOfCause(name: ProviderName, cause: string, after: string | null, limit: number) {
    return parkedOfCause(this.#quarantine(), streamsOf(this.#integrationOf(name)), { after, limit, cause });
  }

  causes(name: ProviderName): Promise<readonly QuarantineCause[]> {
    return causesIn(this.#quarantine(), streamsOf(this.#integrationOf(name)));
  }

  async retryParked(name: ProviderName, cause: string | null): Promise<number> {
    const facts = { asked: cause, now: this.#deps.clock.now() };
    const retried = await retriedIn(this.#quarantine(), streamsOf(this.#integrationOf(name)), facts);
    for (const stream of retried.keys()) this.#schedule.runNow(nameOf(stream));
    return [...retried.values()].reduce((sum, count) => sum + count, 0);
  }

  runs(name: ProviderName, before: number | null, limit: number): readonly RunView[] {
    return runsOf(this.#deps.control, streamsOf(this.#integrationOf(name)), before, limit);
  }

  approve(name: ProviderName, resource: string): boolean {
    const [stream] = this.#asked(name, resource);
    if (!stream || this.#deps.store.streamOf(stream).held === null) return false;
    this.#deps.control.approve(stream);
    this.#schedule.runNow(nameOf(stream));
    return true;
  }

  async dryRun(
    name: ProviderName,
    { full, resource }: RunRequest,
    signal: AbortSignal,
  ): Promise<readonly DryRun[]> {
    const { store, digest, clock } = this.#deps;
    const integration = this.#integrationOf(name);
    const names = this.#asked(name, resource).map((stream) => stream.resource);
    const results: DryRun[] = [];
    for (const manifest of integration.source.resources.filter((one) => names.includes(one.name))) {
      const parts = {
        setup: setupOf(integration, manifest),
        route: integration.routeOf(manifest.name),
        store,
        digest,
      };
      const requests = () => integration.source.requests;
      const stop = AbortSignal.any([signal, this.#stopping.signal]);
      results.push(await dryRun({ ...parts, isFull: full, now: clock.now(), requests }, stop));
    }
    return results;
  }

  #quarantine(): QuarantineDeps {
    const { control, digest, clock } = this.#deps;
    return { control, digest, pause: () => sleep(clock, 1, this.#stopping.signal, 'quarantine pause') };
  }

  #scheduled(integration: RunningIntegration, manifest: ResourceManifest): Scheduled {
    const { control, store } = this.#deps;
    const stream = { integration: integration.name, resource: manifest.name };
    const timetable = integration.timetableOf(manifest.name);
    const [last] = control.runsSince(stream, 0, 1);
    return {
      name: nameOf(stream),
      group: integration.name,
      timetable,
      lastEndedAt: lastEndOf(control, stream),
      waitLeft: waitLeft(last, store.streamOf(stream).state.askAgainAt ?? null, timetable),
      mayRun: integration.mayRun,
      isScheduled: () => integration.isScheduled() && !this.#isPaused(stream),
      probeAt: () => this.#probeOf(integration, stream),
      mayWake: () => mayWake(this.#deps, stream, streamsOf(integration)),
      isRequested: () => this.#isRequested(stream),
      run: (signal) => this.#runs.run(integration, manifest, signal),
    };
  }

  /** A person asked for a full resync, and it is not complete. */
  #isRequested(stream: StreamKey): boolean {
    const { wantsFull, state } = this.#deps.store.streamOf(stream);
    return wantsFull || state.progress?.kind === 'full';
  }

  /** When an integration that an outage has paused tries a resource again; null: it does not. */
  #probeOf({ name: integration, config }: RunningIntegration, stream: StreamKey): number | null {
    const { settings, store, clock } = this.#deps;
    const name = PROVIDERS.find((one) => one === integration);
    if (name === undefined || settings.get(name).pausedFor !== 'errors') return null;
    const { askAgainAt = null } = store.streamOf(stream).state;
    const facts = { resource: stream.resource, maxErrors: config.maxErrors, askAgainAt, now: clock.now() };
    return nextProbeAt(settings.get(name), settings.errorsOf(name), facts);
  }

  #isPaused({ integration, resource }: StreamKey): boolean {
    const name = PROVIDERS.find((one) => one === integration);
    return name !== undefined && isStreamPaused(this.#deps.settings.errorsOf(name), resource);
  }

  #viewsOf(integration: RunningIntegration): readonly StreamView[] {
    const { clock, settings } = this.#deps;
    const name = PROVIDERS.find((one) => one === integration.name);
    const errors: readonly Errors[] = name ? settings.errorsOf(name) : [];
    return streamsOf(integration).map((stream) => {
      const failed = errors.find(({ resource }) => resource === stream.resource);
      const runsItself = integration.isScheduled() || this.#probeOf(integration, stream) !== null;
      return viewOfStream(this.#deps, stream, {
        state: this.#schedule.stateOf(nameOf(stream)),
        isPaused: isStreamPaused(errors, stream.resource),
        nextRunAt: runsItself ? this.#schedule.dueOf(nameOf(stream)) : null,
        nextRuns: integration.isScheduled() ? this.#schedule.timesOf(nameOf(stream), TIMES_SHOWN) : [],
        timetable: integration.timetableOf(stream.resource),
        activeSince: integration.activeSince(),
        isOn: integration.activeSince() > 0,
        errors: failed?.count ?? 0,
        lastError: failed?.message ?? null,
        now: clock.now(),
      });
    });
  }

  #statsOf(streams: readonly StreamKey[]): SyncStats {
    return statsOfStreams(this.#deps, streams, this.#nextOf(streams), this.#deps.clock.now());
  }

  #nextOf(streams: readonly StreamKey[]): number | null {
    const due = streams.flatMap((stream) => this.#schedule.dueOf(nameOf(stream)) ?? []);
    return due.length === 0 ? null : Math.min(...due);
  }

  /** @throws SLOT_NOT_CONFIGURED */
  #integrationOf(name: ProviderName): RunningIntegration {
    const integration = this.#integrations.find((one) => one.name === name);
    if (integration) return integration;
    throw new AppError(
      'SLOT_NOT_CONFIGURED',
      `No connector serves ${name}: name one under integrations.${name} in the config`,
    );
  }

  /** @throws SLOT_NOT_CONFIGURED, RESOURCE_UNKNOWN */
  #asked(name: ProviderName, resource: string | null): readonly StreamKey[] {
    const streams = streamsOf(this.#integrationOf(name));
    if (resource === null) return streams;
    const found = streams.filter((stream) => stream.resource === resource);
    if (found.length > 0) return found;
    const known = streams.map((stream) => stream.resource).join(', ');
    throw new AppError('RESOURCE_UNKNOWN', `${name} has no resource of this name: ${known}`);
  }
}

function streamsOf({ name, source }: RunningIntegration): readonly StreamKey[] {
  return source.resources.map((manifest) => ({ integration: name, resource: manifest.name }));
}
