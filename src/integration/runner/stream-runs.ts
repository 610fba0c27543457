import type { Log } from '../../base/log.ts';
import type { ResourceManifest } from '../connector.ts';
import { type Failure, failureOf } from '../failure/failure.ts';
import { PROVIDERS } from '../integration.ts';
import type { RunReport, SyncEngine } from '../run/engine.ts';
import type { StreamSetup } from '../run/sync-run.ts';
import type { RunningIntegration } from '../running-integration.ts';
import { hasImportedInvoices, READ_BACK } from '../schedule/read-back.ts';
import { waitAfter } from '../schedule/wait-after.ts';
import type { IntegrationSettings } from '../settings/integration-settings.ts';
import type { SyncControl } from '../sync-control.ts';
import { durationOf } from '../views/stream-lists.ts';
import { nameOf, type StreamKey } from '../window/stream.ts';

export interface StreamRunsDeps {
  readonly engine: SyncEngine;
  readonly control: SyncControl;
  readonly settings: IntegrationSettings;
  /** Called when a run ends; absent: runs are not counted. */
  readonly ended?: (stream: StreamKey, report: RunReport) => void;
  readonly log: Log;
}

/** Runs one stream when the schedule says so: opens its source, counts its failures, logs its end, and says how long it waits. */
export class StreamRuns {
  readonly #deps: StreamRunsDeps;
  readonly #runNow: (stream: StreamKey) => void;

  /** @param runNow starts another stream, for which this one brought something */
  constructor(deps: StreamRunsDeps, runNow: (stream: StreamKey) => void) {
    this.#deps = deps;
    this.#runNow = runNow;
  }

  /** Ms until the next run. */
  async run(
    integration: RunningIntegration,
    manifest: ResourceManifest,
    signal: AbortSignal,
  ): Promise<number> {
    const report = await this.#report(integration, manifest, signal);
    const stream = { integration: integration.name, resource: manifest.name };
    if (report.outcome !== 'busy') this.#ended(stream, report);
    const name = PROVIDERS.find((one) => one === integration.name);
    const { maxErrors } = integration.config;
    if (name) this.#deps.settings.afterRun(name, manifest.name, report, maxErrors);
    const isSent = integration.routeOf(manifest.name).sink.kind === 'remote';
    if (name && isSent && report.outcome === 'complete' && hasImportedInvoices(this.#deps.control, stream))
      this.#runNow(READ_BACK);
    return waitAfter(report, integration.timetableOf(manifest.name));
  }

  /** One line in the log for each run that ended. */
  #ended(stream: StreamKey, report: RunReport): void {
    const { control, ended, log } = this.#deps;
    ended?.(stream, report);
    const [run] = control.runsSince(stream, 0, 1);
    if (!run || run.endedAt === null) return;
    const { no, kind, outcome, read, created, updated, deleted, parked, code: cause } = run;
    const ms = durationOf(run);
    const rows = { read, created, updated, deleted, parked };
    log.info({ stream: nameOf(stream), run: no, kind, outcome, ...rows, ms, cause }, 'sync run ended');
  }

  /** A source that cannot be opened (its credential cannot be read) is a failed run. */
  async #report(
    integration: RunningIntegration,
    manifest: ResourceManifest,
    signal: AbortSignal,
  ): Promise<RunReport> {
    const setup = this.#opened(integration, manifest);
    if ('stream' in setup) return this.#deps.engine.run(setup, signal);
    const stream = nameOf({ integration: integration.name, resource: manifest.name });
    this.#deps.log.warn({ stream, code: setup.code, error: setup.message }, 'source cannot be opened');
    return { outcome: 'failed', kind: null, failure: setup, held: null };
  }

  #opened(integration: RunningIntegration, manifest: ResourceManifest): StreamSetup | Failure {
    try {
      return setupOf(integration, manifest);
    } catch (error) {
      return failureOf(error);
    }
  }
}

/** What the engine must know of a stream. @throws where its source cannot be opened */
export function setupOf(integration: RunningIntegration, manifest: ResourceManifest): StreamSetup {
  const { map, sink } = integration.routeOf(manifest.name);
  return {
    stream: { integration: integration.name, resource: manifest.name },
    connector: integration.source.connector(),
    manifest,
    map,
    sink,
    lookbackDays: integration.lookbackDays(),
    sweepEveryMs: integration.sweepEveryMs,
  };
}
