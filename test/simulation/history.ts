import { rmSync } from 'node:fs';
import { BackOffice } from './back-office.ts';
import { eplusFamily, v3Family, v3SerialFamily } from './families/concert.ts';
import { ecr17Family } from './families/ecr17.ts';
import { nexoFamily } from './families/nexo.ts';
import { transbankFamily } from './families/transbank.ts';
import { zvtFamily } from './families/zvt.ts';
import { crash, strikeAny } from './faults.ts';
import { judgeArtefacts } from './found-numbers.ts';
import { ReturnsCounter } from './giving-back.ts';
import { Hands } from './hands.ts';
import { strikeMemory } from './memory-faults.ts';
import { monthOffline } from './month-offline.ts';
import { Random } from './random.ts';
import { judgeReports } from './reported.ts';
import type { Result } from './result.ts';
import type { Scenario } from './scenario.ts';
import { strikeService } from './service-faults.ts';
import { Cashiers } from './till.ts';
import { World, type WorldOptions } from './world.ts';

const LEAST_ATTEMPTS = 20;
const LEAST_FAULTS = 3;
/** Nobody waits for ever: a day with fewer attempts ends here. */
const MOST_ROUNDS = 200;
/** Once everything is mended: the longest doubt, an outbox that backs off, a terminal that was mute for T4. */
const MOST_DRAIN_MS = 3 * 3_600_000;

const DAY: Scenario = { faultChance: 0.45, pauseMs: [100, 90_000], handChance: 0.01, boldness: 0.005 };

/** Named days; `day` is the ordinary bad one. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  day: DAY,
  zvt: { ...DAY, families: [zvtFamily] },
  eplus: { ...DAY, families: [eplusFamily] },
  v3: { ...DAY, families: [v3Family, v3SerialFamily] },
  ecr17: { ...DAY, families: [ecr17Family] },
  transbank: { ...DAY, families: [transbankFamily] },
  nexo: { ...DAY, families: [nexoFamily] },
  calm: { faultChance: 0.12, pauseMs: [5000, 60_000] },
  service: { faultChance: 0.15, pauseMs: [100, 45_000], serviceChance: 0.5 },
  amnesia: { faultChance: 0.4, pauseMs: [100, 45_000], memoryChance: 0.3 },
  'month-offline': { faultChance: 0.25, pauseMs: [5000, 120_000], play: monthOffline },
  hands: { faultChance: 0.4, pauseMs: [100, 60_000], handChance: 0.25, boldness: 0.5 },
  rush: { faultChance: 0.5, pauseMs: [50, 6000] },
};

/** Runs one shop day from a seed and judges it. */
export async function runHistory(
  scenario: Scenario,
  options: WorldOptions,
): Promise<{ result: Result; lines: readonly string[] }> {
  const { families } = scenario;
  const world = new World({ ...options, ...(families ? { families } : {}) });
  const random = new Random(options.seed, 'day');
  const { boldness = 0 } = scenario;
  const people: People = {
    cashiers: new Cashiers(world, random),
    returns: new ReturnsCounter(world, random),
    hands: new Hands(world, random, boldness),
    backOffice: new BackOffice(world, random),
  };
  const { cashiers, hands } = people;
  world.onDoubt = (attempt) => hands.inDoubt(attempt);
  world.onCard = (terminal) => cashiers.cardShown(terminal);
  world.onCrash = () => hands.alone();
  world.boot();
  await world.time.advance(5000);
  if (scenario.play) await scenario.play(world, random, cashiers, scenario);
  else await trade(world, random, people, scenario);
  await close(world, people);
  judgeEnd(world);
  world.retire();
  judgeArtefacts(world);
  rmSync(options.folder, { recursive: true, force: true });
  return { result: resultOf(world), lines: world.trace.lines };
}

/** Everybody who has to do with the terminals of the shop. */
interface People {
  readonly cashiers: Cashiers;
  readonly returns: ReturnsCounter;
  readonly hands: Hands;
  readonly backOffice: BackOffice;
}

