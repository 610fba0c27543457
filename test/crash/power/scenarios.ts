import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { firstRelease } from './first-release.ts';
import { RecordedShop, type ShopDeps } from './shop.ts';

/** How a life ends: in order, or by SIGKILL in the middle of something. */
export type LifeEnd = 'closed' | 'killed';
export type Life = (deps: ShopDeps) => Promise<LifeEnd>;

/** One kind of work in the course of which the machine may lose its power. */
export interface Scenario {
  readonly name: string;
  /** What was before; its disk is safe. */
  readonly before?: readonly Life[];
  /** Each is a process of its own on the same folder; every one of its writes is recorded. */
  readonly lives: readonly Life[];
}

const SEEN = { by: 'Kim', reason: 'looked at the receipt', shown: '0001', lead: true } as const;
const DAY_MS = 86_400_000;

/** Sales as they end every day: approved, declined, aborted, after a wrong PIN, cancelled in the lane and at the terminal. */
const payment: Life = async (parts) => {
  const shop = await RecordedShop.open(parts);
  await shop.settle(shop.sell(1001));
  for (const [key, minor] of [
    ['decline', 1002],
    ['abort', 1003],
    ['wrong_pin', 1004],
  ] as const) {
    shop.terminal.press(key);
    await shop.settle(shop.sell(minor));
  }
  const [running, waiting] = [shop.sell(1005), shop.sell(1006)];
  shop.payments.cancel(waiting.id);
  await shop.until(() => shop.payments.get(running.id).attempt.state.name === 'accepted');
  shop.payments.cancel(running.id);
  await shop.settle(running);
  shop.anchor();
  await shop.settle(shop.sell(1007));
  await shop.close();
  return 'closed';
};

/** What is given back: a part, the rest, a void, an approval for less that is undone by itself. */
const givingBack: Life = async (parts) => {
  const shop = await RecordedShop.open(parts);
  const [first, second] = [await shop.settle(shop.sell(2001)), await shop.settle(shop.sell(2002))];
  await shop.settle(shop.refund(first.id, 501));
  await shop.settle(shop.refund(first.id));
  await shop.settle(shop.void(second.id));
  shop.terminal.nextAmount(1503);
  const part = await shop.settle(shop.sell(2003));
  await shop.clock.advance(30_000);
  for (const { id } of shop.money.payments.childrenOf(part.id)) shop.attempt(id);
  shop.anchor();
  await shop.close();
  return 'closed';
};

/** A doubt that recovery settles, one that a restart finds, and one that a person decides. */
const doubtAndDeath: Life = async (parts) => {
  const shop = await RecordedShop.open(parts);
  await shop.settle(shop.sell(3001));
  shop.terminal.inject({ when: 'result', do: 'cut' });
  await shop.settle(shop.sell(3002));
  shop.terminal.inject({ when: 'completion', do: 'cut' });
  await shop.settle(shop.sell(3003));
  const last = shop.sell(3004);
  await shop.until(() => shop.payments.get(last.id).attempt.state.name === 'approved', 20_000).catch(() => 0);
  return 'killed';
};

const recovery: Life = async (parts) => {
  const shop = await RecordedShop.open(parts);
  for (const { id } of shop.money.payments.openAttempts()) await shop.settle(shop.attempt(id));
  shop.terminal.inject({ when: 'result', do: 'power_loss', ms: 5000 });
  const lost = shop.sell(3005);
  await shop.until(() => shop.payments.get(lost.id).attempt.state.name === 'in_doubt');
  shop.terminal.stop();
  shop.terminal.start();
  shop.terminal.typeByHand({ kind: 'sale', amountMinor: 777 });
  await shop.settle(lost);
  const isCharged = shop.terminal
    .snapshot()
    .ledger.some(({ amountMinor, result }) => amountMinor === 3005 && result === 'approved');
  const as = isCharged ? 'succeeded' : 'not_charged';
  shop.attempt(shop.payments.resolve(lost.id, { as, ...SEEN }).attempt.id);
  await shop.settle(shop.sell(3006));
  shop.sell(3007);
  return 'killed';
};

