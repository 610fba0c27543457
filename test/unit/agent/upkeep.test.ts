import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DoctorBeside } from '../../../src/agent/doctor.ts';
import { startUpkeep } from '../../../src/agent/upkeep.ts';
import { silentLog } from '../../../src/base/log.ts';
import { UNWATCHED_DISK } from '../../../src/payment/guards/disk-space.ts';
import { Lifecycle } from '../../../src/runtime/lifecycle.ts';
import { UnscannedPages } from '../../../src/store/damage/unscanned-pages.ts';
import { cutOf } from '../../../src/store/journal/journal-cut.ts';
import { JournalWatch } from '../../../src/store/journal/journal-watch.ts';
import { MirrorPlace } from '../../../src/store/mirror/mirror-place.ts';
import { OldShop } from '../../support/archive.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const A_MINUTE = 60_000;

it.each([
  ['archives what is old', false],
  ['takes no step after the daemon was told to stop', true],
])('the upkeep %s', async (_, isStopping) => {
  const shop = OldShop.of(50);
  const clock = new VirtualClock(90 * 86_400_000 + 1_000_000);
  const stop = new AbortController();
  const upkeep = startUpkeep({
    money: {
      database: shop.money,
      archive: shop.place,
      journalWatch: new JournalWatch(shop.money, [], 2_000),
      unreadPages: new UnscannedPages(join(shop.folder, 'unread-pages')),
    },
    mirror: new MirrorPlace({
      path: join(shop.folder, 'mirror.db'),
      version: '0.1.0',
      clock,
      log: silentLog,
    }),
    retention: { archive_after_days: 90 },
    disk: UNWATCHED_DISK,
    queues: { list: () => [] },
    doctor: new DoctorBeside({ config: '', folder: { path: shop.folder, socket: '' }, clock }),
    signal: stop.signal,
    clock,
    log: silentLog,
    lifecycle: new Lifecycle(silentLog),
  });
  if (isStopping) stop.abort();
  await clock.advance(A_MINUTE);
  expect([upkeep.quiet(), cutOf(shop.money) === null]).toEqual([!isStopping, isStopping]);
});
