import { copyFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keepArchive } from '../../../src/agent/keep-archive.ts';
import { silentLog } from '../../../src/base/log.ts';
import type { Config } from '../../../src/config/schema.ts';
import { Lifecycle } from '../../../src/runtime/lifecycle.ts';
import { putChunk } from '../../../src/store/archive/archive.ts';
import { readChunk } from '../../../src/store/archive/archive-chunk.ts';
import { MOST_ROWS } from '../../../src/store/archive/archive-holds.ts';
import { archiveLossIn } from '../../../src/store/archive/archive-loss.ts';
import { examine } from '../../../src/store/damage/damage-check.ts';
import { CHAIN_START } from '../../../src/store/journal/journal-chain.ts';
import { cutOf } from '../../../src/store/journal/journal-cut.ts';
import { JournalWatch } from '../../../src/store/journal/journal-watch.ts';
import { idOf, OldShop } from '../../support/archive.ts';
import { overwrite } from '../../support/damage.ts';
import { aFolder } from '../../support/money-database.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const PAGE_BYTES = 4096;
const PAYMENTS = 50;
/** The last row of the newest full chunk: the newest row of all is in none. */
const ALL = 200;
const A_MINUTE = 60_000;
const DAYS = 90;
const RANGE = { firstSeq: 1, lastSeq: 100, firstEvent: 1, lastEvent: 60 };

/** A daemon that archives, as far as the archive sees it. */
class Daemon {
  readonly clock: VirtualClock;
  readonly shop: OldShop;
  readonly journalWatch: JournalWatch;
  readonly keeping: ReturnType<typeof keepArchive>;
  readonly lifecycle = new Lifecycle(silentLog);
  isQuiet = true;

  constructor(shop: OldShop, days: Config['retention']['archive_after_days'] = DAYS, rowsAtStart = 2_000) {
    this.shop = shop;
    this.clock = new VirtualClock(DAYS * 86_400_000 + 1_000_000);
    this.journalWatch = new JournalWatch(shop.money, [], rowsAtStart);
    this.keeping = keepArchive({
      money: { database: shop.money, archive: shop.place, journalWatch: this.journalWatch },
      retention: { archive_after_days: days },
      quiet: () => this.isQuiet,
      clock: this.clock,
      log: silentLog,
      lifecycle: this.lifecycle,
    });
  }

  get upTo(): number {
    return cutOf(this.shop.money)?.seq ?? 0;
  }
}

