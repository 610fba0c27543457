import type { Metrics } from '../api/metrics/metrics.ts';
import type { Clock } from '../base/clock.ts';
import type { ServiceEnvironment } from '../config/schema-service.ts';
import type { DiskSpace } from '../payment/guards/disk-space.ts';
import type { DrainLease } from '../payment/guards/drain-lease.ts';
import type { CopyReason } from '../payment/recovery/database-identity.ts';
import type { ProcessView } from '../runtime/process-gauges.ts';
import type { ServiceLink } from '../service/service-link.ts';
import type { BackfillProgress } from '../store/backfill/id-backfill.ts';
import type { Devices } from '../terminal/device.ts';
import type { Money } from './money.ts';
import type { SyncIndicators } from './sync-indicators.ts';

/** The sources of the status report's indicators and metrics. */
export interface StatusReportDeps {
  readonly version: string;
  readonly environment: 'live' | 'sandbox';
  /** The service's environment; null: no service is configured. */
  readonly serviceEnvironment?: ServiceEnvironment | null;
  readonly queues: Devices;
  /** null: no service is configured. */
  readonly link: Pick<ServiceLink, 'health' | 'serviceTime'> | null;
  readonly money: Pick<Money, 'database' | 'payments' | 'outbox' | 'journal' | 'epoch'>;
  /** Disk space; absent: it is not checked. */
  readonly disk?: DiskSpace;
  /** Absent: no sync is configured. */
  readonly syncs?: SyncIndicators;
  /** What is counted since the start; absent: nothing is counted. */
  readonly metrics?: Metrics;
  /** Absent: the process is not measured. */
  readonly process?: () => ProcessView;
  /** Why archiving stopped, in words; absent: archiving is off. */
  readonly archive?: () => string | null;
  /** How many payments of an older release were converted to the form of this release; null or absent: none is left. */
  readonly backfill?: () => BackfillProgress | null;
  /** What contradicts this machine's clock, in words. Absent: the clock is not checked. */
  readonly clockTrouble?: () => string | null;
  /** Why tilld takes no work from the service, because the database may be a copy; absent: no witness was read. */
  readonly requestGuard?: { stoppedAsCopy(): CopyReason | null };
  /** The drain lease; absent: there is none. */
  readonly drain?: Pick<DrainLease, 'isHeld'>;
  readonly clock: Clock;
}
