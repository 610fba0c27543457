import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { zvtDialect } from '../../drivers/terminals/zvt/virtual.ts';
import { AppError } from '../../src/base/errors.ts';
import { silentLog } from '../../src/base/log.ts';
import { isFinal } from '../../src/payment/attempt/state-machine.ts';
import { eplusFamily } from '../simulation/families/concert.ts';
import type { SimFamily } from '../simulation/families/family.ts';
import { zvtFamily } from '../simulation/families/zvt.ts';
import { habitsFrom } from '../simulation/families/zvt-habits.ts';
import { Random, seededIds } from '../simulation/random.ts';
import { SimService } from '../simulation/service.ts';
import { PartClock, SimClock, Wall } from '../simulation/sim-clock.ts';
import { Trace } from '../simulation/trace.ts';
import { Agent } from './agent.ts';
import { copyDisk, putBack, type Restored } from './copies.ts';
import { Machine } from './machine.ts';
import { Place } from './place.ts';
import type { DiskCopy } from './till.ts';

// design/payments.md, Amnesia: "witnesses that a copy does not carry are compared at every start (the machine's identity, a counter outside the
// folder, the newest of our attempts that the service knows, each terminal's last number)". An image of the disk carries the first two.

const MINUTE_MS = 60_000;
const NOON = { amountMinor: 1234, reference: 'NOON' };

