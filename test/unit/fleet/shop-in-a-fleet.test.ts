import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import type { DoCommand } from '../../../src/fleet/agent/commands.ts';
import { Fleet } from '../../../src/fleet/agent/fleet.ts';
import type { Membership } from '../../../src/fleet/agent/membership.ts';
import { sendCommand } from '../../../src/hub/commands/send.ts';
import { makeOperatorKey, signCommand } from '../../../src/hub/commands/sign.ts';
import { asTenant } from '../../../src/hub/database/connect.ts';
import { tenantId } from '../../../src/hub/shops/invite.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { JournalPages } from '../../../src/store/archive/journal-pages.ts';
import { beginEpoch } from '../../../src/store/epoch/epoch.ts';
import { type TestHub, testHub } from '../../fleet/hub.ts';
import { OldShop, ROWS_OF_A_PAYMENT } from '../../support/archive.ts';
import { copyOfDatabase } from './copy.ts';

describe('a shop in a fleet', () => {
  let hub: TestHub;
  let url: string;
  beforeAll(async () => {
    hub = await testHub();
    hub.now = Date.now();
    await hub.tenant('Bakery');
    url = await hub.listen();
  });
  afterAll(() => hub.stop());

  /** The agent's side on real books. `membership` is what its file would hold. */
  function agentOf(
    books: OldShop,
    membership: Membership | null = null,
    state: () => object = () => ({}),
    run: DoCommand = async () => '',
  ) {
    const kept = { membership };
    const fleet = new Fleet({
      place: {
        read: () => kept.membership,
        keep: (changed) => {
          kept.membership = changed;
        },
        remove: () => {
          kept.membership = null;
        },
      },
      journal: new JournalPages(books.money, books.place),
      state: () => ({ ...state() }),
      run,
      books: { standOf: () => ({ kind: 'open' }) },
      configuration: {
        view: () => ({ running: null, attempted: null, failed: null }),
        forget: () => undefined,
      },
      version: '1.2.3',
      clock: systemClock,
      random: () => 0.5,
      log: silentLog,
    });
    onTestFinished(() => fleet.stop());
    fleet.open();
    fleet.start();
    return { fleet, kept };
  }

  function booksOf(payments: number): OldShop {
    const books = OldShop.of(payments);
    beginEpoch(books.money, `epoch of ${books.folder}`, 0);
    return books;
  }

  const rowsOf = (fleet: Fleet) =>
    hub.database
      .selectFrom('journal')
      .select(['branch', 'seq', 'hash', 'damaged'])
      .where('agent_id', '=', fleet.view().joined?.agentId ?? '')
      .orderBy('branch')
      .orderBy('seq')
      .execute();
  const caughtUp = (fleet: Fleet, end: number) =>
    expect.poll(() => fleet.view().joined?.link.nextSeq, { timeout: 20_000 }).toBe(end + 1);

  it('joins by a code, sends its whole journal, then each payment as it is made', async () => {
    const books = booksOf(30);
    const { fleet } = agentOf(books);
    expect(fleet.view().joined).toBeNull();
    await fleet.join(url, await hub.invite('Bakery', 'whole'), []);
    expect(fleet.view().joined).toMatchObject({ tenant: 'Bakery', shop: 'whole', hubUrl: url });
    await caughtUp(fleet, 30 * ROWS_OF_A_PAYMENT);
    books.pay(31);
    fleet.journalGrew();
    await caughtUp(fleet, 31 * ROWS_OF_A_PAYMENT);
    const rows = await rowsOf(fleet);
    expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1));
    expect(rows.every(({ damaged }) => damaged === null)).toBe(true);
    expect(fleet.view().joined?.link).toMatchObject({ trouble: null, isRefused: false, quarantined: null });
  });

  it('sends what is in its archive, too', async () => {
    const books = booksOf(40);
    expect(books.archiveAll()).toBeGreaterThan(0);
    const { fleet } = agentOf(books);
    await fleet.join(url, await hub.invite('Bakery', 'archive'), []);
    await caughtUp(fleet, 40 * ROWS_OF_A_PAYMENT);
    expect((await rowsOf(fleet)).map(({ seq }) => seq)[0]).toBe(1);
  });

  it('sends a damaged row as such, and what stands behind it', async () => {
    const books = booksOf(20);
    for (const name of ['journal_is_not_changed', 'journal_is_not_deleted'])
      books.money.run(`DROP TRIGGER ${name}`);
    books.money.run("UPDATE journal SET details = '{}' WHERE seq = 33");
    books.money.run('DELETE FROM journal WHERE seq = 60');
    const { fleet } = agentOf(books);
    await fleet.join(url, await hub.invite('Bakery', 'damaged'), []);
    await caughtUp(fleet, 20 * ROWS_OF_A_PAYMENT);
    const rows = await rowsOf(fleet);
    const damaged = rows.filter((row) => row.damaged !== null).map(({ seq, damaged: why }) => [seq, why]);
    expect(damaged).toEqual([
      [33, 'the row does not fit its hash'],
      [60, 'the row is gone'],
      [61, 'the row does not fit its hash'],
    ]);
    expect(rows).toHaveLength(100);
  });

  it('fills a hub again that has lost what it had', async () => {
    const books = booksOf(20);
    const { fleet, kept } = agentOf(books);
    await fleet.join(url, await hub.invite('Bakery', 'restored hub'), []);
    await caughtUp(fleet, 100);
    const agent = fleet.view().joined?.agentId ?? '';
    await fleet.stop();
    await hub.database.deleteFrom('journal').where('agent_id', '=', agent).where('seq', '>', 40).execute();
    const last = await hub.database
      .selectFrom('journal')
      .select('hash')
      .where('agent_id', '=', agent)
      .where('seq', '=', 40)
      .executeTakeFirstOrThrow();
    await hub.database
      .updateTable('journal_cursor')
      .set({ next_seq: 41, last_hash: last.hash })
      .where('agent_id', '=', agent)
      .execute();
    const { fleet: again } = agentOf(books, kept.membership);
    await caughtUp(again, 100);
    expect(await rowsOf(again)).toHaveLength(100);
  });

  it('two copies of one folder that both sell: both histories are kept apart, and no commands are given', async () => {
    const books = booksOf(20);
    const { fleet, kept } = agentOf(books);
    await fleet.join(url, await hub.invite('Bakery', 'copied'), []);
    await caughtUp(fleet, 100);
    const copy = copyOfDatabase(books);
    for (const number of [21, 22]) books.pay(number);
    copy.pay(23);
    fleet.journalGrew();
    await caughtUp(fleet, 110);
    await fleet.stop();
    const { fleet: other } = agentOf(copy, kept.membership);
    await expect
      .poll(async () => (await rowsOf(other)).filter(({ branch }) => branch === 1).length, {
        timeout: 20_000,
      })
      .toBeGreaterThan(0);
    const rows = await rowsOf(other);
    expect(rows.filter(({ branch }) => branch === 0)).toHaveLength(110);
    const agent = await hub.database
      .selectFrom('agent')
      .select('quarantined')
      .where('id', '=', other.view().joined?.agentId ?? '')
      .executeTakeFirst();
    expect(agent?.quarantined).toBe('journal_contradicts');
  });

  it('a shop that was put back to yesterday and sold on while its hub was away: all of its rows are there', async () => {
    const books = booksOf(18);
    const { fleet, kept } = agentOf(books);
    await fleet.join(url, await hub.invite('Bakery', 'put back'), []);
    await caughtUp(fleet, 90);
    const yesterday = copyOfDatabase(books);
    for (const number of [19, 20, 21, 22]) books.pay(number);
    fleet.journalGrew();
    await caughtUp(fleet, 110);
    await fleet.stop();
    for (let number = 31; number <= 44; number += 1) yesterday.pay(number);
    const { fleet: again } = agentOf(yesterday, kept.membership);
    await caughtUp(again, 160);
    const branch = (await rowsOf(again)).filter((row) => row.branch === 1).map(({ seq }) => seq);
    expect(branch.at(-1)).toBe(160);
    expect(branch[0]).toBeLessThanOrEqual(91);
    expect(branch).toEqual(branch.map((_, index) => (branch[0] ?? 0) + index));
  });

  it('sends what it has, where its archive has lost a part for good', async () => {
    const books = booksOf(40);
    for (let turn = 0; turn < 3; turn += 1) books.archiver.turn(Number.MAX_SAFE_INTEGER, 50);
    const archive = books.place.archive();
    const { last } = archive.get('SELECT min(last_seq) AS last FROM chunks') as { last: number };
    archive.run('DROP TRIGGER chunks_are_not_deleted');
    archive.run('DELETE FROM archived_attempts WHERE last_seq = ?', last);
    archive.run('DELETE FROM chunks WHERE last_seq = ?', last);
    const { fleet } = agentOf(books);
    await fleet.join(url, await hub.invite('Bakery', 'archive lost'), []);
    await caughtUp(fleet, 200);
    const rows = await rowsOf(fleet);
    expect(rows).toHaveLength(200);
    expect(rows.filter(({ damaged }) => damaged === 'the row is gone')).toHaveLength(last);
    expect(rows.filter(({ damaged }) => damaged === null)).toHaveLength(200 - last);
  });

  it('sends a row that no contract knows as a damaged one', async () => {
    const books = booksOf(4);
    books.money.run('DROP TRIGGER journal_is_not_changed');
    books.money.run('UPDATE journal SET details = ? WHERE seq = 7', 'x'.repeat(300_000));
    const { fleet } = agentOf(books);
    await fleet.join(url, await hub.invite('Bakery', 'odd row'), []);
    await caughtUp(fleet, 20);
    expect((await rowsOf(fleet)).filter(({ damaged }) => damaged !== null).map(({ seq }) => seq)).toEqual([
      7,
    ]);
  });

  it('is refused with a wrong code, keeps no membership, and may try again with the right one', async () => {
    const books = booksOf(1);
    const { fleet } = agentOf(books);
    await expect(fleet.join(url, 'AAAA-BBBB-CCCC', [])).rejects.toMatchObject({ code: 'INVITATION_INVALID' });
    await expect(fleet.join('http://hub.example', 'X', [])).rejects.toMatchObject({
      code: 'HUB_URL_INVALID',
    });
    await expect(fleet.join('http://127.0.0.1:9', 'X', [])).rejects.toMatchObject({
      code: 'HUB_UNREACHABLE',
    });
    expect(fleet.view().joined).toBeNull();
    await fleet.join(url, await hub.invite('Bakery', 'second try'), []);
    await expect(fleet.join(url, 'X', [])).rejects.toMatchObject({ code: 'FLEET_JOINED' });
    await fleet.leave();
    expect(fleet.view().joined).toBeNull();
    await expect(fleet.leave()).rejects.toMatchObject({ code: 'FLEET_NOT_JOINED' });
  });

  it('gets the same agent again where the answer to its join was lost', async () => {
    const books = booksOf(1);
    const code = await hub.invite('Bakery', 'lost answer');
    const { fleet, kept } = agentOf(books);
    await fleet.join(url, code, []);
    const agentId = fleet.view().joined?.agentId;
    await fleet.stop();
    const before = kept.membership && { ...kept.membership, enrolled: null };
    const { fleet: again } = agentOf(books, before);
    expect(again.view().joined).toBeNull();
    await again.join(url, code, []);
    expect(again.view().joined?.agentId).toBe(agentId);
  });

  it('remembers with its key what it was asked: one cannot be lost without the other, and nothing runs twice', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tilld-operator-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const anna = { name: 'Anna', key: makeOperatorKey(join(folder, 'key')) };
    const books = booksOf(1);
    const ran: unknown[] = [];
    const run: DoCommand = async (command) => String(ran.push(command));
    const { fleet, kept } = agentOf(books, null, undefined, run);
    await fleet.join(url, await hub.invite('Bakery', 'remembers'), [anna]);
    const agentId = fleet.view().joined?.agentId ?? '';
    const asked = { agentId, operator: 'Anna', seconds: 3_600, command: { kind: 'doctor' } };
    const envelope = await signCommand(join(folder, 'key'), asked, Date.now());
    const tenant = await tenantId(hub.database, 'Bakery');
    await asTenant(hub.database, tenant, (transaction) =>
      sendCommand(transaction, tenant, envelope, 'test', hub.now),
    );
    const stateOf = async () =>
      (
        await hub.database
          .selectFrom('command')
          .select('state')
          .where('agent_id', '=', agentId)
          .executeTakeFirst()
      )?.state;
    await fleet.stop();
    const { fleet: second, kept: after } = agentOf(books, kept.membership, undefined, run);
    await expect.poll(stateOf, { timeout: 60_000 }).toBe('done');
    await second.stop();
    await hub.database.updateTable('command').set({ state: null }).where('agent_id', '=', agentId).execute();
    const { fleet: third } = agentOf(books, after.membership, undefined, run);
    await expect.poll(stateOf, { timeout: 60_000 }).toBe('done');
    expect(ran).toHaveLength(1);
    await third.stop();
    const { fleet: without } = agentOf(books, null, undefined, run);
    expect(without.view().joined).toBeNull();
    await without.join(url, await hub.invite('Bakery', 'remembers'), [anna]);
    expect(without.view().joined?.agentId).not.toBe(agentId);
  }, 150_000);

  it('a revoked agent is shown as refused, and sells on', async () => {
    const books = booksOf(1);
    const { fleet, kept } = agentOf(books);
    await fleet.join(url, await hub.invite('Bakery', 'revoked'), []);
    await caughtUp(fleet, ROWS_OF_A_PAYMENT);
    const agent = fleet.view().joined?.agentId ?? '';
    await fleet.stop();
    await hub.database.updateTable('agent').set({ revoked_at: new Date() }).where('id', '=', agent).execute();
    const { fleet: again } = agentOf(books, kept.membership);
    await expect.poll(() => again.view().joined?.link.isRefused, { timeout: 20_000 }).toBe(true);
    expect(again.view().joined?.link.trouble).toMatch(/revoked/);
  });

  it('sends its state where it has changed, and a too large one never', async () => {
    const books = booksOf(1);
    const { fleet } = agentOf(books, null, () => ({ words: 'x'.repeat(40_000) }));
    await fleet.join(url, await hub.invite('Bakery', 'large'), []);
    await caughtUp(fleet, ROWS_OF_A_PAYMENT);
    const agent = fleet.view().joined?.agentId ?? '';
    const { state } = await hub.database
      .selectFrom('agent')
      .select('state')
      .where('id', '=', agent)
      .executeTakeFirstOrThrow();
    expect(state).toEqual({ too_large: true });
  });
});
