import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { examineDaily } from '../../../src/agent/daily-examination.ts';
import { DoctorBeside } from '../../../src/agent/doctor.ts';
import { silentLog } from '../../../src/base/log.ts';
import { Lifecycle } from '../../../src/runtime/lifecycle.ts';
import { WalSpace } from '../../../src/store/disk/wal-space.ts';
import { eventually } from '../../support/daemon.ts';
import { aFolder, aMoneyDatabase } from '../../support/money-database.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const FIRST_MS = 300_000;
const CALM_MS = 30_000;
const A_LOOK = 1_000;
const AN_HOUR = 3_600_000;

/** A daemon with a database, as far as the doctor sees it; the process that examines is a real one. */
function aShop(roomBytes = 3_145_728) {
  const path = join(aFolder(), 'money.db');
  const database = aMoneyDatabase(path);
  new WalSpace(database).grow(roomBytes);
  const clock = new VirtualClock();
  const lifecycle = new Lifecycle(silentLog);
  const folder = { path: dirname(path), socket: join(dirname(path), 'none.sock') };
  const doctor = new DoctorBeside({ config: join(dirname(path), 'none.jsonc'), folder, clock });
  onTestFinished(() => doctor.close());
  onTestFinished(() => lifecycle.stop());
  const shop = { isQuiet: true, clock, doctor, state: () => doctor.last().state };
  examineDaily({ doctor, database, quiet: () => shop.isQuiet, clock, lifecycle });
  return shop;
}

describe('the doctor, unasked', () => {
  it('examines some minutes after the start, and again after an hour where it found something', async () => {
    const { clock, doctor, state } = aShop();
    await clock.advance(FIRST_MS - A_LOOK);
    expect(state()).toBe('never');
    await clock.advance(2 * A_LOOK);
    expect(state()).toBe('running');
    await eventually(() => state() === 'done');
    const first = doctor.last();
    expect(first.findings.map(({ level }) => level)).toContain('fail');
    await clock.advance(AN_HOUR - A_LOOK);
    expect(doctor.last()).toBe(first);
    await clock.advance(2 * A_LOOK);
    expect(doctor.last()).toMatchObject({
      state: 'running',
      endedAt: first.endedAt,
      findings: first.findings,
    });
  });

  it('is ended by a payment, and examines once none has run for half a minute', async () => {
    const shop = aShop();
    await shop.clock.advance(FIRST_MS + A_LOOK);
    expect(shop.state()).toBe('running');
    shop.isQuiet = false;
    await shop.clock.advance(A_LOOK);
    expect(shop.state()).toBe('never');
    shop.isQuiet = true;
    await shop.clock.advance(CALM_MS - A_LOOK);
    expect(shop.state()).toBe('never');
    await shop.clock.advance(2 * A_LOOK);
    expect(shop.state()).toBe('running');
    await eventually(() => shop.state() === 'done');
  });

  it('examines on for a person who asked, while a payment runs', async () => {
    const shop = aShop();
    await shop.clock.advance(FIRST_MS + A_LOOK);
    shop.doctor.examine();
    shop.isQuiet = false;
    await shop.clock.advance(A_LOOK);
    expect(shop.state()).toBe('running');
    await eventually(() => shop.state() === 'done');
  });

  it('does not read while the log has too little room for payments', async () => {
    const shop = aShop(1_000_000);
    await shop.clock.advance(FIRST_MS + AN_HOUR);
    expect(shop.state()).toBe('never');
  });
});
