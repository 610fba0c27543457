import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Sealer } from '../base/sealer.ts';
import type { ProviderCredentials } from './connector.ts';
import type { RunReport } from './engine.ts';
import { afterFailure, type Errors, type Mapping, type Slot, type SlotName, type SlotStore } from './slot.ts';

export interface SlotPorts {
  readonly store: SlotStore;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly log: Log;
}

/** Credentials read back from the disk; the caller parses their shape. */
export type CredentialsReader = (text: string) => ProviderCredentials;

/** Changes of integrations by people and runs. Credentials are sealed before they are stored, and only a connector gets them. */
export class Slots {
  readonly #ports: SlotPorts;

  constructor(ports: SlotPorts) {
    this.#ports = ports;
  }

  all(): readonly Slot[] {
    return this.#ports.store.slots();
  }

  get(name: SlotName): Slot {
    const slot = this.all().find((one) => one.name === name);
    if (!slot) throw new AppError('SLOT_UNKNOWN', `no integration is called ${name}`);
    return slot;
  }

  /** Of each resource whose last run failed. */
  errorsOf(name: SlotName): readonly Errors[] {
    return this.#ports.store.errorsOf(name);
  }

  change(name: SlotName, changes: Partial<Omit<Slot, 'id' | 'name' | 'updatedAt'>>): Slot {
    const changed = { ...this.get(name), ...changes, updatedAt: this.#ports.clock.now() };
    this.#ports.store.update(changed);
    return changed;
  }

  keepCredentials(name: SlotName, credentials: ProviderCredentials): void {
    const sealedCredentials = this.#ports.sealer.seal(JSON.stringify(credentials), purposeOf(name));
    this.change(name, { sealedCredentials });
  }

  /** Null: there are none. @throws SEAL_BROKEN, SEAL_KEY_UNUSABLE */
  credentialsOf(name: SlotName, read: CredentialsReader): ProviderCredentials | null {
    const { sealedCredentials } = this.get(name);
    return sealedCredentials === null
      ? null
      : read(this.#ports.sealer.open(sealedCredentials, purposeOf(name)));
  }

  /** Counts and pauses by the cause; a complete run resets the count. Nothing is written where nothing changes. */
  afterRun(name: SlotName, resource: string, report: RunReport, maxErrors: number): void {
    const { store, clock } = this.#ports;
    if (report.outcome === 'busy' || report.outcome === 'stopped') return;
    this.get(name);
    const before = store.errorsOf(name).find((errors) => errors.resource === resource);
    if (report.failure === null) {
      if (before) store.forgetErrors(name, resource);
      return;
    }
    const { count, pause } = afterFailure(report.failure, before?.count ?? 0, maxErrors);
    const { code: cause, message } = report.failure;
    store.transaction(() => {
      if (count !== null) store.countError(name, { resource, count, cause, message, at: clock.now() });
      if (pause !== null) this.#pause(name, pause, cause);
    });
  }

  /** Resets the counter and the pause; the caller queues a run. Nothing else changes. */
  resume(name: SlotName): void {
    this.#ports.store.transaction(() => {
      this.#ports.store.forgetErrors(name);
      this.change(name, { pausedFor: null, pausedAt: null });
    });
  }

  /** In the order of their external ids. */
  mappingsOf(name: SlotName): readonly Mapping[] {
    return this.#ports.store.mappingsOf(name);
  }

  /** @returns external ids whose mapping is new or changed, for the records that wait for them */
  replaceMappings(name: SlotName, mappings: readonly Mapping[]): readonly string[] {
    const { store, clock } = this.#ports;
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
  removeMapping(name: SlotName, externalId: string): boolean {
    return this.#ports.store.removeMapping(name, externalId);
  }

  /** Writes all of it, or nothing. */
  transaction<T>(work: () => T): T {
    return this.#ports.store.transaction(work);
  }

  #pause(name: SlotName, pausedFor: 'credentials' | 'errors', cause: string): void {
    this.change(name, { pausedFor, pausedAt: this.#ports.clock.now() });
    this.#ports.log.error({ slot: name, reason: pausedFor, cause }, 'integration paused');
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

function purposeOf(name: SlotName): string {
  return `integration ${name}`;
}
