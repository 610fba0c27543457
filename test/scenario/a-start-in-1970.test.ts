import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEVICE_ID } from '../support/attempts.ts';
import { aWorld, Daemon, eventually, type World } from '../support/daemon.ts';
import { Till } from '../support/till.ts';

const HOOK = new URL('../support/wrong-clock.mjs', import.meta.url).href;
const sale = (minor: number) => ({
  device_id: DEVICE_ID,
  amount_minor: minor,
  currency: 'EUR',
  reference: `basket ${minor}`,
});
const chargedAt = ({ terminal }: World) =>
  terminal.snapshot().ledger.reduce((sum, { amountMinor }) => sum + amountMinor, 0);

/** A machine without a battery: its clock begins in 1970 at each start, until somebody tells it the time. */
async function startedIn1970(
  world: World,
): Promise<{ readonly daemon: Daemon; readonly setTheTime: () => void }> {
  const file = join(world.folder, 'clock');
  writeFileSync(file, String(60_000 - Date.now()));
  const { NODE_OPTIONS } = process.env;
  process.env['WRONG_CLOCK'] = file;
  process.env['NODE_OPTIONS'] = `${NODE_OPTIONS ?? ''} --import ${HOOK}`;
  try {
    return { daemon: await Daemon.start(world), setTheTime: () => writeFileSync(file, '0') };
  } finally {
    process.env['NODE_OPTIONS'] = NODE_OPTIONS ?? '';
  }
}

async function pay(till: Till, minor: number): Promise<string> {
  const { id } = (await till.ask('POST', '/terminal-payments', sale(minor))).body.data;
  const paid = await eventually(async () => {
    const { data } = (await till.ask('GET', `/terminal-payments/${id}`)).body;
    return data.status === 'succeeded' && data;
  });
  return paid.created_at;
}

describe('a machine that starts in 1970', { timeout: 300_000 }, () => {
  it('sells, and what was paid then is not charged again once the clock is right, nor at the next start in 1970', async () => {
    const world = await aWorld({ autopilotMs: 20 });
    const { daemon, setTheTime } = await startedIn1970(world);
    const till = await Till.at(daemon);
    expect(await pay(till, 101)).toMatch(/^1970-/);
    setTheTime();
    expect((await till.ask('POST', '/terminal-payments', sale(101))).body.error.code).toBe(
      'payment_already_paid',
    );
    expect(await pay(till, 102)).not.toMatch(/^1970-/);
    await daemon.kill();

    const again = till.moved((await startedIn1970(world)).daemon);
    expect((await again.ask('GET', '/terminal-tasks?open=true')).body.data).toEqual([]);
    for (const minor of [101, 102])
      expect((await again.ask('POST', '/terminal-payments', sale(minor))).body.error.code).toBe(
        'payment_already_paid',
      );
    expect(await pay(again, 103)).toMatch(/^1970-/);
    expect(chargedAt(world)).toBe(306);
  });
});
