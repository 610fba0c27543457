import { join } from 'node:path';
import type { Clock, Timer } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { DiskSpace } from '../payment/guards/disk-space.ts';
import type { Lifecycle } from '../runtime/lifecycle.ts';
import { FreeDiskSpace } from '../store/disk/free-disk-space.ts';
import { ReserveFile } from '../store/disk/reserve-file.ts';
import type { Money } from './money.ts';

/** How often the disk is checked, in ms. */
const LOOK_MS = 1000;
/** The same while a payment prevents that space is made. */
const LOOK_SOON_MS = 100;
/** The reserve file, which is deleted when the disk is full. */
export const RESERVE_FILE = 'ballast';

export interface DiskSpaceDeps {
  /** The state folder. */
  readonly folder: string;
  readonly money: Money;
  readonly clock: Clock;
  readonly log: Log;
  readonly lifecycle: Lifecycle;
}

/** Keeps disk space for what follows from a payment, and checks it every second. */
export function keepDiskSpace({ folder, money, clock, log, lifecycle }: DiskSpaceDeps): DiskSpace {
  const { database, payments } = money;
  const open = () => {
    const attempts = payments.openAttempts();
    const running = attempts.filter(
      ({ state, releasedAt }) => state.name !== 'requested' && releasedAt === null,
    );
    return {
      running: running.length,
      waiting: attempts.filter(({ state }) => state.name === 'requested').length,
    };
  };
  const reserve = new ReserveFile(join(folder, RESERVE_FILE));
  const space = new FreeDiskSpace({ database, reserve, open, clock, log });
  database.onFault((fault) => space.refused(fault));
  const watch: { timer?: Timer } = {};
  const look = () => {
    let isMaintained = true;
    try {
      isMaintained = space.maintain();
    } catch (error) {
      log.error({ error: messageOf(error) }, 'the disk could not be looked at');
    }
    watch.timer = clock.timer('room', isMaintained ? LOOK_MS : LOOK_SOON_MS, look);
  };
  look();
  lifecycle.started('room', () => watch.timer?.stop());
  return space;
}
