import { describe, expect, it } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import {
  ConfigurationKeeper,
  type ConfigurationKeeperDeps,
  JUDGING,
} from '../../../src/fleet/agent/configuration-keeper.ts';
import {
  begin,
  ConfigurationState,
  givenUp,
  MOST_STARTS,
} from '../../../src/fleet/agent/configuration-state.ts';
import { maskedWords } from '../../../src/fleet/agent/masked-words.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const MINUTE = 60_000;
const OWN = 'abcdefghijkl';
const SETTINGS = { heartbeat_ms: 20_000 };

/** A disk that outlives processes, and what a person does at the shop meanwhile. */
class TestShop {
  readonly clock = new VirtualClock();
  /** What is on disk. */
  file: ConfigurationState | null = null;
  /** Every text that was on disk. */
  readonly written: string[] = [];
  isBusy = false;
  canSell = true;
  answering: readonly string[] = ['counter 1', 'counter 2'];
  inDoubt: readonly string[] = [];
  own = OWN;
  edited: readonly string[] = [];
  problem: string | null = null;
  mayChange = true;
  hasManager = true;
  isFull = false;
  /** Ends of processes that the keeper asked for; each while nothing ran. */
  restarts = 0;
  readonly lease = { isHeld: false, begin: () => this.#drain(true), end: () => this.#drain(false) };
  keeper = this.process(null);

  process(running: number | null): ConfigurationKeeper {
    const deps: ConfigurationKeeperDeps = {
      place: {
        read: () => this.file,
        keep: (state) => {
          if (this.isFull) throw new Error('the disk is full');
          this.file = ConfigurationState.parse(structuredClone(state));
          this.written.push(JSON.stringify(state));
        },
        remove: () => {
          this.file = null;
        },
      },
      running,
      check: async () => {
        if (this.problem !== null) throw new Error(this.problem);
      },
      ownDigest: () => this.own,
      editedKeys: () => this.edited,
      shop: () => ({ ...this, isBusy: this.isBusy }),
      drain: this.lease,
      mayChange: () => this.mayChange,
      restart: this.hasManager ? () => this.#restarted() : null,
      judging: JUDGING,
      clock: this.clock,
      log: silentLog,
    };
    const keeper = new ConfigurationKeeper(deps);
    keeper.start();
    return keeper;
  }

  /** The next process, as `startingConfig` begins it. @returns the revision that it runs with */
  start(): number | null {
    this.keeper.stop();
    this.lease.isHeld = false;
    const begun = this.file && begin(this.file, this.clock.now());
    if (begun) this.file = begun.state;
    const running = begun?.run?.revision ?? null;
    this.keeper = this.process(running);
    return running;
  }

  take(revision: number, more: object = {}): Promise<string> {
    return this.keeper.take({ kind: 'configuration', revision, settings: SETTINGS, ...more });
  }

  /** A revision that was judged and is good. */
  async approve(revision: number): Promise<void> {
    await this.take(revision);
    await this.clock.advance(MINUTE);
    expect(this.start()).toBe(revision);
    await this.clock.advance(11 * MINUTE);
    expect(this.keeper.view()).toMatchObject({ running: revision, attempted: null, failed: null });
    expect(this.file?.good?.revision).toBe(revision);
  }

  #restarted(): void {
    expect([this.isBusy, this.lease.isHeld]).toEqual([false, true]);
    this.restarts += 1;
  }

  #drain(isHeld: boolean): void {
    this.lease.isHeld = isHeld;
  }
}

