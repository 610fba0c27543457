import { AppError } from '../../base/errors.ts';
import type { Integration } from '../integration.ts';

/** The settings of an integration that the service manages. A setting that is absent from its snapshot stays as it is. */
export type ManagedSettings = Partial<
  Pick<Integration, 'isEnabled' | 'autoSend' | 'lookbackDays' | 'mappingMode' | 'requiresMappings'>
>;

/**
 * Call it before a local change of settings or mappings. Credentials, activation and resume stay local in any integration.
 * @throws SLOT_MANAGED
 */
export function mustBeOurs({ name, managedBy }: Pick<Integration, 'name' | 'managedBy'>): void {
  if (managedBy === 'local') return;
  throw new AppError(
    'SLOT_MANAGED',
    `${name} follows the settings of the service: change them there, or set managed_by to local in the config. Nothing was changed.`,
    { context: { details: { provider: name, managed_by: managedBy } } },
  );
}

/** The settings that differ from the current ones; null: none differs. */
export function newIn(settings: ManagedSettings, integration: Integration): ManagedSettings | null {
  const changed = SETTINGS.filter(
    (name) => settings[name] !== undefined && settings[name] !== integration[name],
  );
  if (changed.length === 0) return null;
  return Object.fromEntries(changed.map((name) => [name, settings[name]]));
}

const SETTINGS = ['isEnabled', 'autoSend', 'lookbackDays', 'mappingMode', 'requiresMappings'] as const;
