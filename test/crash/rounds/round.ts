import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { LedgerEntry } from '../../../src/sandbox/controllable-terminal.ts';
import { Random } from '../../simulation/random.ts';
import { NoAnswer } from './ask.ts';
import { readStoredState, type StoredState } from './books.ts';
import { Customers } from './customers.ts';
import { DaemonLife, type Death, type LifeOptions } from './daemon-life.ts';
import { Baskets, type Floor } from './floor.ts';
import { type Accusation, type Crime, judge } from './judge.ts';
import type { CommitKill } from './kill-order.ts';
import type { Kill, Plan } from './plan.ts';
import { currencyOf, manifestOf } from './protocols.ts';
import { SCENARIOS, type Scenario } from './scenarios.ts';
import { hasMoved, Staff } from './staff.ts';
import { Till } from './till.ts';
import { timeLimitOf } from './time-limit.ts';
import { startWorld, type World } from './world.ts';

/** What one round came to. */
export interface RoundResult {
  readonly plan: Plan;
  readonly accusations: readonly Accusation[];
  readonly attempts: number;
  readonly charges: number;
  readonly corrections: number;
  readonly inDoubt: number;
  /** Doubts that ended without a person. */
  readonly inDoubtResolved: number;
  readonly personNeeded: number;
  readonly lives: readonly LifeResult[];
  readonly wallMs: number;
}

/** One life that was killed. */
export interface LifeResult {
  readonly commits: readonly string[];
  /** Names of the commits until it was at rest or died, in a life that began with an open attempt; else empty. */
  readonly recovering: readonly string[];
  readonly atCommit: Pick<CommitKill, 'name' | 'when'> | null;
  /** It was killed while it did something. */
  readonly wasBusy: boolean;
}

export interface RoundDeps {
  /** Where the round's own folder is made, and removed. */
  readonly root: string;
  readonly compileCache: string;
  /** More environment for the daemon. */
  readonly env?: Readonly<Record<string, string>>;
  /** Says how it goes. */
  readonly print?: (line: string) => void;
}

/** Longest that a daemon may take to listen; here and below time without a processor does not count. */
const START_MS = 45_000;
/** Longest that a shop may take to come to rest. */
const REST_MS = 45_000;
/** A life that is not killed where it was meant to be is not waited for longer. */
const RECOVERY_MS = 9000;
/** Sales of which one must succeed in the end. */
const PROOFS = 4;
const BY_HAND_MINOR = 777_777;
/** Between two looks whether it is there. */
const LOOK_MS = 250;
const HAND_LOOK_MS = 50;
const HAND_LOOKS = 200;

