import type { Clock } from '../../../src/base/clock.ts';
import type { Sealer } from '../../../src/base/sealer.ts';
import type { IntegrationDesk } from '../../../src/integration/desk.ts';
import { SLOTS } from '../../../src/integration/slot.ts';
import type { Database } from '../../../src/store/database.ts';
import { aSlotDesk, CONFIGURED } from '../../support/integrations.ts';
import type { Setting } from './side.ts';

export interface IntegrationSideParts {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly setting: Setting;
}

/**
 * The desk of the integrations over real slots in the real money database. Behind it runs nobody: a sync is complete as soon as it is
 * asked for, as it is on the other side, and a credential that begins with `bad` is one that the provider refuses.
 */
export function integrationsOf({ database, sealer, clock, setting }: IntegrationSideParts): IntegrationDesk {
  const served = setting.connectors === 'none' ? [] : SLOTS;
  const configured = new Map(served.map((name) => [name, CONFIGURED]));
  return aSlotDesk(database, { clock, sealer, configured }).desk;
}