/** A till with its counters; no line to the service, so that only terminals can bear witness. */
class Shop {
  readonly time = new SimClock();
  readonly #random = new Random(5, 'an image');
  readonly places: readonly Place[];
  readonly service: SimService;
  readonly machine: Machine;
  readonly #root = mkdtempSync(join(tmpdir(), 'tilld-image-'));
  readonly folder = join(this.#root, 'state');
  agent: Agent;
  #starts = 0;
  #copies = 0;

  constructor(counters: number, isOnline = false, family: SimFamily = zvtFamily) {
    this.places = Array.from({ length: counters }, (_, at) => new Place(at, family, this.time, this.#random));
    for (const place of this.places) place.serve('approve');
    const shape = {
      honoursOurId: true,
      keepsMetadata: true,
      refusesUnknownFields: false,
      plan: 'growth',
    } as const;
    const none = () => undefined;
    const ids = seededIds(this.#random, { now: () => this.time.now });
    const trace = new Trace(this.time, false);
    this.service = new SimService(
      { ...shape, devices: this.places.map(({ device }) => ({ id: device.id, name: device.name })) },
      {
        clock: new PartClock(this.time, new Wall()),
        ids,
        random: this.#random,
        trace,
        fault: none,
        accuse: none,
      },
    );
    if (!isOnline) this.service.goOffline(Number.MAX_SAFE_INTEGER);
    const outside = join(this.#root, 'outside');
    for (const path of [this.folder, outside]) mkdirSync(path);
    this.machine = new Machine('machine', outside, this.time);
    this.agent = this.start();
    onTestFinished(() => {
      this.agent.stop();
      rmSync(this.#root, { recursive: true, force: true });
    });
  }

  start(): Agent {
    this.#starts += 1;
    const { folder, machine, places, service } = this;
    const ids = seededIds(new Random(this.#starts, 'ids'), { now: () => this.time.now });
    const heard = () => undefined;
    this.agent = new Agent({ name: 'till', folder, machine, places, service, ids, log: silentLog, heard });
    return this.agent;
  }

  place(at: number): Place {
    const place = this.places[at];
    if (!place) throw new Error('no such counter');
    return place;
  }

  copy(): DiskCopy {
    this.#copies += 1;
    return copyDisk(this, join(this.#root, `copy-${this.#copies}`));
  }

  async putBack(copy: DiskCopy, what: Restored): Promise<void> {
    this.agent.crash();
    putBack(this, copy, what);
    if (what === 'image') this.machine.starts += 1;
    this.start();
    await this.time.advance(MINUTE_MS / 2);
  }

  async restartMachine(): Promise<void> {
    this.agent.crash();
    this.machine.starts += 1;
    this.start();
    await this.time.advance(MINUTE_MS / 2);
  }

  create({ amountMinor, reference }: typeof NOON, place: Place): string {
    return this.agent.core.payments.create({
      deviceId: place.device.id,
      amount: { minor: amountMinor, currency: 'EUR' },
      invoiceId: null,
      reference,
      metadata: {},
      after: null,
      caller: 'socket',
    }).attempt.id;
  }

  /** What became of it: what is told of the charge, or the code of the refusal. */
  async pay(sale: typeof NOON, place = this.place(0)): Promise<string> {
    try {
      const id = this.create(sale, place);
      for (let waited = 0; waited < 90 && !isFinal(this.agent.core.writer.require(id).state); waited += 1)
        await this.time.advance(1000);
      return this.agent.core.payments.get(id).charged;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return error.code;
    }
  }

  /** Finishes every comparison that is asked for. @returns the names of the devices */
  compare(): readonly (string | null)[] {
    const tasks = this.agent.core.operations
      .tasks({ open: true, limit: 9 })
      .filter(({ kind }) => kind === 'memory_lost');
    for (const { id } of tasks) this.agent.core.operations.finishTask(id, { by: 'Ada', note: 'compared' });
    return tasks.map(({ deviceId }) => deviceId);
  }

  charges({ amountMinor }: typeof NOON): number {
    return this.places.flatMap(({ ledger }) => ledger).filter((line) => line.amountMinor === amountMinor)
      .length;
  }
}

/** A ZVT terminal that lets staff void any sale of its batch. */
const thatVoids: SimFamily = {
  ...zvtFamily,
  make: (random) => {
    const habits = { ...habitsFrom(random), voids: 'any' } as const;
    return { ...zvtFamily.make(random), dialect: zvtDialect(habits) };
  },
};

const sale = (reference: string, amountMinor: number) => ({ reference, amountMinor });

describe('an image of the disk that is put back, while the service cannot be asked', () => {
  it('is noticed by the last transaction of the terminal, and a person is asked', async () => {
    const shop = new Shop(1);
    await shop.time.advance(MINUTE_MS);
    expect(await shop.pay(sale('MORNING', 500))).toBe('yes');
    const copy = shop.copy();
    expect(await shop.pay(NOON)).toBe('yes');
    await shop.putBack(copy, 'image');
    expect(await shop.pay(NOON)).toBe('MEMORY_LOST');
    expect(shop.charges(NOON)).toBe(1);
  });

  it('is noticed also where a database was restored and compared before', async () => {
    const shop = new Shop(1);
    await shop.time.advance(MINUTE_MS);
    const empty = shop.copy();
    expect(await shop.pay(sale('MORNING', 500))).toBe('yes');
    await shop.putBack(empty, 'database');
    shop.compare();
    expect(await shop.pay(sale('LATER', 600))).toBe('yes');
    const copy = shop.copy();
    expect(await shop.pay(NOON)).toBe('yes');
    await shop.putBack(copy, 'image');
    expect([await shop.pay(NOON), shop.charges(NOON)]).toEqual(['MEMORY_LOST', 1]);
  });

  it('is noticed also where it was made between that comparison and the next sale', async () => {
    const shop = new Shop(1);
    await shop.time.advance(MINUTE_MS);
    expect(await shop.pay(sale('MORNING', 500))).toBe('yes');
    const early = shop.copy();
    expect(await shop.pay(sale('LATER', 600))).toBe('yes');
    await shop.putBack(early, 'database');
    shop.compare();
    const copy = shop.copy();
    expect(await shop.pay(NOON)).toBe('yes');
    await shop.putBack(copy, 'image');
    expect([await shop.pay(NOON), shop.charges(NOON)]).toEqual(['MEMORY_LOST', 1]);
  });

  it('is noticed also where the terminal was used by hand before', async () => {
    const shop = new Shop(1);
    await shop.time.advance(MINUTE_MS);
    expect(await shop.pay(sale('MORNING', 500))).toBe('yes');
    shop.place(0).terminal.typeByHand({ kind: 'sale', amountMinor: 700 });
    expect(await shop.pay(sale('LATER', 600))).toBe('yes');
    const copy = shop.copy();
    expect(await shop.pay(NOON)).toBe('yes');
    await shop.putBack(copy, 'image');
    expect([await shop.pay(NOON), shop.charges(NOON)]).toEqual(['MEMORY_LOST', 1]);
  });

  it('is noticed by that terminal also where the service answers again, and was never told of the sale', async () => {
    const shop = new Shop(1, true);
    await shop.time.advance(MINUTE_MS);
    expect(await shop.pay(sale('MORNING', 500))).toBe('yes');
    shop.place(0).terminal.typeByHand({ kind: 'sale', amountMinor: 700 });
    expect(await shop.pay(sale('LATER', 600))).toBe('yes');
    const copy = shop.copy();
    shop.service.goOffline(60 * MINUTE_MS);
    expect(await shop.pay(NOON)).toBe('yes');
    shop.service.heal();
    await shop.putBack(copy, 'image');
    expect([await shop.pay(NOON), shop.charges(NOON)]).toEqual(['MEMORY_LOST', 1]);
  });

  it('is asked about where the terminal reports nothing of its past', async () => {
    const shop = new Shop(1, false, eplusFamily);
    await shop.time.advance(MINUTE_MS);
    expect(await shop.pay(sale('MORNING', 500))).toBe('yes');
    const copy = shop.copy();
    expect(await shop.pay(NOON)).toBe('yes');
    await shop.putBack(copy, 'image');
    expect([await shop.pay(NOON), shop.charges(NOON)]).toEqual(['MEMORY_LOST', 1]);
    expect(shop.compare()).toEqual([shop.place(0).device.id]);
    expect(await shop.pay(sale('LATER', 600))).toBe('yes');
  });

  it('is asked about there also with a line: the service was never told of the sale', async () => {
    const shop = new Shop(1, true, eplusFamily);
    await shop.time.advance(MINUTE_MS);
    expect(await shop.pay(sale('MORNING', 500))).toBe('yes');
    const copy = shop.copy();
    shop.service.goOffline(60 * MINUTE_MS);
    expect(await shop.pay(NOON)).toBe('yes');
    shop.service.heal();
    await shop.putBack(copy, 'image');
    expect([await shop.pay(NOON), shop.charges(NOON)]).toEqual(['MEMORY_LOST', 1]);
  });

  it('is asked about there also where nothing was paid since that was asked once before', async () => {
    const shop = new Shop(1, false, eplusFamily);
    await shop.time.advance(MINUTE_MS);
    expect(await shop.pay(sale('MORNING', 500))).toBe('yes');
    await shop.restartMachine();
    expect(shop.compare()).toEqual([shop.place(0).device.id]);
    const copy = shop.copy();
    expect(await shop.pay(NOON)).toBe('yes');
    await shop.putBack(copy, 'image');
    expect([await shop.pay(NOON), shop.charges(NOON)]).toEqual(['MEMORY_LOST', 1]);
  });

  it('is asked about there also where the books have no payment at all, and another counter has sold since', async () => {
    const shop = new Shop(2, false, eplusFamily);
    await shop.time.advance(MINUTE_MS);
    const [here, there] = [shop.place(0), shop.place(1)];
    expect(await shop.pay(sale('MORNING', 500), here)).toBe('yes');
    const copy = shop.copy();
    expect(await shop.pay(NOON, there)).toBe('yes');
    await shop.putBack(copy, 'image');
    expect(shop.compare()).toEqual([here.device.id]);
    expect(await shop.pay(sale('LATER', 600), here)).toBe('yes');
    shop.agent.crash();
    shop.start();
    await shop.time.advance(MINUTE_MS);
    // It is read with the sale, which is not sent.
    expect([await shop.pay(NOON, there), shop.charges(NOON)]).toEqual(['no', 1]);
    expect(await shop.pay(NOON, there)).toBe('MEMORY_LOST');
    expect(shop.compare()).toEqual([there.device.id]);
    shop.agent.crash();
    shop.start();
    await shop.time.advance(MINUTE_MS);
    expect(await shop.pay(sale('EVENING', 700), there)).toBe('yes');
  });

  it('does not say "not charged" of a sale that waited when the image was made', async () => {
    const shop = new Shop(1);
    await shop.time.advance(MINUTE_MS);
    const id = shop.create(NOON, shop.place(0));
    const copy = shop.copy();
    await shop.time.advance(MINUTE_MS);
    expect(shop.agent.core.payments.get(id).charged).toBe('yes');
    await shop.putBack(copy, 'image');
    const { attempt, charged } = shop.agent.core.payments.get(id);
    expect([attempt.state.name, attempt.needsPerson, charged]).toEqual(['in_doubt', true, 'unknown']);
    expect(await shop.pay(NOON)).toBe('PAYMENT_ALREADY_OPEN');
  });
});

describe('a sale that was taken back at the terminal itself', () => {
  it.each([600, 500])(
    'is not one of books that were put back: it was of %i, theirs of 500',
    async (amount) => {
      const shop = new Shop(1, false, thatVoids);
      await shop.time.advance(MINUTE_MS);
      const morning = shop.create(sale('MORNING', 500), shop.place(0));
      await shop.time.advance(MINUTE_MS);
      const copy = shop.copy();
      const { terminal } = shop.place(0);
      terminal.closeByHand();
      terminal.presetNumbers(0, 0);
      expect(await shop.pay(sale('LATER', amount))).toBe('yes');
      await shop.putBack(copy, 'folder');
      terminal.typeByHand({ kind: 'void', receiptNumber: shop.place(0).ledger.at(-1)?.receiptNumber ?? '' });
      shop.compare();
      await shop.pay(NOON);
      expect(shop.agent.core.payments.get(morning).charged).toBe('yes');
    },
  );
});

describe('a process that is started again on a running machine', () => {
  it('cancels what waited: its books are the newest', async () => {
    const shop = new Shop(1);
    await shop.time.advance(MINUTE_MS);
    const id = shop.create(NOON, shop.place(0));
    shop.agent.crash();
    shop.start();
    expect(shop.agent.core.payments.get(id)).toMatchObject({
      charged: 'no',
      attempt: { state: { name: 'cancelled' } },
    });
  });

  it('asks nobody about use by hand as long as the service shows that the books are the newest', async () => {
    const shop = new Shop(1, true);
    await shop.time.advance(MINUTE_MS);
    const byHand = () => shop.place(0).terminal.typeByHand({ kind: 'sale', amountMinor: 700 });
    expect(await shop.pay(sale('MORNING', 500))).toBe('yes');
    byHand();
    expect(await shop.pay(sale('LATER', 600))).toBe('yes');
    byHand();
    shop.agent.crash();
    shop.start();
    await shop.time.advance(MINUTE_MS);
    expect([await shop.pay(NOON), shop.compare()]).toEqual(['yes', []]);
  });
});

describe('a shop with two counters whose books were put back', () => {
  it('takes no sale at one while what was paid at the other is not compared, also where that terminal cannot be read', async () => {
    const shop = new Shop(2);
    await shop.time.advance(MINUTE_MS);
    const [here, there] = [shop.place(0), shop.place(1)];
    const copy = shop.copy();
    expect(await shop.pay(NOON, there)).toBe('yes');
    there.unplug(60 * MINUTE_MS);
    await shop.putBack(copy, 'folder');
    expect(shop.compare()).toEqual([here.device.id]);
    expect(await shop.pay(NOON, here)).toBe('MEMORY_LOST');
    await shop.time.advance(MINUTE_MS);
    expect(shop.compare()).toEqual([there.device.id]);
    expect([await shop.pay(sale('LATER', 600), here), shop.charges(NOON)]).toEqual(['yes', 1]);
  });
});