async function trade(world: World, random: Random, people: People, scenario: Scenario): Promise<void> {
  const { time, books } = world;
  const { cashiers } = people;
  const { handChance = 0 } = scenario;
  const enough = () =>
    books.attempts.size >= LEAST_ATTEMPTS && world.faults >= LEAST_FAULTS && world.crashes > 0;
  for (let round = 0; round < MOST_ROUNDS && !enough(); round += 1) {
    if (random.chance(scenario.faultChance)) strikeAny(world, random);
    if (scenario.serviceChance && random.chance(scenario.serviceChance)) strikeService(world, random);
    if (scenario.memoryChance && random.chance(scenario.memoryChance)) strikeMemory(world, random);
    if (round % 6 === 5 && world.crashes === 0) crash(world, random);
    if (random.chance(0.85)) cashiers.serve();
    else cashiers.askThroughService();
    useTerminals(random, people, handChance);
    await time.advance(random.time(...scenario.pauseMs));
    cashiers.lookAtDoubts();
  }
}

/** What people do with the terminals besides selling. */
function useTerminals(random: Random, { returns, hands, backOffice }: People, handChance: number): void {
  if (random.chance(0.35)) returns.serve();
  if (random.chance(handChance)) hands.use();
  if (random.chance(0.04)) backOffice.closeDay();
  if (random.chance(0.04)) backOffice.reconcile();
  if (random.chance(0.1)) backOffice.lookAtTasks();
}

/** All is mended; then everything must come to its end by itself, or through the people who are asked. */
async function close(world: World, { cashiers, backOffice }: People): Promise<void> {
  const { time, places } = world;
  world.trace.say('shop', 'closes: everything is mended');
  let isCompared = false;
  for (let passed = 0; passed < MOST_DRAIN_MS; passed += 5000) {
    world.heal();
    cashiers.lookAtDoubts();
    backOffice.lookAtTasks();
    for (const place of places) if (world.agent?.isWrongAt(place.device.id)) backOffice.adopt(place);
    await time.advance(5000);
    if (passed < 60_000 || !isQuiet(world)) continue;
    if (isCompared) return;
    for (const place of places) backOffice.reconcile(place);
    isCompared = true;
  }
}

function isQuiet({ agent, books, places, reportsLocal }: World): boolean {
  if (!agent || books.open().length > 0 || agent.ready.length < places.length) return false;
  return reportsLocal ? agent.pendingReports === 0 : agent.pendingResults === 0;
}

function judgeEnd(world: World): void {
  const { agent, books, places } = world;
  for (const attempt of books.open())
    books.accuse('stuck', `${books.nameOf(attempt.id)} is still ${attempt.state.name}`);
  for (const { device } of places) {
    if (!agent?.ready.includes(device.id)) books.accuse('stuck', `${device.name} does not become ready`);
  }
  books.judgeAll();
  judgeReports(world);
}

function resultOf(world: World): Result {
  const { books, doubts } = world;
  return {
    seed: world.seed,
    attempts: books.attempts.size,
    charges: books.charged,
    crashes: world.crashes,
    faults: world.faults,
    person_needed: books.needPerson.size,
    in_doubt_all: books.doubted.size,
    in_doubt: doubts.counted,
    in_doubt_resolved_60s: doubts.resolvedInTime,
    in_doubt_by_hand: doubts.byHand,
    in_doubt_by_hand_resolved_60s: doubts.byHandInTime,
    in_doubt_unsent: doubts.unsent,
    in_doubt_unsent_resolved_60s: doubts.unsentInTime,
    in_doubt_fresh: doubts.fresh,
    in_doubt_fresh_resolved_60s: doubts.freshInTime,
    refunds: books.givenBack('refund'),
    voids: books.givenBack('void'),
    corrections: books.corrections,
    tasks: books.tasks.size,
    settlements: books.settlements.size,
    accusations: books.accusations,
  };
}
