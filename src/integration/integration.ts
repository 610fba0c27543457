/** The four integrations that always exist. */
export const PROVIDERS = ['provider_a', 'provider_b', 'terminal', 'provider_d'] as const;
export type ProviderName = (typeof PROVIDERS)[number];

/** Why no run starts. `credentials`: the provider refuses them. `errors`: too many runs in a row failed. */
export type PauseReason = 'credentials' | 'errors';

/** `import_only` is one value; the set is open. */
export type MappingMode = string;

/** The durable state of an integration; its connector is in the config. */
export interface Integration {
  /** Its id in the interface, a UUID that never changes. */
  readonly id: string;
  readonly name: ProviderName;
  readonly isActive: boolean;
  readonly isEnabled: boolean;
  readonly autoSend: boolean;
  readonly lookbackDays: number;
  readonly mappingMode: MappingMode;
  readonly requiresMappings: boolean;
  readonly managedBy: 'local' | 'service';
  readonly pausedFor: PauseReason | null;
  readonly pausedAt: number | null;
  /** Sealed; null: there are none. */
  readonly sealedCredentials: string | null;
  /** Sealed secrets of its webhooks; null: there are none. */
  readonly sealedWebhookSecrets: string | null;
  readonly updatedAt: number;
}

/** Failed runs in a row of one resource. */
export interface Errors {
  readonly resource: string;
  readonly count: number;
  /** Of the last one. */
  readonly cause: string;
  readonly message: string;
  readonly at: number;
}

/** The cause that pauses one stream. */
export const FORBIDDEN = 'SOURCE_FORBIDDEN';

/** Whether a requested run may start; a paused integration must be resumed first. */
export function mayRun({ isActive, pausedFor }: Pick<Integration, 'isActive' | 'pausedFor'>): boolean {
  return isActive && pausedFor === null;
}

/** Whether its schedule runs: the sync toggle stops nothing else (interface: `sync-toggle`). */
export function isScheduled(integration: Integration): boolean {
  return integration.isEnabled && mayRun(integration);
}

/** Whether the schedule leaves a stream alone until a person has asked for it, or resumed the integration: the source does not let it be read. */
export function isStreamPaused(errors: readonly Errors[], resource: string): boolean {
  return errors.some((one) => one.resource === resource && one.cause === FORBIDDEN);
}

/** The number that the interface shows: of the resource that fails most. */
export function errorCount(errors: readonly Errors[]): number {
  return errors.reduce((most, { count }) => Math.max(most, count), 0);
}

/** Which product of tilld's a provider's product is. */
export interface Mapping {
  readonly externalId: string;
  readonly internalId: string | null;
  readonly isIgnored: boolean;
  /** Name, type, charge type and other notes, as JSON. */
  readonly metadata: string;
}

/** The storage of integrations; each call is durable. */
export interface IntegrationStore {
  /** All four, in the order of {@link PROVIDERS}; created at the first call. */
  all(): readonly Integration[];
  update(integration: Integration): void;
  errorsOf(provider: ProviderName): readonly Errors[];
  countError(provider: ProviderName, errors: Errors): void;
  /** One resource, or all of them. */
  forgetErrors(provider: ProviderName, resource?: string): void;
  /** In the order of their external ids. */
  mappingsOf(provider: ProviderName): readonly Mapping[];
  /** The whole set, in one transaction; a mapping that is not in it is deleted. */
  replaceMappings(provider: ProviderName, mappings: readonly Mapping[], now: number): void;
  removeMapping(provider: ProviderName, externalId: string): boolean;
  transaction<T>(work: () => T): T;
}
