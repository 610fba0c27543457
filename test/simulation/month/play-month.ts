import { join } from 'node:path';
import { zvt } from '../../../drivers/terminals/zvt/manifest.ts';
import { silentLog } from '../../../src/base/log.ts';
import { Database } from '../../../src/store/database.ts';
import { MONEY_MIGRATIONS } from '../../../src/store/schema/migrations.ts';
import { Random, seededIds } from '../random.ts';
import { SimService } from '../service.ts';
import { PartClock, SimClock, Wall } from '../sim-clock.ts';
import { Trace } from '../trace.ts';
import { Gauge } from './gauge.ts';
import { LiveTerminal } from './live-terminal.ts';
import { LongLedger } from './long-ledger.ts';
import { COUNTER, type Premises, QuickShop } from './quick-shop.ts';
import { QuickTerminal } from './quick-terminal.ts';

const [SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS] = [1000, 60_000, 3_600_000, 86_400_000];
const DAYS = 30;
/** Of an opening: nine to nine. */
const OPEN_MS = 12 * HOUR_MS;
/** Starter, as the sandbox has it. */
const STARTER = { perMinute: 60, burst: 10 };
/** 23 h, and the time on the way. */
const KEY_TRUST_MS = 23 * HOUR_MS + MINUTE_MS;
/** Ten live payments a minute at most. */
const LIVE_PAUSE_MS = 6 * SECOND_MS;
/** No backlog takes longer; then it never will. */
const MOST_DRAIN_DAYS = 60;

export interface MonthOptions {
  /** Sold in the month while the service is away. */
  readonly payments: number;
  readonly seed: number;
  /** A folder of its own, on a fast disk. */
  readonly folder: string;
  /** Hears how far it has come. */
  readonly say?: (line: string) => void;
}

/** What is left of the month when it is over. */
export interface Month {
  readonly database: Database;
  readonly ledger: LongLedger;
  readonly service: SimService;
  readonly gauge: Gauge;
  /** Epoch ms of the history's beginning. */
  readonly epoch: number;
  /** Epoch ms: attempts from here on are live ones. */
  readonly liveFrom: number;
  /** Payments that the terminals charged. */
  readonly charged: number;
  readonly drainedInMs: number;
  readonly accusations: readonly string[];
}

/**
 * A month in which the service is away and the shop sells on, and the days after it: the books of the shop are written by the real core,
 * the backlog is reported by the real link through the real database, to the sandbox service with Starter limits, while
 * the shop goes on selling on a virtual ZVT terminal.
 */
export async function playMonth(options: MonthOptions): Promise<Month> {
  const play = new MonthPlay(options);
  await play.losesAnswers();
  await play.isAway();
  await play.reportsAll();
  return play.end();
}

class MonthPlay {
  readonly #time = new SimClock();
  readonly #random: Random;
  readonly #options: MonthOptions;
  readonly #gauge = new Gauge(STARTER, () => this.#time.elapsed);
  readonly #ledger = new LongLedger(() => this.#time.now);
  readonly #service: SimService;
  readonly #premises: Premises;
  readonly #quick: QuickTerminal;
  readonly #live: LiveTerminal;
  readonly #accusations: string[] = [];
  #sold = 0;
  #liveFrom = 0;
  #drainedInMs = 0;

