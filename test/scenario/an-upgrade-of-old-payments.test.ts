import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { recordOf } from '../../src/sandbox/service/catalogue.ts';
import { DEVICE_ID } from '../support/attempts.ts';
import { aWorld, Daemon, eventually } from '../support/daemon.ts';
import { invoiceId, writeOlderBooks } from '../support/older-ids.ts';
import { statusOf, Till, tillctl } from '../support/till.ts';

const PAYMENTS = 500;
/** An invoice of the sandbox's service of which enough is due. */
const OPEN_INVOICE = String(recordOf('invoices', 8)['id']);
const IN_CAPITALS = 'SELECT count(*) FROM attempts WHERE invoice_id <> lower(invoice_id)';

it('an upgrade sells at once, charges no invoice twice, shows how far it is, and goes on after a kill', {
  timeout: 60_000,
}, async () => {
  const world = await aWorld({ autopilotMs: 20 });
  const state = join(world.folder, 'state');
  writeOlderBooks(join(state, 'money.db'), PAYMENTS, join(state, 'epoch'));
  let daemon = await Daemon.start(world);
  let till = await Till.at(daemon);
  const upgrade = async () => (await statusOf(daemon)).upgrade;
  const sale = (invoice: string) =>
    till.ask('POST', '/terminal-payments', {
      device_id: DEVICE_ID,
      amount_minor: 1234,
      currency: 'EUR',
      invoice_id: invoice,
    });

  // Before the first payment of the past is in its new form, the oldest invoice is refused and another one is charged.
  expect(await upgrade()).toMatchObject({ step: 'ids_in_one_form', total: PAYMENTS });
  const refused = await sale(invoiceId(1));
  expect([refused.status, refused.body.error.code]).toEqual([409, 'payment_already_paid']);
  expect((await sale(OPEN_INVOICE)).status).toBe(201);
  expect((await tillctl(daemon, 'status')).stdout).toMatch(/upgrade +\d+ of 500 older payments/);

  const done = await eventually(async () => {
    const now = await upgrade();
    return now.done > 0 && now.done;
  });
  await daemon.kill();
  daemon = await Daemon.start(world);
  till = await Till.at(daemon);
  const after = await upgrade();
  expect(after.done).toBeGreaterThanOrEqual(done);
  expect(after.done).toBeLessThan(PAYMENTS);
  expect((await sale(invoiceId(1))).status).toBe(409);

  await eventually(async () => (await upgrade()) === null, 30_000);
  expect((await sale(invoiceId(1))).status).toBe(409);
  expect(world.terminal.snapshot().ledger.map(({ amountMinor }) => amountMinor)).toEqual([1234]);
  expect(daemon.log).toMatch(/brought into one form while no customer pays/);
  expect(daemon.log).toMatch(/the upgrade is finished/);
  await daemon.stop();
  const books = new Sqlite(daemon.database, { readonly: true });
  expect(books.prepare(IN_CAPITALS).pluck().get()).toBe(0);
  books.close();
});

it('books of this release have nothing to upgrade, and status says so', { timeout: 60_000 }, async () => {
  const world = await aWorld({ autopilotMs: 20 });
  const daemon = await Daemon.start(world);
  expect((await statusOf(daemon)).upgrade).toBeNull();
  expect((await tillctl(daemon, 'status')).stdout).not.toContain('upgrade');
  expect(daemon.log).not.toMatch(/one form/);
  await daemon.stop();
});