describe('a configuration that a hub’s operator has signed', () => {
  it('begins once every terminal is idle, and is good after ten minutes', async () => {
    const shop = new TestShop();
    shop.isBusy = true;
    expect(await shop.take(7)).toMatch(/revision 7 is checked/);
    await shop.clock.advance(60 * MINUTE);
    expect([shop.restarts, shop.lease.isHeld]).toEqual([0, false]);
    expect(shop.keeper.view().attempted).toEqual({ revision: 7, state: 'waiting' });
    shop.isBusy = false;
    await shop.clock.advance(10_000);
    expect(shop.restarts).toBe(1);
    expect(shop.start()).toBe(7);
    await shop.clock.advance(9 * MINUTE);
    expect(shop.keeper.view()).toEqual({
      running: 7,
      attempted: { revision: 7, state: 'judged' },
      failed: null,
    });
    await shop.clock.advance(2 * MINUTE);
    expect(shop.keeper.view()).toEqual({ running: 7, attempted: null, failed: null });
    expect(shop.clock.pending).toEqual([]);
    expect(shop.start()).toBe(7);
  });

  it('lets a payment that comes while the terminals are drained go on', async () => {
    const shop = new TestShop();
    await shop.take(7);
    await shop.clock.advance(5_600);
    expect(shop.lease.isHeld).toBe(true);
    shop.isBusy = true;
    await shop.clock.advance(600);
    expect([shop.lease.isHeld, shop.restarts]).toEqual([false, 0]);
    await shop.clock.advance(MINUTE);
    expect(shop.restarts).toBe(0);
  });

  it('is followed by a restart that an operator asks for, as it is: idle, drained, in the window', async () => {
    const shop = new TestShop();
    shop.isBusy = true;
    expect(shop.keeper.takeRestart()).toMatch(/starts again once every terminal is idle/);
    await shop.clock.advance(60 * MINUTE);
    expect(shop.restarts).toBe(0);
    shop.isBusy = false;
    shop.mayChange = false;
    await shop.clock.advance(60 * MINUTE);
    expect([shop.restarts, shop.lease.isHeld]).toEqual([0, false]);
    shop.mayChange = true;
    await shop.clock.advance(10_000);
    expect(shop.restarts).toBe(1);
    shop.start();
    await shop.clock.advance(60 * MINUTE);
    expect(shop.restarts).toBe(1);
    expect(shop.clock.pending).toEqual([]);
  });

  it('refuses a restart while it is judged, and where nothing would start tilld again; who leaves asks for none', async () => {
    const shop = new TestShop();
    shop.keeper.takeRestart();
    shop.keeper.forget();
    await shop.clock.advance(MINUTE);
    expect(shop.restarts).toBe(0);
    await shop.take(7);
    shop.keeper.takeRestart();
    await shop.clock.advance(MINUTE);
    expect(shop.restarts).toBe(1);
    shop.start();
    expect(() => shop.keeper.takeRestart()).toThrow('revision 7 is being judged');
    shop.hasManager = false;
    shop.start();
    expect(() => shop.keeper.takeRestart()).toThrow('no service manager');
  });

  it('waits for the window of the shop, and for the drain of another', async () => {
    const shop = new TestShop();
    shop.mayChange = false;
    await shop.take(7);
    await shop.clock.advance(60 * MINUTE);
    expect(shop.restarts).toBe(0);
    shop.mayChange = true;
    shop.lease.isHeld = true;
    await shop.clock.advance(MINUTE);
    expect([shop.restarts, shop.lease.isHeld]).toEqual([0, true]);
    shop.lease.isHeld = false;
    await shop.clock.advance(MINUTE);
    expect(shop.restarts).toBe(1);
  });

  it.each([
    ['a terminal that answered does not', { answering: ['counter 2'] }, /do not answer with it: counter 1/],
    ['the shop cannot sell', { canSell: false }, /could not sell/],
    ['the outcome of a payment is not known', { inDoubt: ['counter 2'] }, /is not known since it runs/],
  ])('is taken back by the shop itself where %s', async (_, amiss, why) => {
    const shop = new TestShop();
    await shop.approve(5);
    await shop.take(7);
    await shop.clock.advance(MINUTE);
    expect(shop.start()).toBe(7);
    Object.assign(shop, amiss);
    await shop.clock.advance(MINUTE);
    expect(shop.keeper.view().attempted).toEqual({ revision: 7, state: 'judged' });
    shop.isBusy = true;
    await shop.clock.advance(2 * MINUTE);
    expect(shop.keeper.view()).toEqual({
      running: 7,
      attempted: null,
      failed: { revision: 7, why: expect.stringMatching(why), at: expect.any(Number) },
    });
    const { restarts } = shop;
    await shop.clock.advance(MINUTE);
    expect(shop.restarts).toBe(restarts);
    shop.isBusy = false;
    await shop.clock.advance(MINUTE);
    expect(shop.restarts).toBe(restarts + 1);
    expect(shop.start()).toBe(5);
    expect(shop.keeper.view()).toMatchObject({ running: 5, attempted: null, failed: { revision: 7 } });
  });

  it('is not blamed for what was amiss before, or for less than two minutes', async () => {
    const shop = new TestShop();
    Object.assign(shop, { answering: ['counter 2'], canSell: false, inDoubt: ['counter 1'] });
    await shop.take(7);
    await shop.clock.advance(MINUTE);
    shop.start();
    for (let times = 0; times < 6; times += 1) {
      shop.answering = [];
      await shop.clock.advance(1.9 * MINUTE);
      shop.answering = ['counter 2'];
      await shop.clock.advance(0.2 * MINUTE);
    }
    expect(shop.keeper.view()).toEqual({ running: 7, attempted: null, failed: null });
  });

  it('is taken back where the process dies again and again before it is judged', async () => {
    const shop = new TestShop();
    await shop.approve(5);
    await shop.take(7);
    await shop.clock.advance(MINUTE);
    const runs = Array.from({ length: MOST_STARTS + 2 }, () => shop.start());
    expect(runs).toEqual([...Array(MOST_STARTS).fill(7), 5, 5]);
    expect(shop.keeper.view()).toMatchObject({
      attempted: null,
      failed: { revision: 7, why: expect.stringContaining(`started ${MOST_STARTS} times`) },
    });
  });

  it('leaves a shop that starts, whatever was on disk when the power failed', async () => {
    const shop = new TestShop();
    await shop.approve(5);
    await shop.take(7);
    await shop.clock.advance(MINUTE);
    shop.start();
    shop.canSell = false;
    await shop.clock.advance(5 * MINUTE);
    expect(shop.written.length).toBeGreaterThan(5);
    for (const text of shop.written) {
      let state = ConfigurationState.parse(JSON.parse(text));
      const runs = Array.from({ length: MOST_STARTS + 1 }, () => {
        const begun = begin(state, 0);
        state = begun.state;
        return begun.run?.revision ?? null;
      });
      expect([null, 5]).toContain(runs.at(-1));
      expect(runs.filter((run) => run === state.failed?.revision).length).toBeLessThanOrEqual(MOST_STARTS);
    }
  });

  it.each([
    ['is not newer', 5, {}, {}, /revision 5 was taken before, and revision 5 is not newer/],
    ['is older', 4, {}, {}, /is not newer/],
    ['stands in the way of all that follow', 253_402_300_799, {}, {}, /none could follow/],
    ['does not pass the check', 7, {}, { problem: 'heartbeat_ms is 1' }, /heartbeat_ms is 1/],
    [
      'would begin what a person is changing',
      7,
      {},
      { edited: ['devices'] },
      /changing its files \(devices\)/,
    ],
    ['would overrule a person', 7, {}, { own: 'pppppppppppp' }, /sign again with --over pppppppppppp/],
    ['overrules an earlier change', 7, { over: OWN }, { own: 'pppppppppppp' }, /--over pppppppppppp/],
  ])('is refused in words where it %s', async (_, revision, more, world, words) => {
    const shop = new TestShop();
    await shop.approve(5);
    Object.assign(shop, world);
    const before = shop.file;
    const refused = await shop.take(revision, more).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: 'FLEET_COMMAND_REFUSED',
      message: expect.stringMatching(words),
    });
    expect(maskedWords(String(Reflect.get(Object(refused), 'message')), 4_000)).toMatch(words);
    expect(shop.file).toBe(before);
  });

  it('is refused while another is judged, and where no service manager starts tilld again', async () => {
    const shop = new TestShop();
    await shop.take(7);
    await shop.clock.advance(MINUTE);
    shop.start();
    await expect(shop.take(8)).rejects.toThrow(/revision 7 is being judged/);
    const other = new TestShop();
    other.hasManager = false;
    other.start();
    await expect(other.take(7)).rejects.toThrow(/no service manager/);
  });

  it('overrules a person where the operator names what is overruled', async () => {
    const shop = new TestShop();
    await shop.approve(5);
    shop.own = 'pppppppppppp';
    await shop.take(7, { over: 'pppppppppppp' });
    expect(shop.file).toMatchObject({ newest: 7, own: 'pppppppppppp', attempt: { revision: 7 } });
  });

  it('is given up where a person has changed the files while it waited, and replaced by a newer one', async () => {
    const shop = new TestShop();
    shop.isBusy = true;
    await shop.take(7);
    await shop.take(8);
    expect(shop.keeper.view().attempted).toEqual({ revision: 8, state: 'waiting' });
    shop.edited = ['devices[0].link.host'];
    shop.isBusy = false;
    await shop.clock.advance(MINUTE);
    expect(shop.restarts).toBe(0);
    expect([shop.keeper.view().failed?.revision, shop.lease.isHeld]).toEqual([8, false]);
  });

  it('stays waiting while the disk is full', async () => {
    const shop = new TestShop();
    await shop.take(7);
    shop.isFull = true;
    await shop.clock.advance(5 * MINUTE);
    expect([shop.restarts, shop.lease.isHeld]).toEqual([0, false]);
    shop.isFull = false;
    await shop.clock.advance(2 * MINUTE);
    expect(shop.restarts).toBe(1);
  });

  it('ends with the membership: the files of the shop hold again', async () => {
    const shop = new TestShop();
    await shop.approve(5);
    const { restarts } = shop;
    shop.keeper.forget();
    await shop.clock.advance(MINUTE);
    expect([shop.restarts, shop.start()]).toEqual([restarts + 1, null]);
  });

  it('is not counted twice: what was given up stays so', () => {
    const state = { newest: 7, own: OWN, good: null, attempt: null, failed: null };
    expect(givenUp(state, 'why', 0)).toBe(state);
    expect(begin(state, 0)).toEqual({ state, run: null });
  });
});