  constructor(options: MonthOptions) {
    const { seed, folder } = options;
    const time = this.#time;
    this.#options = options;
    this.#random = new Random(seed, 'month');
    const clock = new PartClock(time, new Wall());
    const ids = (stream: string) => seededIds(new Random(seed, stream), { now: () => time.now });
    this.#service = new SimService(
      {
        devices: [{ id: COUNTER.id, name: COUNTER.name }],
        honoursOurId: true,
        keepsMetadata: true,
        refusesUnknownFields: true,
        plan: 'starter',
      },
      {
        clock,
        ids: ids('service ids'),
        random: new Random(seed, 'service'),
        trace: new Trace(time, false),
        fault: () => undefined,
        accuse: (_, text) => this.#accusations.push(text),
        ledger: this.#ledger,
        gauge: this.#gauge,
        keyTrustMs: KEY_TRUST_MS,
      },
    );
    const database = Database.open(join(folder, 'money.db'), MONEY_MIGRATIONS, '0.1.0');
    this.#premises = {
      time,
      database,
      service: this.#service,
      ids: ids('agent'),
      log: silentLog,
      agent: 'agent-1',
    };
    const identity = { grade: 'serial', serial: '17F00001' } as const;
    this.#quick = new QuickTerminal(identity, zvt.capabilities);
    this.#live = new LiveTerminal(
      {
        name: 'T1',
        protocol: 'zvt',
        over: 'tcp',
        port: 0,
        currency: COUNTER.currency,
        serial: identity.serial,
        terminalId: '52500038',
        autopilot: 'approve',
        autopilotMs: 1500,
        missingAcknowledgement: 'keep',
        faults: [],
      },
      clock,
    );
  }

  /** A few minutes in which the service takes everything and its answers do not arrive; then it is gone. */
  async losesAnswers(): Promise<void> {
    const shop = await this.#open(this.#quick);
    await this.#sells(shop, 3, 20 * SECOND_MS);
    this.#service.spoil('answer_lost', 1000, 'POST');
    await this.#sells(shop, 5, 20 * SECOND_MS);
    this.#service.mend();
    this.#service.spoil('status_503', 1000, 'POST');
    await this.#sells(shop, 3, 20 * SECOND_MS);
    this.#service.mend();
    this.#service.goOffline(DAYS * DAY_MS - this.#time.elapsed);
    await this.#sells(shop, 2, 20 * SECOND_MS);
    await this.#close(shop);
  }

  /** Thirty days: sold by day, switched off at night. */
  async isAway(): Promise<void> {
    const { payments } = this.#options;
    for (let day = 0; day < DAYS; day += 1) {
      const due = Math.round((payments * (day + 1)) / DAYS) - this.#sold;
      const shop = await this.#open(this.#quick);
      const left = Math.min(OPEN_MS, (DAYS * DAY_MS) / 2) - MINUTE_MS * 15;
      await this.#sells(shop, due, Math.min(15 * SECOND_MS, left / Math.max(1, due)));
      await this.#close(shop);
      if (day < DAYS - 1) await this.#time.advance((day + 1) * DAY_MS - this.#time.elapsed);
      this.#say(`day ${day + 1}: ${this.#sold} sold`);
    }
    // The first customer of the month's end is there before the service is.
    await this.#time.advance(DAYS * DAY_MS - 30 * SECOND_MS - this.#time.elapsed);
  }

  /** The service is back, the shop sells, and what is left of the budget reports the month. */
  async reportsAll(): Promise<void> {
    const time = this.#time;
    const shop = await this.#open(this.#live);
    await time.advance(DAYS * DAY_MS - time.elapsed);
    this.#gauge.begin();
    this.#liveFrom = time.now;
    const backAt = time.elapsed;
    const steps = [
      { at: 0.3, play: () => this.#awayForADay() },
      { at: 0.6, play: () => this.#losesKeys() },
    ];
    let step = 0;
    while (!isReported(shop) && time.elapsed - backAt < MOST_DRAIN_DAYS * DAY_MS) {
      await this.#serves(shop);
      const share = this.#gauge.tookResultAt.size / this.#sold;
      const next = steps[step];
      if (!next || share < next.at) continue;
      step += 1;
      await next.play();
    }
    this.#gauge.pause();
    this.#drainedInMs = time.elapsed - backAt;
    await time.advance(3 * MINUTE_MS);
    await this.#close(shop);
  }

  end(): Month {
    return {
      database: this.#premises.database,
      ledger: this.#ledger,
      service: this.#service,
      gauge: this.#gauge,
      epoch: this.#time.now - this.#time.elapsed,
      liveFrom: this.#liveFrom,
      charged: this.#quick.charged + this.#live.charged,
      drainedInMs: this.#drainedInMs,
      accusations: this.#accusations,
    };
  }

  /** The next customer by day, quiet minutes by night. A quarter of an hour is busy, then it is quiet. */
  async #serves(shop: QuickShop): Promise<void> {
    const time = this.#time;
    if (time.elapsed % DAY_MS >= OPEN_MS) return this.#waits(shop, 10 * MINUTE_MS);
    this.#live.tidy();
    const nth = this.#sold;
    this.#sold += 1;
    if (nth % 20 === 7) await this.#isAskedFor(nth);
    else shop.sell(100 + (nth % 90_000), `live ${nth}`);
    const isBusy = time.elapsed % HOUR_MS < 15 * MINUTE_MS;
    await this.#waits(shop, isBusy ? LIVE_PAUSE_MS : this.#random.time(LIVE_PAUSE_MS, 3 * MINUTE_MS));
    if (nth % 500 === 499) this.#say(`${this.#gauge.tookResultAt.size} told`);
  }

  /** Until the next customer, or until nothing is left to report. */
  async #waits(shop: QuickShop, ms: number): Promise<void> {
    for (let left = ms; left > 0 && !isReported(shop); left -= LIVE_PAUSE_MS)
      await this.#time.advance(Math.min(left, LIVE_PAUSE_MS));
  }

  /** The back office asks for this one. */
  async #isAskedFor(nth: number): Promise<void> {
    await this.#service.ask(
      { device_id: COUNTER.id, amount_minor: 100 + (nth % 90_000), currency: COUNTER.currency },
      null,
    );
  }

  /** Nobody is in the shop, and the machine stays on: then there is no service until every key is too old. */
  async #awayForADay(): Promise<void> {
    await this.#failsAndGoes(25 * HOUR_MS);
    this.#gauge.begin();
  }

  /** The service comes back without a memory of any key. */
  async #losesKeys(): Promise<void> {
    await this.#failsAndGoes(10 * MINUTE_MS);
    this.#service.forgetKeys();
    this.#gauge.begin();
  }

  /** It does what it is asked and its answers are lost, it does nothing, and it is gone. The last customer's report was under way. */
  async #failsAndGoes(awayMs: number): Promise<void> {
    const time = this.#time;
    await time.advance(30 * SECOND_MS);
    this.#gauge.pause();
    this.#service.spoil('answer_lost', 1000, 'POST');
    await time.advance(10 * SECOND_MS);
    this.#service.mend();
    this.#service.spoil('status_503', 1000, 'POST');
    await time.advance(10 * SECOND_MS);
    this.#service.mend();
    this.#service.goOffline(awayMs);
    await time.advance(awayMs);
  }

  async #sells(shop: QuickShop, count: number, pauseMs: number): Promise<void> {
    for (let sold = 0; sold < count; sold += 1) {
      shop.sell(100 + (this.#sold % 90_000), `month ${this.#sold}`);
      this.#sold += 1;
      await this.#time.advance(pauseMs);
    }
  }

  async #open(terminal: QuickTerminal | LiveTerminal): Promise<QuickShop> {
    const shop = new QuickShop(this.#premises, terminal);
    for (let waited = 0; waited < 60 && !shop.isReady; waited += 1) await this.#time.advance(SECOND_MS / 4);
    if (!shop.isReady) throw new Error('the terminal does not become ready');
    return shop;
  }

  async #close(shop: QuickShop): Promise<void> {
    await this.#time.advance(10 * SECOND_MS);
    const closed = shop.close();
    await this.#time.advance(10 * SECOND_MS);
    await closed;
  }

  #say(line: string): void {
    this.#options.say?.(line);
  }
}

/** What may still be pending is of the last two customers. */
function isReported({ outbox }: QuickShop): boolean {
  return outbox.due(3).length < 3;
}
