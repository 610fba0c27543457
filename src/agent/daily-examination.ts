import type { Clock, Timer } from '../base/clock.ts';
import type { Lifecycle } from '../runtime/lifecycle.ts';
import type { Database } from '../store/database.ts';
import { WalSpace } from '../store/disk/wal-space.ts';
import type { DoctorBeside } from './doctor.ts';
import { CALM_MS, LEAST_ROOM_BYTES, LOOK_MS } from './integrity-scan.ts';

/** Terminals, service and syncs have come up by then. */
const FIRST_MS = 300_000;
const NEXT_MS = 86_400_000;
/** The next one after findings, or after a failure: what was mended meanwhile must not stay on the list for a day. */
const AMISS_MS = 3_600_000;

export interface DailyExaminationDeps {
  readonly doctor: DoctorBeside;
  readonly database: Database;
  /** No payment runs, the disk accepts writes, and no other process reads the database. */
  readonly quiet: () => boolean;
  readonly clock: Clock;
  readonly lifecycle: Lifecycle;
}

/**
 * The doctor examines some minutes after the start and every day, so that the list of what is wrong has the machine, too. After half a minute without
 * a payment; a payment ends the run, and so do writes that fill the log: a reader keeps it from being emptied.
 */
export function examineDaily({ doctor, database, quiet, clock, lifecycle }: DailyExaminationDeps): void {
  const logSpace = new WalSpace(database);
  const hasRoom = () => logSpace.bytes >= LEAST_ROOM_BYTES;
  const firstAt = clock.monotonic() + FIRST_MS;
  let calmAt = clock.monotonic() + CALM_MS;
  const isRunning = () => doctor.last().state === 'running';
  const isDue = () => {
    const { state, endedAt, findings } = doctor.last();
    if (endedAt === null) return clock.monotonic() >= firstAt;
    const isWell = state === 'done' && findings.every(({ level }) => level === 'ok');
    // A clock that was set back must not put it off.
    return Math.abs(clock.now() - endedAt) >= (isWell ? NEXT_MS : AMISS_MS);
  };
  const step = () => {
    if (!quiet() || (isRunning() && !hasRoom())) {
      doctor.giveWay();
      calmAt = clock.monotonic() + CALM_MS;
    } else if (!isRunning() && isDue() && clock.monotonic() >= calmAt && hasRoom()) doctor.examineUnasked();
  };
  let timer: Timer;
  const look = () => {
    step();
    timer = clock.timer('examination', isRunning() ? LOOK_MS.during : LOOK_MS.before, look);
  };
  look();
  lifecycle.started('examination', () => timer.stop());
}
