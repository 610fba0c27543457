import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { AT_ONCE_BYTES, UnscannedPages } from '../../src/store/damage/unscanned-pages.ts';
import { DEVICE_ID } from '../support/attempts.ts';
import { aWorld, Daemon, eventually, type World } from '../support/daemon.ts';
import { damagePage, leavesOf } from '../support/damage.ts';
import { Till } from '../support/till.ts';

const stateOf = (world: World) => join(world.folder, 'state');
const databaseOf = (world: World) => join(stateOf(world), 'money.db');
const sale = (minor: number) => ({
  device_id: DEVICE_ID,
  amount_minor: minor,
  currency: 'EUR',
  reference: `basket ${minor}`,
});
const chargedAt = ({ terminal }: World) =>
  terminal
    .snapshot()
    .ledger.reduce(
      (sum, { result, reversed, amountMinor }) =>
        sum + (result === 'approved' && !reversed ? amountMinor : 0),
      0,
    );

async function pay(till: Till, minor: number): Promise<string> {
  const { status, body } = await till.ask('POST', '/terminal-payments', sale(minor));
  expect([status, body.error]).toEqual([201, undefined]);
  const { id } = body.data;
  await eventually(
    async () => (await till.ask('GET', `/terminal-payments/${id}`)).body.data.status === 'succeeded',
  );
  return id;
}

/** A shop with three paid sales whose daemon is down and has left everything in its database. `padding`: bytes more in it. */
async function threeSales(padding = 0): Promise<{
  readonly world: World;
  readonly till: Till;
  readonly ids: readonly string[];
}> {
  const world = await aWorld({ autopilotMs: 20 });
  const daemon = await Daemon.start(world);
  const till = await Till.at(daemon);
  const ids = [await pay(till, 101), await pay(till, 102), await pay(till, 103)];
  await daemon.stop();
  if (padding > 0) pad(databaseOf(world), padding);
  return { world, till, ids };
}

function pad(path: string, bytes: number): void {
  const sqlite = new Sqlite(path);
  sqlite.prepare("INSERT INTO facts (name, value) VALUES ('padding', ?)").run('x'.repeat(bytes));
  sqlite.close();
}

async function reasons(till: Till): Promise<readonly { code: string; message: string }[]> {
  return (await till.ask('GET', '/terminal-tasks?open=true')).body.data.map(
    ({ kind, message }: { kind: string; message: string }) => ({ code: kind, message }),
  );
}

/** A person looks at everything that is asked, and says so. */
async function compare(till: Till): Promise<void> {
  const { data } = (await till.ask('GET', '/terminal-tasks?open=true')).body;
  for (const { id } of data)
    await till.ask('POST', `/terminal-tasks/${id}/done`, { by: 'Ada', note: 'compared' });
}

async function health(
  daemon: Daemon,
): Promise<{ readonly status: number; readonly codes: readonly string[] }> {
  const answer = await fetch(`${daemon.url}/healthz`);
  const body = (await answer.json()) as { reasons: { code: string }[] };
  return { status: answer.status, codes: body.reasons.map(({ code }) => code) };
}