const afterwards: Life = async (parts) => {
  const shop = await RecordedShop.open(parts);
  for (const { id } of shop.money.payments.openAttempts()) await shop.settle(shop.attempt(id));
  await shop.close();
  return 'closed';
};

/** What is pending for the service is reported, though it loses answers, is away, and the agent is restarted meanwhile. */
const outbox: Life = async (parts) => {
  const shop = await RecordedShop.open({ ...parts, withService: true });
  await shop.settle(shop.sell(4001));
  await shop.clock.advance(10_000);
  shop.service?.spoil('answer_lost', 1, 'POST /terminal-payments');
  await shop.settle(shop.sell(4002));
  await shop.clock.advance(20_000);
  shop.service?.goOffline(60_000);
  await shop.settle(shop.sell(4003));
  await shop.reopen();
  await shop.clock.advance(200_000);
  shop.service?.spoil('status_422', 1, 'POST /terminal-payments');
  const sale = await shop.settle(shop.sell(4004));
  await shop.clock.advance(20_000);
  await shop.settle(shop.refund(sale.id, 104));
  await shop.clock.advance(60_000);
  await shop.close();
  return 'closed';
};

/** Work that the service has: claimed, run and reported; an alias is kept, and how far its events were read. */
const serviceWork: Life = async (parts) => {
  const shop = await RecordedShop.open({ ...parts, withService: true });
  const ask = (amount_minor: number) =>
    shop.service?.ask({ device_id: shop.deviceId, amount_minor, currency: 'EUR' }, null);
  await shop.settle(shop.sell(5001));
  await ask(5002);
  await shop.clock.advance(30_000);
  await ask(5003);
  shop.terminal.press('decline');
  await shop.clock.advance(30_000);
  shop.service?.askBack('refund', 202);
  await shop.clock.advance(60_000);
  await ask(5004);
  await shop.reopen();
  await shop.clock.advance(60_000);
  await shop.close();
  return 'closed';
};

/** A database of the first release, written to by it and opened by this one. */
const migration: Life = async (parts) => {
  firstRelease(parts);
  const shop = await RecordedShop.open(parts);
  for (const { id } of shop.money.payments.openAttempts()) await shop.settle(shop.attempt(id));
  await shop.settle(shop.sell(6001));
  await shop.close();
  return 'closed';
};

/** The day of a terminal is closed, and closed again. */
const endOfDay: Life = async (parts) => {
  const shop = await RecordedShop.open(parts);
  const close = async () => {
    const { id } = shop.office.endOfDay({ deviceId: shop.deviceId, caller: 'socket', force: null });
    await shop.until(() => shop.office.settlement(id).completedAt !== null);
  };
  await shop.settle(shop.sell(7001));
  await close();
  await shop.settle(shop.sell(7002));
  await shop.settle(shop.void((await shop.settle(shop.sell(7003))).id));
  await close();
  shop.terminal.nextClose('refused');
  await close();
  await shop.settle(shop.sell(7004));
  const id = shop.office.endOfDay({ deviceId: shop.deviceId, caller: 'socket', force: null }).id;
  await shop.until(() => shop.office.settlement(id).status !== 'requested');
  return 'killed';
};

/** The log is moved into the database in every pause, now and then beside somebody who still reads an older state. */
const checkpoints: Life = async (parts) => {
  const shop = await RecordedShop.open(parts);
  const reader = new Sqlite(join(parts.folder, 'money.db'), { readonly: true });
  for (let minor = 8001; minor <= 8008; minor += 1) {
    const sale = shop.sell(minor, { metadata: { note: 'x'.repeat(minor % 3 === 0 ? 6000 : 10) } });
    if (minor % 4 === 0) reader.exec('BEGIN; SELECT count(*) FROM journal');
    await shop.clock.advance(400);
    shop.money.database.checkpoint();
    await shop.settle(sale);
    if (minor % 4 === 1 && reader.inTransaction) reader.exec('COMMIT');
    shop.money.database.checkpoint();
  }
  reader.close();
  await shop.close();
  return 'closed';
};

