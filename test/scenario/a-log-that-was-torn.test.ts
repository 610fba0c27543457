import { rmSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DEVICE_ID } from '../support/attempts.ts';
import { aWorld, Daemon, eventually, type World } from '../support/daemon.ts';
import { framesOf, overwrite } from '../support/damage.ts';
import { Till } from '../support/till.ts';

/** Of the log: less than what is made ahead while nobody pays, and more than what a start makes. */
const RESTED_BYTES = 7_000_000;

const sale = (minor: number) => ({
  device_id: DEVICE_ID,
  amount_minor: minor,
  currency: 'EUR',
  reference: `basket ${minor}`,
});
const chargedAt = ({ terminal }: World) =>
  terminal.snapshot().ledger.reduce((sum, { amountMinor }) => sum + amountMinor, 0);

async function pay(till: Till, minor: number): Promise<void> {
  const { body } = await till.ask('POST', '/terminal-payments', sale(minor));
  await eventually(
    async () =>
      (await till.ask('GET', `/terminal-payments/${body.data.id}`)).body.data.status === 'succeeded',
  );
}

async function twoSalesThenKilled(): Promise<{
  readonly world: World;
  readonly till: Till;
  readonly log: string;
}> {
  const world = await aWorld({ autopilotMs: 20 }, { service: undefined });
  const daemon = await Daemon.start(world);
  const till = await Till.at(daemon);
  const log = `${daemon.database}-wal`;
  // Once room was made ahead the log is not emptied between a sale and the kill: what is torn is what was sold.
  await eventually(() => statSync(log).size > RESTED_BYTES);
  await pay(till, 101);
  await pay(till, 102);
  await daemon.kill();
  return { world, till, log };
}

/** What is lost is noticed: nothing is sold before somebody has compared; then the shop sells on. */
async function asksFirst(world: World, till: Till): Promise<void> {
  const moved = till.moved(await Daemon.start(world));
  const task = await eventually(async () =>
    (await moved.ask('GET', '/terminal-tasks?open=true')).body.data.find(
      ({ kind }: { kind: string }) => kind === 'memory_lost',
    ),
  );
  expect(task.message).toMatch(/1\.02/);
  expect((await moved.ask('POST', '/terminal-payments', sale(102))).status).toBe(409);
  await moved.ask('POST', `/terminal-tasks/${task.id}/done`, { by: 'Ada', note: 'compared' });
  await pay(moved, 103);
  expect(chargedAt(world)).toBe(306);
}

describe('a write-ahead log after a power cut', { timeout: 60_000 }, () => {
  it('with half a transaction at its end: nothing that was committed is lost, and the shop sells on', async () => {
    const { world, till, log } = await twoSalesThenKilled();
    const frames = framesOf(log);
    const last = frames.at(-1) ?? 0;
    overwrite(log, last + (last - (frames.at(-2) ?? 0)), Buffer.alloc(3000, 0x77));
    const moved = till.moved(await Daemon.start(world));
    expect((await moved.ask('GET', '/terminal-tasks?open=true')).body.data).toEqual([]);
    expect((await moved.ask('POST', '/terminal-payments', sale(102))).body.error.code).toBe(
      'payment_already_paid',
    );
    await pay(moved, 103);
    expect(chargedAt(world)).toBe(306);
  });

  it('that lost a committed transaction: it is noticed, and nothing is sold before somebody has compared', async () => {
    const { world, till, log } = await twoSalesThenKilled();
    const frames = framesOf(log);
    overwrite(log, (frames.at(-1) ?? 0) + 100, Buffer.alloc(500, 0x77));
    await asksFirst(world, till);
  });

  it('with a damaged frame in its middle: what came after it is missed', async () => {
    const { world, till, log } = await twoSalesThenKilled();
    const frames = framesOf(log);
    overwrite(log, (frames[Math.floor(frames.length * 0.8)] ?? 0) + 100, Buffer.alloc(500, 0x77));
    await asksFirst(world, till);
  });

  it('that is gone: it is missed, and nothing is sold before somebody has compared', async () => {
    const { world, log } = await twoSalesThenKilled();
    expect(statSync(log).size).toBeGreaterThan(0);
    rmSync(log);
    const moved = await Till.at(await Daemon.start(world));
    const task = await eventually(async () =>
      (await moved.ask('GET', '/terminal-tasks?open=true')).body.data.find(
        ({ kind }: { kind: string }) => kind === 'memory_lost',
      ),
    );
    expect(task.message).toMatch(/1\.02/);
    expect((await moved.ask('POST', '/terminal-payments', sale(102))).body.error.code).toBe('memory_lost');
    await moved.ask('POST', `/terminal-tasks/${task.id}/done`, { by: 'Ada', note: 'compared' });
    await pay(moved, 103);
    expect(chargedAt(world)).toBe(306);
  });

  it('that is all that is left of the database: it is kept, and nothing is sold before somebody has compared', async () => {
    const { world, log } = await twoSalesThenKilled();
    rmSync(log.replace('-wal', ''));
    const daemon = await Daemon.start(world);
    const moved = await Till.at(daemon);
    expect((await moved.ask('POST', '/terminal-payments', sale(102))).body.error.code).toBe('memory_lost');
    expect(daemon.log).toMatch(/money\.db\.damaged-/);
  });
});
