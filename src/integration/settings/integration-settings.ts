import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { Sealer } from '../../base/sealer.ts';
import type { OAuthTokens, ProviderCredentials } from '../connector.ts';
import { afterFailure } from '../failure/auto-pause.ts';
import {
  type Errors,
  FORBIDDEN,
  type Integration,
  type IntegrationStore,
  type Mapping,
  type ProviderName,
} from '../integration.ts';
import type { RunReport } from '../run/engine.ts';
import { isOver } from '../schedule/auto-probe.ts';

export interface IntegrationSettingsDeps {
  readonly store: IntegrationStore;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly log: Log;
}

/** Credentials read back from the disk; the caller parses their shape. */
export type CredentialsReader = (text: string) => ProviderCredentials;

/** Tokens of the client whose fingerprint `of` is. */
export type StoredTokens = OAuthTokens & { readonly of: string };

/** Changes of integrations by people and runs. Credentials are sealed before they are stored, and only a connector gets them. */
export class IntegrationSettings {
  readonly #deps: IntegrationSettingsDeps;

  constructor(deps: IntegrationSettingsDeps) {
    this.#deps = deps;
  }

  all(): readonly Integration[] {
    return this.#deps.store.all();
  }

  get(name: ProviderName): Integration {
    const integration = this.all().find((one) => one.name === name);
    if (!integration) throw new AppError('SLOT_UNKNOWN', `no integration is called ${name}`);
    return integration;
  }

  /** Of each resource whose last run failed. */
  errorsOf(name: ProviderName): readonly Errors[] {
    return this.#deps.store.errorsOf(name);
  }

  change(name: ProviderName, changes: Partial<Omit<Integration, 'id' | 'name' | 'updatedAt'>>): Integration {
    const changed = { ...this.get(name), ...changes, updatedAt: this.#deps.clock.now() };
    this.#deps.store.update(changed);
    return changed;
  }

  /** Tokens of the same key stay: its refresh token may be used up. */
  keepCredentials(name: ProviderName, credentials: ProviderCredentials): void {
    const tokens = this.#tokensOfKey(name, credentials.apiKey);
    const sealedCredentials = this.#sealed(name, tokens ? { ...credentials, tokens } : credentials);
    this.change(name, { sealedCredentials });
  }

  /** Null: there are none. @throws SEAL_BROKEN, SEAL_KEY_UNUSABLE */
  tokensOf(name: ProviderName, read: (text: string) => StoredTokens | null): StoredTokens | null {
    const { sealedCredentials } = this.get(name);
    return sealedCredentials === null
      ? null
      : read(this.#deps.sealer.open(sealedCredentials, purposeOf(name)));
  }

  /** Keeps tokens beside the credential that they belong to. @returns false: another one has taken its place */
  keepTokens(
    name: ProviderName,
    {
      read,
      isTheirs,
    }: { readonly read: CredentialsReader; readonly isTheirs: (credentials: ProviderCredentials) => boolean },
    tokens: StoredTokens,
  ): boolean {
    const credentials = this.credentialsOf(name, read);
    if (credentials === null || !isTheirs(credentials)) return false;
    const sealedCredentials = this.#sealed(name, { ...credentials, tokens });
    // Not a change of a person: the integration is as old as before.
    this.#deps.store.update({ ...this.get(name), sealedCredentials });
    return true;
  }

  /** Null: there are none. @throws SEAL_BROKEN, SEAL_KEY_UNUSABLE */
  credentialsOf(name: ProviderName, read: CredentialsReader): ProviderCredentials | null {
    const { sealedCredentials } = this.get(name);
    return sealedCredentials === null
      ? null
      : read(this.#deps.sealer.open(sealedCredentials, purposeOf(name)));
  }

  /**
   * Counts and pauses by the cause; a complete run resets the count, and ends a pause that its failures alone have caused. Nothing is written
   * where nothing changes.
   */
  afterRun(name: ProviderName, resource: string, report: RunReport, maxErrors: number): void {
    const { store, clock } = this.#deps;
    if (report.outcome === 'busy' || report.outcome === 'stopped') return;
    const { pausedFor } = this.get(name);
    const before = store.errorsOf(name).find((errors) => errors.resource === resource);
    if (report.failure === null) {
      if (before) store.forgetErrors(name, resource);
      if (pausedFor === 'errors') this.#goesOn(name, resource, maxErrors);
      return;
    }
    const { count, pause } = afterFailure(report.failure, before?.count ?? 0, maxErrors);
    const { code: cause, message } = report.failure;
    store.transaction(() => {
      if (count !== null) store.countError(name, { resource, count, cause, message, at: clock.now() });
      if (pause !== null && pause !== pausedFor) this.#pause(name, pause, cause, message);
    });
    if (report.failure.effect === 'pause_stream')
      this.#deps.log.error({ stream: `${name}/${resource}`, cause, error: message }, 'stream paused');
  }

  /** A probe was complete: the integration goes on, unless another resource still fails too often. */
  #goesOn(name: ProviderName, resource: string, maxErrors: number): void {
    const { store, log } = this.#deps;
    if (!isOver(store.errorsOf(name), maxErrors)) return;
    this.change(name, { pausedFor: null, pausedAt: null });
    log.info({ slot: name, by: 'probe', resource }, 'integration resumed');
  }

  /** Streams that the old credential was not allowed to read are tried with the new one. */
  forgetForbidden(name: ProviderName): void {
    const { store } = this.#deps;
    for (const { resource, cause } of store.errorsOf(name))
      if (cause === FORBIDDEN) store.forgetErrors(name, resource);
  }

  /** Resets the counter and the pause; the caller queues a run. Nothing else changes. */
  resume(name: ProviderName): void {
    this.#deps.store.transaction(() => {
      this.#deps.store.forgetErrors(name);
      this.change(name, { pausedFor: null, pausedAt: null });
    });
  }

