import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { Shop } from '../support/shop.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const AUTHORISATION = /^0601/;
const ACKNOWLEDGEMENT = '800000';

/** What another process would read from the disk: committed rows only. */
function onDisk(path: string): { state: string | undefined; mark: boolean; journal: unknown[] } {
  const reader = new Sqlite(path, { readonly: true });
  const row = reader.prepare('SELECT state, detail FROM attempts').get() as
    | { state: string; detail: string }
    | undefined;
  const journal = reader.prepare('SELECT to_state FROM journal ORDER BY seq').pluck().all();
  reader.close();
  return { state: row?.state, mark: row !== undefined && JSON.parse(row.detail).mark !== null, journal };
}

/** Sells once and notes, at each write of the agent, what was on disk at that moment. */
async function watchedSale(terminal = {}) {
  const seen: { bytes: string; disk: ReturnType<typeof onDisk> }[] = [];
  let path: string | undefined;
  const shop = await Shop.open({
    terminal,
    beforeWrite: (bytes) => {
      if (path !== undefined) seen.push({ bytes: hex(bytes), disk: onDisk(path) });
    },
  });
  path = shop.databasePath;
  const sale = await shop.settle(shop.sell().id);
  return { shop, sale, seen };
}

describe('what is on disk when bytes leave', () => {
  it('is dispatched with its mark when the first byte of a money command does', async () => {
    const { seen } = await watchedSale();
    const sent = seen.filter((one) => AUTHORISATION.test(one.bytes));
    expect(sent).toHaveLength(1);
    expect(sent[0]?.disk).toMatchObject({ state: 'dispatched', mark: true });
  });

  it('is the approval before it is acknowledged, and the outcome before the end of the dialogue is', async () => {
    const { seen } = await watchedSale();
    const from = seen.findIndex((one) => AUTHORISATION.test(one.bytes));
    const states = seen
      .slice(from + 1)
      .filter((one) => one.bytes === ACKNOWLEDGEMENT)
      .map((one) => one.disk.state);
    const approvedAt = states.indexOf('approved');
    expect(approvedAt).toBeGreaterThan(0);
    expect(states.slice(0, approvedAt).every((state) => state === 'accepted')).toBe(true);
    expect(states.at(-1)).toBe('succeeded');
  });

  it('is the decline before the end of its dialogue is acknowledged', async () => {
    const { seen, sale } = await watchedSale({ autopilot: 'decline' });
    expect(sale.state.name).toBe('declined');
    expect(seen.filter((one) => one.bytes === ACKNOWLEDGEMENT).at(-1)?.disk.state).toBe('declined');
  });
});

describe('a disk that refuses the approval', () => {
  it.each([
    ['keep', 1234],
    ['reverse', 0],
    ['decline', 0],
  ] as const)(
    'leaves the terminal (which would %s) unanswered, ends the process, and no second command goes out',
    async (missingAcknowledgement, charged) => {
      const sent: string[] = [];
      const shop = await Shop.open({
        terminal: { missingAcknowledgement },
        beforeWrite: (bytes) => sent.push(hex(bytes)),
      });
      shop.database.run(
        `CREATE TRIGGER full BEFORE INSERT ON journal WHEN NEW.to_state = 'approved' BEGIN SELECT RAISE(ABORT, 'no room'); END`,
      );
      const { id } = shop.sell();
      await shop.until(() => shop.fatal !== null, 30_000);
      expect(shop.attempt(id).state.name).toBe('accepted');
      await shop.clock.advance(20_000);
      expect(shop.charged).toBe(charged);
      expect(sent.filter((bytes) => AUTHORISATION.test(bytes))).toHaveLength(1);
    },
  );
});