describe('the archiving of a daemon', () => {
  it('moves old timelines while nobody pays, and none while somebody does', async () => {
    const daemon = new Daemon(OldShop.of(PAYMENTS));
    daemon.isQuiet = false;
    await daemon.clock.advance(A_MINUTE);
    expect(daemon.upTo).toBe(0);
    daemon.isQuiet = true;
    await daemon.clock.advance(2_000);
    expect(daemon.upTo).toBe(MOST_ROWS);
    daemon.isQuiet = false;
    await daemon.clock.advance(A_MINUTE);
    expect(daemon.upTo).toBe(MOST_ROWS);
    daemon.isQuiet = true;
    await daemon.clock.advance(A_MINUTE);
    expect(daemon.upTo).toBe(ALL);
    expect(daemon.keeping.trouble).toBe(null);
  });

  it('leaves what is younger than the owner of the shop wants, until it is old', async () => {
    const shop = OldShop.of(PAYMENTS);
    const daemon = new Daemon(shop, DAYS + 1);
    await daemon.clock.advance(A_MINUTE);
    expect(daemon.upTo).toBe(0);
    daemon.clock.jumpWallClock(86_400_000);
    await daemon.clock.advance(11 * A_MINUTE);
    expect(daemon.upTo).toBe(ALL);
  });

  it('does nothing where nothing is to be archived, and after the stop', async () => {
    const daemon = new Daemon(OldShop.of(PAYMENTS), 'never');
    expect(daemon.clock.pending).toEqual([]);
    const stopped = new Daemon(OldShop.of(PAYMENTS));
    await stopped.lifecycle.stop();
    await stopped.clock.advance(A_MINUTE);
    expect(stopped.upTo).toBe(0);
  });

  it('waits until the journal was walked to its end, and leaves one that is broken alone', async () => {
    const daemon = new Daemon(OldShop.of(PAYMENTS), DAYS, 10);
    await daemon.clock.advance(A_MINUTE);
    expect(daemon.upTo).toBe(0);
    while (!daemon.journalWatch.isDone) daemon.journalWatch.step(50);
    await daemon.clock.advance(A_MINUTE);
    expect(daemon.upTo).toBe(ALL);

    const shop = OldShop.of(PAYMENTS);
    shop.money.run('DROP TRIGGER journal_is_not_changed');
    shop.money.run("UPDATE journal SET event = 'x' WHERE seq = 240");
    const broken = new Daemon(shop);
    await broken.clock.advance(A_MINUTE);
    expect(broken.upTo).toBe(0);
  });

  it('stops, and says why, when the archive is of another time of these books', async () => {
    const [shop, other] = [OldShop.of(PAYMENTS), OldShop.of(PAYMENTS)];
    other.money.run('UPDATE events SET at = at + 1');
    putChunk(shop.place.archive(), readChunk(other.money, RANGE, CHAIN_START));
    const daemon = new Daemon(shop);
    await daemon.clock.advance(A_MINUTE);
    expect(daemon.keeping.trouble).toContain('other rows 1 to 100');
    expect(daemon.upTo).toBe(0);
    expect(daemon.clock.pending).toEqual([]);
  });

  it('keeps an archive that is no database under another name, and begins a new one', async () => {
    const shop = OldShop.of(PAYMENTS);
    writeFileSync(shop.place.path, 'x'.repeat(8_192));
    const daemon = new Daemon(shop);
    await daemon.clock.advance(A_MINUTE);
    expect(daemon.upTo).toBe(ALL);
    expect(readdirSync(shop.folder).filter((name) => name.includes('.damaged-'))).toEqual([
      'archive.db.damaged-1970-04-01-1',
    ]);
    expect(daemon.keeping.trouble).toBe(null);
  });

  it('with any page damaged keeps every chunk that can be read, sets the file aside, and goes on', async () => {
    const whole = OldShop.of(PAYMENTS);
    whole.archiveAll();
    whole.place.archive().get('PRAGMA wal_checkpoint(TRUNCATE)');
    whole.money.get('PRAGMA wal_checkpoint(TRUNCATE)');
    const pages = statSync(whole.place.path).size / PAGE_BYTES;
    const seen: string[] = [];
    for (let page = 1; page <= pages; page += 1) {
      const folder = aFolder();
      for (const name of ['money.db', 'archive.db'])
        copyFileSync(join(whole.folder, name), join(folder, name));
      overwrite(join(folder, 'archive.db'), (page - 1) * PAGE_BYTES, Buffer.alloc(PAGE_BYTES));
      const shop = new OldShop(folder);
      const daemon = new Daemon(shop);
      for (let number = PAYMENTS + 1; number <= PAYMENTS + 20; number += 1) shop.pay(number);
      await daemon.clock.advance(3 * A_MINUTE);
      const lengths = Array.from({ length: 40 }, (_, at) => shop.payments.journalOf(idOf(at + 1)).length);
      await daemon.clock.advance(11 * A_MINUTE);
      const kept = readdirSync(folder).filter((name) => /^archive\.db\.damaged-[\d-]+$/.test(name));
      const loss = archiveLossIn(shop.place.archive());
      const shown = Array.from({ length: 40 }, (_, at) => shop.payments.journalOf(idOf(at + 1)).length > 0);
      seen.push(
        `page ${page}: ${loss?.saved} saved, ${loss?.lost} lost, ${shown.filter(Boolean).length} of 40 shown`,
      );
      expect([daemon.keeping.trouble, daemon.upTo > ALL, kept.length]).toEqual([null, true, 1]);
      expect(examine(shop.place.path)).toBeNull();
      if (loss) expect(shown.filter(Boolean).length).toBe(loss.saved * 10);
      expect(lengths).toHaveLength(40);
      await daemon.lifecycle.stop();
      shop.place.close();
    }
    expect(seen.filter((line) => line.includes('4 saved')).length).toBeGreaterThan(0);
  });
});
