import { AppError } from '../base/errors.ts';
import type { Slot } from './slot.ts';

/** What the service decides of a slot that it manages. What its snapshot does not tell stays as it is. */
export type ManagedSettings = Partial<
  Pick<Slot, 'isEnabled' | 'autoSend' | 'lookbackDays' | 'mappingMode' | 'requiresMappings'>
>;

/**
 * Before settings or mappings are changed here. Credentials, activation and resume are ours in any slot.
 * @throws SLOT_MANAGED
 */
export function mustBeOurs({ name, managedBy }: Pick<Slot, 'name' | 'managedBy'>): void {
  if (managedBy === 'local') return;
  throw new AppError(
    'SLOT_MANAGED',
    `${name} follows the settings of the service: change them there, or set managed_by to local in the config. Nothing was changed.`,
    { context: { details: { provider: name, managed_by: managedBy } } },
  );
}

/** Those of the settings that are not so yet; null: all of them are. */
export function newIn(settings: ManagedSettings, slot: Slot): ManagedSettings | null {
  const changed = SETTINGS.filter((name) => settings[name] !== undefined && settings[name] !== slot[name]);
  if (changed.length === 0) return null;
  return Object.fromEntries(changed.map((name) => [name, settings[name]]));
}

const SETTINGS = ['isEnabled', 'autoSend', 'lookbackDays', 'mappingMode', 'requiresMappings'] as const;
