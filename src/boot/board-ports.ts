import type { Status } from '../api/contract/status.ts';
import type { Sample } from '../api/metrics/families.ts';
import type { Clock } from '../base/clock.ts';
import type { ServiceEnvironment } from '../config/schema-service.ts';
import type { DiskSpace } from '../payment/guards/disk-space.ts';
import type { CopyReason } from '../payment/recovery/database-identity.ts';
import type { ProcessView } from '../runtime/process-gauges.ts';
import type { ServiceLink } from '../service/service-link.ts';
import type { BackfillProgress } from '../store/backfill/id-backfill.ts';
import type { Devices } from '../terminal/device.ts';
import type { Money } from './money.ts';
import type { SyncLights } from './sync-lights.ts';

/** What the lights and figures of the shop are made of. */
export interface BoardPorts {
  readonly version: string;
  readonly environment: 'live' | 'sandbox';
  /** Of the service; null: none is configured. */
  readonly serviceEnvironment?: ServiceEnvironment | null;
  readonly urls: Status['urls'];
  readonly queues: Devices;
  /** null: no service is configured. */
  readonly link: Pick<ServiceLink, 'state' | 'serviceTime'> | null;
  readonly money: Pick<Money, 'database' | 'payments' | 'outbox' | 'journal' | 'epoch'>;
  /** Room on the disk; absent: nobody looks. */
  readonly disk?: DiskSpace;
  /** Absent: nothing is synced. */
  readonly syncs?: SyncLights;
  /** What ended since the start; absent: nobody counts. */
  readonly payments?: () => readonly Sample[];
  /** Absent: nobody looks at the process. */
  readonly process?: () => ProcessView;
  /** Why nothing more is archived, in words; absent: nobody archives. */
  readonly archive?: () => string | null;
  /** How many payments of an older release were brought into the form of this one; null or absent: none is left. */
  readonly backfill?: () => BackfillProgress | null;
  /** What contradicts the clock of this machine, in words. Absent: nobody looks. */
  readonly clockTrouble?: () => string | null;
  /** Why no work of the service is taken, because the database may be a copy; null: it is. Absent: no witness was asked. */
  readonly stoppedAsCopy?: () => CopyReason | null;
  readonly clock: Clock;
}
