import { rmSync } from 'node:fs';
import { isFinal } from '../../src/payment/machine.ts';
import { crash, strikeAny } from './faults.ts';
import { Random } from './random.ts';
import { judgeReports } from './reported.ts';
import type { Result } from './result.ts';
import { Cashiers } from './till.ts';
import { World, type WorldOptions } from './world.ts';

const LEAST_ATTEMPTS = 20;
const LEAST_FAULTS = 3;
/** Nobody waits for ever: a day with fewer attempts ends here. */
const MOST_ROUNDS = 200;
/** Once everything is mended: the longest doubt, an outbox that backs off, a terminal that was mute for T4. */
const MOST_DRAIN_MS = 3 * 3_600_000;

/** How a day goes: what is bad, how often, and how long the pauses are. */
export interface Scenario {
  readonly faultChance: number;
  readonly pauseMs: readonly [least: number, most: number];
}

/** Named days; `day` is the ordinary bad one. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  day: { faultChance: 0.45, pauseMs: [100, 90_000] },
  calm: { faultChance: 0.12, pauseMs: [5000, 60_000] },
  rush: { faultChance: 0.5, pauseMs: [50, 6000] },
};

/** Runs one shop day from a seed and judges it. */
export async function runHistory(
  scenario: Scenario,
  options: WorldOptions,
): Promise<{ result: Result; lines: readonly string[] }> {
  const world = new World(options);
  const random = new Random(options.seed, 'day');
  const cashiers = new Cashiers(world, random);
  world.boot();
  await world.time.advance(5000);
  await trade(world, random, cashiers, scenario);
  await close(world, cashiers);
  judgeEnd(world);
  world.retire();
  rmSync(options.folder, { recursive: true, force: true });
  return { result: resultOf(world), lines: world.trace.lines };
}

async function trade(world: World, random: Random, cashiers: Cashiers, scenario: Scenario): Promise<void> {
  const { time, books } = world;
  const enough = () =>
    books.attempts.size >= LEAST_ATTEMPTS && world.faults >= LEAST_FAULTS && world.crashes > 0;
  for (let round = 0; round < MOST_ROUNDS && !enough(); round += 1) {
    if (random.chance(scenario.faultChance)) strikeAny(world, random);
    if (round % 15 === 14 && world.crashes === 0) crash(world, random);
    if (random.chance(0.85)) cashiers.serve();
    else cashiers.askThroughService();
    await time.advance(random.time(...scenario.pauseMs));
    cashiers.lookAtDoubts();
  }
}

/** All is mended; then everything must come to its end by itself, or through the people who are asked. */
async function close(world: World, cashiers: Cashiers): Promise<void> {
  const { time } = world;
  world.trace.say('shop', 'closes: everything is mended');
  for (let passed = 0; passed < MOST_DRAIN_MS; passed += 5000) {
    world.heal();
    cashiers.lookAtDoubts();
    await time.advance(5000);
    if (passed >= 60_000 && isQuiet(world)) return;
  }
}

function isQuiet({ agent, books, places, reportsLocal }: World): boolean {
  if (!agent || books.open().length > 0 || agent.ready.length < places.length) return false;
  return reportsLocal ? agent.owed === 0 : agent.owedOfService === 0;
}

function judgeEnd(world: World): void {
  const { agent, books, places } = world;
  for (const attempt of books.open())
    books.accuse('stuck', `${books.nameOf(attempt.id)} is still ${attempt.state.name}`);
  for (const { device } of places) {
    if (!agent?.ready.includes(device.id)) books.accuse('stuck', `${device.name} does not become ready`);
  }
  for (const attempt of books.attempts.values()) {
    if (isFinal(attempt.state)) books.judgeCharges(attempt);
  }
  judgeReports(world);
}

function resultOf(world: World): Result {
  const { books, doubts } = world;
  return {
    seed: world.seed,
    attempts: books.attempts.size,
    charges: books.charges,
    crashes: world.crashes,
    faults: world.faults,
    person_needed: books.needPerson.size,
    in_doubt_all: books.doubted.size,
    in_doubt: doubts.counted,
    in_doubt_resolved_60s: doubts.resolvedInTime,
    accusations: books.accusations,
    known: books.known,
  };
}
