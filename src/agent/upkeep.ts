import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Config } from '../config/schema.ts';
import type { DiskSpace } from '../payment/guards/disk-space.ts';
import type { Lifecycle } from '../runtime/lifecycle.ts';
import type { MirrorPlace } from '../store/mirror/mirror-place.ts';
import type { Devices } from '../terminal/device.ts';
import { backfillIds, type IdBackfilling } from './backfill-ids.ts';
import { examineDaily } from './daily-examination.ts';
import type { DoctorBeside } from './doctor.ts';
import { scanPages } from './integrity-scan.ts';
import { type ArchiveKeeping, keepArchive } from './keep-archive.ts';
import { scanMirror } from './mirror-scan.ts';
import type { Money } from './money.ts';
import { verifyJournal } from './verify-journal.ts';

export interface UpkeepDeps {
  readonly money: Pick<Money, 'database' | 'archive' | 'journalWatch' | 'unreadPages'>;
  readonly mirror: MirrorPlace;
  readonly retention: Config['retention'];
  readonly disk: DiskSpace;
  readonly queues: Pick<Devices, 'list'>;
  readonly doctor: DoctorBeside;
  /** Aborts when the daemon is told to stop. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly log: Log;
  readonly lifecycle: Lifecycle;
}

/** The work on the database that no customer waits for. */
export interface Upkeep {
  readonly archive: ArchiveKeeping;
  readonly backfilling: IdBackfilling;
  /** No payment runs, and the disk accepts writes. */
  readonly quiet: () => boolean;
}

/** Checks, examines, converts and archives what is old, each step while no payment runs; the first one a second from now. */
export function startUpkeep({
  mirror,
  retention,
  disk,
  queues,
  doctor,
  signal,
  ...deps
}: UpkeepDeps): Upkeep {
  const quiet = () =>
    !signal.aborted && queues.list().every((device) => device.status !== 'busy') && disk.shortage() === null;
  verifyJournal({ ...deps, quiet });
  const reading = scanPages({ ...deps, quiet });
  scanMirror({ ...deps, mirror, quiet });
  examineDaily({ ...deps, doctor, database: deps.money.database, quiet: () => quiet() && !reading.isOn });
  const noScanRuns = () => quiet() && !reading.isOn && doctor.last().state !== 'running';
  const backfilling = backfillIds({ ...deps, quiet: noScanRuns });
  /** The archive notes the last dispatch of each device, under the id that its payments hold. */
  const mayArchive = () => noScanRuns() && backfilling.progress === null;
  return { archive: keepArchive({ ...deps, retention, quiet: mayArchive }), backfilling, quiet };
}