/** Days go by: the daemon stops in order and starts again, and the journal is anchored daily. */
const days: Life = async (parts) => {
  const shop = await RecordedShop.open(parts);
  shop.anchor();
  for (let minor = 9001; minor <= 9005; minor += 1) {
    await shop.settle(shop.sell(minor));
    shop.anchor();
    shop.clock.jumpWallClock(DAY_MS);
    await shop.reopen();
    shop.anchor();
  }
  await shop.close();
  return 'closed';
};

/** The database is gone or an older one, and its memory with it. */
const sellsAndSaves: Life = async (parts) => {
  const shop = await RecordedShop.open(parts);
  await shop.settle(shop.sell(9101));
  shop.anchor();
  await shop.close();
  copyFileSync(join(parts.folder, 'money.db'), join(parts.spare, 'backup.db'));
  return 'closed';
};

const sellsOn: Life = async (parts) => {
  const shop = await RecordedShop.open(parts);
  await shop.settle(shop.sell(9102));
  await shop.settle(shop.sell(9103));
  shop.anchor();
  await shop.close();
  return 'closed';
};

const isRestored: Life = async ({ folder, spare }) => {
  copyFileSync(join(spare, 'backup.db'), join(folder, 'money.db'));
  return 'closed';
};

const isGone: Life = async ({ folder }) => {
  rmSync(join(folder, 'money.db'));
  return 'closed';
};

const remembersLess: Life = async (parts) => {
  const shop = await RecordedShop.open(parts);
  shop.anchor();
  await shop.clock.advance(30_000);
  await shop.reopen();
  shop.anchor();
  await shop.close();
  return 'closed';
};

/** An old shop: payments that have ended and that the service knows. */
const sellsForLong: Life = async (parts) => {
  const shop = await RecordedShop.open({ ...parts, withService: true });
  for (let minor = 9201; minor <= 9250; minor += 1) {
    const sale = await shop.settle(shop.sell(minor));
    if (minor % 10 === 0) await shop.settle(shop.refund(sale.id, minor - 9000));
  }
  await shop.clock.advance(600_000);
  shop.anchor();
  await shop.close();
  return 'closed';
};

/** Their scenarios go to the archive, between sales, a stop in order and a kill. */
const archives: Life = async (parts) => {
  const shop = await RecordedShop.open(parts);
  shop.archive();
  await shop.settle(shop.sell(9301));
  shop.archive();
  shop.money.database.checkpoint();
  shop.archive();
  await shop.reopen();
  shop.archive();
  await shop.settle(shop.sell(9302));
  shop.anchor();
  shop.archive();
  return 'killed';
};

const archivesOn: Life = async (parts) => {
  const shop = await RecordedShop.open(parts);
  while (shop.archive() !== 'nothing') await shop.clock.advance(1_000);
  await shop.close();
  return 'closed';
};

/** Everything that a power cut can interrupt, by kind of work. */
export const SCENARIOS: readonly Scenario[] = [
  { name: 'payment', lives: [payment] },
  { name: 'giving-back', lives: [givingBack] },
  { name: 'recovery', lives: [doubtAndDeath, recovery, afterwards] },
  { name: 'outbox', lives: [outbox] },
  { name: 'service-work', lives: [serviceWork] },
  { name: 'migration', lives: [migration] },
  { name: 'end-of-day', lives: [endOfDay, afterwards] },
  { name: 'checkpoint', lives: [checkpoints] },
  { name: 'days', lives: [days] },
  { name: 'archive', before: [sellsForLong], lives: [archives, archivesOn] },
  { name: 'restored', before: [sellsAndSaves, sellsOn, isRestored], lives: [remembersLess] },
  { name: 'database-gone', before: [sellsAndSaves, isGone], lives: [remembersLess] },
];