  /** In the order of their external ids. */
  mappingsOf(name: ProviderName): readonly Mapping[] {
    return this.#deps.store.mappingsOf(name);
  }

  /** @returns external ids whose mapping is new or changed, for the records that wait for them */
  replaceMappings(name: ProviderName, mappings: readonly Mapping[]): readonly string[] {
    const { store, clock } = this.#deps;
    this.get(name);
    return store.transaction(() => {
      const known = new Map(store.mappingsOf(name).map((one) => [one.externalId, one]));
      store.replaceMappings(name, mappings, clock.now());
      return mappings
        .filter((one) => isUsable(one) && !isSame(one, known.get(one.externalId)))
        .map(({ externalId }) => externalId);
    });
  }

  /** @returns false: there was none */
  removeMapping(name: ProviderName, externalId: string): boolean {
    return this.#deps.store.removeMapping(name, externalId);
  }

  /** Writes all of it, or nothing. */
  transaction<T>(work: () => T): T {
    return this.#deps.store.transaction(work);
  }

  #tokensOfKey(name: ProviderName, key: string): StoredTokens | null {
    const { sealedCredentials } = this.get(name);
    if (sealedCredentials === null) return null;
    try {
      const stored: Partial<ProviderCredentials & { readonly tokens: StoredTokens }> = JSON.parse(
        this.#deps.sealer.open(sealedCredentials, purposeOf(name)),
      );
      return stored.apiKey === key ? (stored.tokens ?? null) : null;
    } catch {
      // A credential that cannot be opened any more is none.
      return null;
    }
  }

  #sealed(name: ProviderName, what: ProviderCredentials & { readonly tokens?: StoredTokens }): string {
    return this.#deps.sealer.seal(JSON.stringify(what), purposeOf(name));
  }

  #pause(name: ProviderName, pausedFor: 'credentials' | 'errors', cause: string, error: string): void {
    this.change(name, { pausedFor, pausedAt: this.#deps.clock.now() });
    this.#deps.log.error({ slot: name, reason: pausedFor, cause, error }, 'integration paused');
  }
}

function isUsable({ internalId, isIgnored }: Mapping): boolean {
  return internalId !== null || isIgnored;
}

function isSame(one: Mapping, before: Mapping | undefined): boolean {
  return (
    before?.internalId === one.internalId &&
    before.isIgnored === one.isIgnored &&
    before.metadata === one.metadata
  );
}

function purposeOf(name: ProviderName): string {
  return `integration ${name}`;
}