/** Plays one round: as many lives as there are kills, one more that comes to rest, and the judgement. */
export async function playRound(plan: Plan, deps: RoundDeps): Promise<RoundResult> {
  const startedAt = performance.now();
  const folder = join(deps.root, `round-${plan.seed}-${Math.round(startedAt * 1000)}`);
  mkdirSync(folder, { recursive: true });
  const world = await startWorld(folder, plan.traits);
  const round = new Round(plan, deps, world);
  try {
    await round.playOrBreakOff();
    return round.result(performance.now() - startedAt);
  } finally {
    await round.close();
    await world.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

class Round {
  readonly #plan: Plan;
  readonly #deps: RoundDeps;
  readonly #world: World;
  readonly #random: Random;
  readonly #till: Till;
  readonly #staff: Staff;
  readonly #baskets: Baskets;
  readonly #customers: Customers;
  readonly #floor: Floor;
  readonly #lives: LifeResult[] = [];
  readonly #accusations: Accusation[] = [];
  #life: DaemonLife | null = null;
  #apiKey: string | null = null;

  constructor(plan: Plan, deps: RoundDeps, world: World) {
    this.#plan = plan;
    this.#deps = deps;
    this.#world = world;
    this.#random = new Random(plan.chance, 'round');
    this.#till = new Till(`till-${plan.seed}`, currencyOf(plan.traits.protocol));
    this.#staff = new Staff(world);
    this.#baskets = new Baskets(this.#random);
    const { capabilities } = manifestOf(plan.traits.protocol);
    this.#customers = new Customers(world.terminal, this.#baskets.habitOf, capabilities.voidNeedsCard);
    this.#floor = {
      world,
      till: this.#till,
      random: this.#random,
      officeBaskets: [],
      basket: (habit) => this.#baskets.take(habit),
      approveOf: (basket, approved) => this.#baskets.approveOf(basket, approved),
    };
  }

  /** What nobody has thought of breaks this round off, and is said; the others go on. */
  async playOrBreakOff(): Promise<void> {
    try {
      await this.#play();
    } catch (error) {
      const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.#accusations.push({ crime: 'stuck', text: `the round was broken off: ${what}` });
      await this.close();
    }
  }

  async #play(): Promise<void> {
    for (const [index, kill] of this.#plan.kills.entries()) {
      await pause(this.#plan.darkMs[index] ?? 0);
      await this.#liveUntil(kill, index === 0);
      if (index === 0 && this.#plan.typesByHand) await this.#typeByHand();
    }
    await pause(this.#plan.darkMs.at(-1) ?? 0);
    await this.#rest();
  }

  async close(): Promise<void> {
    this.#customers.leave();
    if (this.#life && !this.#life.isDead) await this.#life.kill();
  }

  result(wallMs: number): RoundResult {
    const { ledger } = this.#world.terminal.snapshot();
    const books = readStoredState(this.#world.stateDir);
    const { world, traits } = { world: this.#world, traits: this.#plan.traits };
    const { officeBaskets } = this.#floor;
    const found = judge({ world, traits, ledger, books, till: this.#till, officeBaskets });
    if (found.length > 0) this.#printBooks(books, ledger);
    const doubted = books.attempts.filter(({ inDoubtSince }) => inDoubtSince !== null);
    return {
      plan: this.#plan,
      accusations: [...this.#accusations, ...found],
      attempts: books.attempts.length,
      charges: ledger.filter((line) => line.kind === 'sale' && !line.byHand && hasMoved(line, ledger)).length,
      corrections: books.attempts.filter(({ corrects }) => corrects !== null).length,
      inDoubt: doubted.length,
      inDoubtResolved: doubted.filter(({ evidence }) => evidence !== null && evidence.kind !== 'person')
        .length,
      personNeeded: this.#staff.asked.size,
      lives: this.#lives,
      wallMs,
    };
  }

  /** A life that is killed: the first plays the scenario, a later one finds out how the one before it ended. */
  async #liveUntil(kill: Kill, isFirst: boolean): Promise<void> {
    const life = this.#begin(kill.at === 'commit' ? kill.order : null);
    const spawned = kill.at === 'time' && kill.from === 'spawn' ? this.#killIn(life, kill.ms) : undefined;
    let wasBusy = true;
    try {
      await this.#within(life, START_MS, life.listening);
      if (isFirst) {
        await this.#within(life, START_MS, life.ready);
        await this.#moveIn(life);
        const later =
          kill.at === 'time' && kill.from === 'scenario' ? this.#killIn(life, kill.ms) : undefined;
        await this.#scenario().play(this.#floor);
        if (later === undefined)
          wasBusy = (await this.#staff.bringToRest(timeLimitOf(life, RECOVERY_MS))).length > 0;
        else await this.#orDeath(life, pause(RECOVERY_MS));
      } else wasBusy = await this.#recover(life);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      await this.#mustBeDying(life, error);
    }
    clearTimeout(spawned);
    const death = life.isDead ? await life.died : await life.kill();
    this.#ended(life, death, isFirst, wasBusy);
  }

  /** As soon as the terminal is on and has ended what it did; an amount that is no basket's. */
  async #typeByHand(): Promise<void> {
    const { terminal } = this.#world;
    const isIdle = () => terminal.bench().isOn && !terminal.snapshot().busy;
    for (let looks = 0; looks < HAND_LOOKS && !isIdle(); looks += 1) await pause(HAND_LOOK_MS);
    if (isIdle()) terminal.typeByHand({ kind: 'sale', amountMinor: BY_HAND_MINOR });
  }

  /** The till presses again meanwhile, if it is impatient; gives whether something was still open at the end. */
  async #recover(life: DaemonLife): Promise<boolean> {
    const pressing = this.#plan.isImpatient
      ? this.#moveIn(life).then(() => this.#till.catchUp(timeLimitOf(life, RECOVERY_MS)))
      : Promise.resolve();
    const resting = this.#staff.bringToRest(timeLimitOf(life, RECOVERY_MS));
    const [rest, pressed] = await Promise.allSettled([resting, pressing]);
    for (const one of [rest, pressed]) if (one.status === 'rejected') throw one.reason;
    return rest.status === 'fulfilled' && rest.value.length > 0;
  }

  /** The last life: everything comes to its end, and the shop sells again. */
  async #rest(): Promise<void> {
    const life = this.#begin(null);
    try {
      await this.#within(life, START_MS, life.listening);
      await this.#moveIn(life);
      await this.#till.catchUp(timeLimitOf(life, REST_MS));
      await this.#mustRest(life);
      await this.#till.renew();
      await this.#mustRest(life);
      await this.#mustSell(life);
      await this.#till.list();
      await this.#within(life, START_MS, life.ready);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      this.#accuse('stuck', `the last life gives no answer: ${error.message}`, life);
    }
    const { code, signal } = await this.#orElseKill(life);
    this.#print(life, `the last life ended with ${code ?? signal}`);
    if (code !== 0) this.#accuse('stuck', `the last life ended with ${code ?? signal}`, life);
  }

  #begin(order: CommitKill | null): DaemonLife {
    const { stateDir, config } = this.#world;
    const { compileCache, env = {} } = this.#deps;
    const options: LifeOptions = { stateDir, config, compileCache, order, env };
    this.#life = new DaemonLife(options);
    return this.#life;
  }

  /** The till finds the daemon, and its key, which is made the first time. @throws NoAnswer */
  async #moveIn(life: DaemonLife): Promise<void> {
    const url = await life.listening;
    this.#apiKey ??= await this.#staff.apiKey();
    this.#till.moveTo({ url, key: this.#apiKey });
  }

  async #mustRest(life: DaemonLife): Promise<void> {
    const unrest = await this.#staff.bringToRest(timeLimitOf(life, REST_MS));
    if (unrest.length > 0) this.#accuse('stuck', unrest.join(', '), life);
  }

  /** A fault that nobody has met yet may spoil the first sale, and the second. */
  async #mustSell(life: DaemonLife): Promise<void> {
    const seen: string[] = [];
    while (seen.length < PROOFS) {
      const proof = await this.#till.sale(this.#baskets.take(), { key: true });
      await this.#mustRest(life);
      const { status = 'not there' } = (await this.#till.outcome(proof)) ?? {};
      if (status === 'succeeded') return;
      seen.push(status);
    }
    this.#accuse('stuck', `the shop does not sell again: the next sales are ${seen.join(', ')}`, life);
  }

  /** @throws NoAnswer when it died first, or takes too long */
  async #within<T>(life: DaemonLife, limitMs: number, work: Promise<T>): Promise<T> {
    const isOver = timeLimitOf(life, limitMs);
    for (;;) {
      const look = pause(LOOK_MS, 'look again' as const);
      const first = await Promise.race([work.then((value) => ({ value })), life.died, look]);
      if (typeof first === 'object' && 'value' in first) return first.value;
      if (first !== 'look again') throw new NoAnswer('the daemon died');
      if (!isOver()) continue;
      this.#accuse('stuck', `the daemon is not there after ${limitMs} ms`, life);
      throw new NoAnswer('the daemon does not come up');
    }
  }

  async #orDeath(life: DaemonLife, work: Promise<unknown>): Promise<void> {
    await Promise.race([work, life.died]);
  }

  /** A daemon that does not answer is dead or dying; any other is accused. */
  async #mustBeDying(life: DaemonLife, error: NoAnswer): Promise<void> {
    const late = new AbortController();
    const timeUp = pause(5000, undefined, { signal: late.signal }).catch(() => undefined);
    await Promise.race([life.died, timeUp]);
    late.abort();
    if (!life.isDead) this.#accuse('stuck', `the daemon lives and gives no answer: ${error.message}`, life);
  }

  async #orElseKill(life: DaemonLife): Promise<Death> {
    const isOver = timeLimitOf(life, START_MS);
    const looking = setInterval(() => (isOver() ? void life.kill() : undefined), LOOK_MS);
    const death = await life.stop();
    clearInterval(looking);
    return death;
  }

  #killIn(life: DaemonLife, ms: number): NodeJS.Timeout {
    return setTimeout(() => void life.kill(), ms);
  }

  #ended(life: DaemonLife, { code, signal, atCommit }: Death, isFirst: boolean, wasBusy: boolean): void {
    const { commits } = life;
    const recovering = isFirst ? [] : commits;
    this.#lives.push({ commits, recovering, atCommit, wasBusy });
    this.#print(
      life,
      `life ${this.#lives.length} ended with ${signal ?? code}, told: ${JSON.stringify(atCommit)}`,
    );
    if (signal !== 'SIGKILL') this.#accuse('stuck', `the daemon ended by itself with ${code}`, life);
  }

  /** The scenario of a life: its log, and what it has committed. */
  #print(life: DaemonLife, end: string): void {
    for (const line of life.log) this.#deps.print?.(line);
    this.#deps.print?.(`commits: ${life.commits.join(' | ')}`);
    this.#deps.print?.(end);
  }

  #printBooks(books: StoredState, ledger: readonly LedgerEntry[]): void {
    for (const line of ledger) this.#deps.print?.(`ledger: ${JSON.stringify(line)}`);
    for (const { id, type, amount, state, corrects } of books.attempts)
      this.#deps.print?.(`${id}: ${type} of ${amount.minor}, ${state.name}, corrects ${corrects}`);
    for (const { attemptId, event, to, verdict } of books.journal)
      this.#deps.print?.(`journal: ${attemptId} ${event} ${verdict ?? ''} -> ${to}`);
  }

  #scenario(): Scenario {
    const scenario = SCENARIOS.find(({ name }) => name === this.#plan.scenario);
    if (!scenario) throw new Error(`no scenario is called ${this.#plan.scenario}`);
    return scenario;
  }

  #accuse(crime: Crime, text: string, life: DaemonLife): void {
    this.#accusations.push({ crime, text: `${text}\n${life.log.slice(-30).join('\n')}` });
  }
}
