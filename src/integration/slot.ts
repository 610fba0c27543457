import { assertNever } from '../base/invariant.ts';
import type { Failure } from './failure.ts';

/** The four slots that always exist. */
export const SLOTS = ['provider_a', 'provider_b', 'terminal', 'provider_d'] as const;
export type SlotName = (typeof SLOTS)[number];

/** Why nothing runs. `credentials`: the provider refuses them. `errors`: too many runs in a row have failed. */
export type PauseReason = 'credentials' | 'errors';

/** `import_only` is seen; the set is open. */
export type MappingMode = string;

/** What must not be lost of a slot; which connector serves it says the configuration. */
export interface Slot {
  /** Its id in the interface, a UUID that never changes. */
  readonly id: string;
  readonly name: SlotName;
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
  readonly updatedAt: number;
}

/** Runs of one resource that failed in a row. */
export interface Errors {
  readonly resource: string;
  readonly count: number;
  /** Of the last one. */
  readonly cause: string;
  readonly message: string;
  readonly at: number;
}

/** What the end of a run does to its slot. */
export interface AfterRun {
  /** Null: the counter stays. 0: it begins anew. */
  readonly count: number | null;
  readonly pause: PauseReason | null;
}

/**
 * The table "When it fails": what the failure of a run does to its slot.
 * Counted per resource: one that always fails is not hidden by another that always works.
 */
export function afterFailure({ consequence }: Failure, before: number, maxErrors: number): AfterRun {
  switch (consequence) {
    case 'pause':
      return { count: null, pause: 'credentials' };
    case 'wait':
      return { count: null, pause: null };
    case 'retry':
    case 'fail': {
      const count = before + 1;
      return { count, pause: count >= maxErrors ? 'errors' : null };
    }
    default:
      return assertNever(consequence);
  }
}

/** Whether the schedule runs this slot; a person may force a run of one that is not paused by its credentials. */
export function mayRun({ isActive, isEnabled, pausedFor }: Slot): boolean {
  return isActive && isEnabled && pausedFor === null;
}

/** The number that the interface shows: of the resource that fails most. */
export function errorCount(errors: readonly Errors[]): number {
  return errors.reduce((most, { count }) => Math.max(most, count), 0);
}

/** How a product of a provider is known here. */
export interface Mapping {
  readonly externalId: string;
  readonly internalId: string | null;
  readonly isIgnored: boolean;
  /** Name, type, charge type and what else came with it, as JSON. */
  readonly metadata: string;
}

/** What the core needs of the disk for slots; each call is durable. */
export interface SlotStore {
  /** All four, in the order of {@link SLOTS}; made at the first look. */
  slots(): readonly Slot[];
  update(slot: Slot): void;
  errorsOf(slot: SlotName): readonly Errors[];
  countError(slot: SlotName, errors: Errors): void;
  /** One resource, or all of them. */
  forgetErrors(slot: SlotName, resource?: string): void;
  /** In the order of their external ids. */
  mappingsOf(slot: SlotName): readonly Mapping[];
  /** The whole set, in one transaction; what is not in it is gone. */
  replaceMappings(slot: SlotName, mappings: readonly Mapping[], now: number): void;
  removeMapping(slot: SlotName, externalId: string): boolean;
  transaction<T>(work: () => T): T;
}
