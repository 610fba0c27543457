import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { zvt } from '../../../drivers/terminals/zvt/manifest.ts';
import { silentLog } from '../../../src/base/log.ts';
import { Database } from '../../../src/store/database.ts';
import { SqlitePaymentStore } from '../../../src/store/payments/sqlite-payment-store.ts';
import { MONEY_MIGRATIONS } from '../../../src/store/schema/migrations.ts';
import { COUNTER, type Premises, QuickShop } from '../month/quick-shop.ts';
import { QuickTerminal } from '../month/quick-terminal.ts';
import { Random, seededIds } from '../random.ts';
import { type ServiceFault, SimService } from '../service.ts';
import { PartClock, SimClock, Wall } from '../sim-clock.ts';
import { Trace } from '../trace.ts';

/** What can be wrong with the next requests that change something; one race in four goes without. */
const FAULTS: readonly (ServiceFault | null)[] = [
  null,
  'answer_lost',
  'answer_lost',
  'hangs',
  'twice',
  'status_409',
  'status_429',
  'status_500',
  'status_503',
];
const CLAIMS = 'POST /terminal-payments/';
/** A claim that was not answered is asked again for so long that its work is too old. */
const LAST_WORDS_MS = 400_000;

/** What became of the work of one night. */
export interface Races {
  /** Payments that the service asked for, each wanted by both. */
  readonly races: number;
  readonly once: number;
  readonly nobody: number;
  /** Ids at the service of what was charged more than once. */
  readonly twice: readonly string[];
  /** Claims that the service refused to the one who came second, or answered twice. */
  readonly contested: number;
  readonly accusations: readonly string[];
}

export interface RaceOptions {
  readonly seed: number;
  readonly races: number;
  /** A folder of its own, on a fast disk. */
  readonly folder: string;
}

/**
 * Two agents with names and databases of their own serve one device with one key, by mistake; the service asks for one payment after
 * the other, and both hear of it at nearly the same moment. Answers are lost, late and doubled, and now and then one is killed.
 */
export async function playRaces(options: RaceOptions): Promise<Races> {
  const night = new Night(options);
  await night.opens();
  for (let race = 0; race < options.races; race += 1) await night.races(race);
  await night.ends();
  return night.judge();
}

/** One of the two: its database outlives its lives. */
interface Contender {
  readonly premises: Premises;
  shop: QuickShop;
}

class Night {
  readonly #time = new SimClock();
  readonly #random: Random;
  readonly #service: SimService;
  readonly #terminal = new QuickTerminal({ grade: 'serial', serial: '17F00001' }, zvt.capabilities);
  readonly #contenders: readonly Contender[];
  readonly #charged: string[] = [];
  readonly #accusations: string[] = [];

  constructor({ seed, folder }: RaceOptions) {
    const time = this.#time;
    const ids = (stream: string) => seededIds(new Random(seed, stream), { now: () => time.now });
    this.#random = new Random(seed, 'races');
    this.#service = new SimService(
      {
        devices: [{ id: COUNTER.id, name: COUNTER.name }],
        honoursOurId: true,
        keepsMetadata: this.#random.chance(0.5),
        refusesUnknownFields: this.#random.chance(0.5),
        plan: 'growth',
      },
      {
        clock: new PartClock(time, new Wall()),
        ids: ids('service ids'),
        random: new Random(seed, 'service'),
        trace: new Trace(time, false),
        fault: () => undefined,
        // Two agents use one key for their claims of one payment, each in its own name: that is how the service tells them apart.
        accuse: (_, text) => text.endsWith('/claim') || this.#accusations.push(text),
      },
    );
    this.#terminal.onCharge = (attemptId) => this.#charged.push(attemptId);
    this.#contenders = ['agent-1', 'agent-2'].map((agent) => {
      mkdirSync(join(folder, agent), { recursive: true });
      const database = Database.open(join(folder, agent, 'money.db'), MONEY_MIGRATIONS, '0.1.0');
      const premises = { time, database, service: this.#service, ids: ids(agent), log: silentLog, agent };
      return { premises, shop: new QuickShop(premises, this.#terminal) };
    });
  }

  async opens(): Promise<void> {
    await this.#time.advance(5000);
    if (!this.#contenders.every(({ shop }) => shop.isReady))
      throw new Error('a terminal does not become ready');
  }

  /** One payment that both want. */
  async races(nth: number): Promise<void> {
    const [time, random, service] = [this.#time, this.#random, this.#service];
    const fault = random.pick(FAULTS);
    if (fault !== null) service.spoil(fault, random.int(1, 3), CLAIMS);
    if (random.chance(0.03)) service.goOffline(random.time(500, 20_000));
    const work = { device_id: COUNTER.id, amount_minor: 100 + nth, currency: COUNTER.currency };
    await service.ask(work, null);
    for (const contender of this.#contenders) {
      if (random.chance(0.8)) time.at(random.time(1, 300), () => contender.shop.notify());
      if (random.chance(0.04)) time.at(random.time(1, 4000), () => this.#kill(contender));
    }
    await time.advance(random.time(3000, 20_000));
    service.mend();
  }

  /** Whatever is still to be said is said. */
  async ends(): Promise<void> {
    this.#service.heal();
    await this.#time.advance(LAST_WORDS_MS);
    for (const { shop } of this.#contenders) shop.kill();
  }

  judge(): Races {
    const stores = this.#contenders.map(({ premises }) => new SqlitePaymentStore(premises.database));
    const charges = this.#service.payments.map(({ id, calls }) => {
      const attempts = stores.map((store) => store.attemptOfServiceId(id)?.id);
      const count = this.#charged.filter((charged) => attempts.includes(charged)).length;
      return { id, count, isContested: calls.claim.refused + calls.claim.replayed > 0 };
    });
    for (const { premises } of this.#contenders) premises.database.close();
    const of = (count: number) => charges.filter((one) => one.count === count).length;
    return {
      races: charges.length,
      once: of(1),
      nobody: of(0),
      twice: charges.flatMap(({ id, count }) => (count > 1 ? [id] : [])),
      contested: charges.filter(({ isContested }) => isContested).length,
      accusations: this.#accusations,
    };
  }

  /** It comes back on the same database a moment later. */
  #kill(contender: Contender): void {
    contender.shop.kill();
    this.#time.at(this.#random.time(300, 5000), () => {
      contender.shop.kill();
      contender.shop = new QuickShop(contender.premises, this.#terminal);
    });
  }
}
