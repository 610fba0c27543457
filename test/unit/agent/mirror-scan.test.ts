import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { CALM_MS } from '../../../src/agent/integrity-scan.ts';
import { scanMirror } from '../../../src/agent/mirror-scan.ts';
import { silentLog } from '../../../src/base/log.ts';
import { Lifecycle } from '../../../src/runtime/lifecycle.ts';
import { AT_ONCE_BYTES } from '../../../src/store/mirror/mirror-database.ts';
import { MirrorPlace } from '../../../src/store/mirror/mirror-place.ts';
import { eventually } from '../../support/daemon.ts';
import { damagePage, leavesOf } from '../../support/damage.ts';
import { aFolder } from '../../support/money-database.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

it('a large mirror is read page by page while no payment runs, and a flaw sets it aside', async () => {
  const path = join(aFolder(), 'mirror.db');
  const clock = new VirtualClock();
  const open = () => new MirrorPlace({ path, version: '0.1.0', clock, log: silentLog });
  const first = open();
  first.use(({ database }) =>
    database.run("INSERT INTO facts (name, value) VALUES ('padding', ?)", 'x'.repeat(AT_ONCE_BYTES)),
  );
  first.close();
  damagePage(path, leavesOf(path, 'runs_by_age')[0] ?? 0);
  const mirror = open();
  onTestFinished(() => mirror.close());
  expect([mirror.isChecked, mirror.loss]).toEqual([false, null]);
  const lifecycle = new Lifecycle(silentLog);
  onTestFinished(() => lifecycle.stop());
  let isQuiet = false;
  scanMirror({ mirror, quiet: () => isQuiet, clock, log: silentLog, lifecycle });
  await clock.advance(10 * CALM_MS);
  expect(mirror.loss).toBeNull();
  isQuiet = true;
  await clock.advance(CALM_MS + 1_000);
  await eventually(() => mirror.loss !== null);
  expect(mirror.loss?.kept).toMatch(/^mirror\.db\.damaged-/);
});
