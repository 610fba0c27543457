import type { Clock, Timer } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { failureOf } from '../failure/failure.ts';
import { type Mapping, PROVIDERS, type ProviderName } from '../integration.ts';
import type { IntegrationSettings } from './integration-settings.ts';
import { type ManagedSettings, newIn } from './managed-integration.ts';

/** The integrations at the service. Rejects for any reason why they cannot be read. */
export interface SnapshotSource {
  settings(provider: ProviderName, signal: AbortSignal): Promise<ManagedSettings>;
  /** The whole set, in the order of their external ids. */
  mappings(provider: ProviderName, signal: AbortSignal): Promise<readonly Mapping[]>;
}

export interface FollowerDeps {
  readonly source: SnapshotSource;
  readonly settings: Pick<IntegrationSettings, 'get' | 'change' | 'replaceMappings'>;
  readonly mappingsOf: (provider: ProviderName) => readonly Mapping[];
  readonly clock: Clock;
  readonly log: Log;
  /** The integration has changed; `released`: external ids that have a mapping now and had none. */
  readonly changed: (provider: ProviderName, released: readonly string[]) => void;
}

const EVERY_MS = 5 * 60_000;

/**
 * Copies the settings and mappings that the service has for integrations (`managed_by: service`); no snapshot has credentials, those stay local.
 *
 * INVARIANTS:
 * - a snapshot that cannot be read changes nothing: the last settings count, through restarts as well;
 * - nothing is written where nothing is new.
 */
export class SnapshotFollower {
  readonly #deps: FollowerDeps;
  readonly #managed: readonly ProviderName[];
  #stop: AbortController | null = null;
  #timer: Timer | null = null;
  #running: Promise<void> = Promise.resolve();
  /** The error of each integration's last failed check. */
  readonly #troubles = new Map<ProviderName, string>();

  /** @param managed the integrations that the config lets the service manage */
  constructor(deps: FollowerDeps, managed: readonly ProviderName[]) {
    this.#deps = deps;
    this.#managed = managed;
  }

  /** Applies the config: who manages an integration, and, where it is the service, its snapshot now and every five minutes. */
  start(): void {
    if (this.#stop) return;
    for (const name of PROVIDERS) this.#assign(name);
    if (this.#managed.length === 0) return;
    this.#stop = new AbortController();
    this.#round(this.#stop.signal);
  }

  /** Idempotent. */
  async stop(): Promise<void> {
    this.#stop?.abort(new Error('tilld is shutting down'));
    this.#stop = null;
    this.#timer?.stop();
    await this.#running;
  }

  /** Checks each managed integration once. Never rejects. */
  async look(signal: AbortSignal): Promise<void> {
    for (const name of this.#managed) {
      if (signal.aborted) return;
      try {
        await this.#follow(name, signal);
        this.#troubles.delete(name);
      } catch (error) {
        this.#note(name, error, signal);
      }
    }
  }

  #round(signal: AbortSignal): void {
    this.#running = this.look(signal).then(() => {
      if (signal.aborted) return;
      this.#timer = this.#deps.clock.timer('integration snapshots', EVERY_MS, () => this.#round(signal));
    });
  }

  #assign(name: ProviderName): void {
    const { settings } = this.#deps;
    const managedBy = this.#managed.includes(name) ? 'service' : 'local';
    if (settings.get(name).managedBy !== managedBy) settings.change(name, { managedBy });
  }

  /** Both are read before anything is written: settings that require mappings must not be applied without them. */
  async #follow(name: ProviderName, signal: AbortSignal): Promise<void> {
    const { source, settings, mappingsOf, log, changed } = this.#deps;
    const followed = await source.settings(name, signal);
    const mappings = await source.mappings(name, signal);
    const news = newIn(followed, settings.get(name));
    const isRemapped = textOf(mappings) !== textOf(mappingsOf(name));
    const released = isRemapped ? settings.replaceMappings(name, mappings) : [];
    if (news) settings.change(name, news);
    if (!news && !isRemapped) return;
    log.info({ slot: name, ...news, mappings: mappings.length }, 'integration follows the service');
    changed(name, released);
  }

  /** The same error is logged once. */
  #note(name: ProviderName, error: unknown, signal: AbortSignal): void {
    if (signal.aborted) return;
    const { code, message } = failureOf(error);
    if (this.#troubles.get(name) === code) return;
    this.#troubles.set(name, code);
    this.#deps.log.warn(
      { slot: name, code, error: message },
      'settings of the integration could not be read',
    );
  }
}

function textOf(mappings: readonly Mapping[]): string {
  const lines = mappings.map(({ externalId, internalId, isIgnored, metadata }) =>
    JSON.stringify([externalId, internalId, isIgnored, metadata]),
  );
  return lines.toSorted().join('\n');
}