describe('a database with a damaged page', { timeout: 60_000 }, () => {
  it('is set aside as it is, what can be read or brought back is in its place, and the shop sells once somebody has compared', async () => {
    const { world, till, ids } = await threeSales();
    const killed = await Daemon.start(world);
    await killed.kill();
    const [page = 0] = leavesOf(copyOf(world), 'attempts');
    damagePage(databaseOf(world), page);
    const damaged = readFileSync(databaseOf(world));

    const daemon = await Daemon.start(world);
    const moved = till.moved(daemon);
    const kept = readdirSync(stateOf(world)).filter((name) => /^money\.db\.damaged-[\d-]+$/.test(name));
    expect(kept).toHaveLength(1);
    expect(readFileSync(join(stateOf(world), kept[0] ?? '')).equals(damaged)).toBe(true);
    for (const id of ids)
      expect((await moved.ask('GET', `/terminal-payments/${id}`)).body.data).toMatchObject({
        status: 'succeeded',
        charged: 'yes',
      });
    await eventually(async () => (await reasons(moved)).length === 2);
    expect(await reasons(moved)).toMatchObject([
      {
        code: 'storage_damaged',
        message: expect.stringMatching(
          /set aside as money\.db\.damaged-.*3 payments were saved, 0 were lost; no customer was charged by this/,
        ),
      },
      { code: 'memory_lost' },
    ]);
    expect(await health(daemon)).toEqual({ status: 200, codes: ['storage_quarantined', 'memory_lost'] });
    expect((await moved.ask('POST', '/terminal-payments', sale(104))).body.error.code).toBe('memory_lost');
    await compare(moved);
    await pay(moved, 104);
    expect((await moved.ask('POST', '/terminal-payments', sale(102))).body.error.code).toBe(
      'payment_already_paid',
    );
    expect([chargedAt(world), await health(daemon)]).toEqual([410, { status: 200, codes: [] }]);
  });

  it('that is first met while it runs: nothing is answered from it, the daemon goes down, and the next start sets it aside', async () => {
    const { world, till, ids } = await threeSales();
    const [page = 0] = leavesOf(copyOf(world), 'events');
    damagePage(databaseOf(world), page);
    const daemon = await Daemon.start(world);
    const ended = daemon.ended();
    await till
      .moved(daemon)
      .ask('GET', '/events?limit=100')
      .catch(() => undefined);
    expect(await ended).toBe(1);
    const again = till.moved(await Daemon.start(world));
    for (const id of ids)
      expect((await again.ask('GET', `/terminal-payments/${id}`)).body.data.status).toBe('succeeded');
    await eventually(async () => (await reasons(again)).length === 2);
    await compare(again);
    await pay(again, 104);
    expect(chargedAt(world)).toBe(410);
  });

  it('or that is none any more, is set aside, and nothing is sold before the last payments were compared', async () => {
    const { world, till } = await threeSales();
    writeFileSync(databaseOf(world), Buffer.alloc(100_000, 0x5a));
    const daemon = await Daemon.start(world);
    const moved = await Till.at(daemon);
    expect((await till.moved(daemon).ask('GET', '/terminal-payments')).status).toBe(401);
    await eventually(async () => (await reasons(moved)).length === 2);
    expect((await reasons(moved)).at(-1)?.message).toMatch(/1\.03.*Compare it with the baskets/);
    expect((await moved.ask('POST', '/terminal-payments', sale(103))).body.error.code).toBe('memory_lost');
    await compare(moved);
    await pay(moved, 104);
    expect(chargedAt(world)).toBe(410);
  });
});

describe('a large database behind an end that was none', { timeout: 60_000 }, () => {
  const unreadOf = (world: World) => new UnscannedPages(join(stateOf(world), 'unread-pages')).pending;

  it('is sold from before its pages were read; a damaged one that is met ends the daemon, and the next start reads them all first', async () => {
    const { world, till, ids } = await threeSales(AT_ONCE_BYTES);
    const killed = await Daemon.start(world);
    await killed.kill();
    const [page = 0] = leavesOf(copyOf(world), 'events');
    damagePage(databaseOf(world), page);

    const daemon = await Daemon.start(world);
    const moved = till.moved(daemon);
    expect(unreadOf(world)).toBe('later');
    expect(await health(daemon)).toEqual({ status: 200, codes: [] });
    await pay(moved, 104);
    const ended = daemon.ended();
    await moved.ask('GET', '/events?limit=100').catch(() => undefined);
    expect([await ended, unreadOf(world)]).toEqual([1, 'first']);

    const again = till.moved(await Daemon.start(world));
    expect(unreadOf(world)).toBe('nothing');
    for (const id of ids)
      expect((await again.ask('GET', `/terminal-payments/${id}`)).body.data.status).toBe('succeeded');
    await eventually(async () => (await reasons(again)).length === 2);
    await compare(again);
    expect((await again.ask('POST', '/terminal-payments', sale(104))).body.error.code).toBe(
      'payment_already_paid',
    );
    await pay(again, 105);
    expect(chargedAt(world)).toBe(515);
  });
});

/** A copy to look into: looking leaves files beside it. */
function copyOf(world: World): string {
  const copy = join(world.folder, 'copy.db');
  copyFileSync(databaseOf(world), copy);
  return copy;
}
