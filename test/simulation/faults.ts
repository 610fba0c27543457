import { FAULT_KINDS, FAULT_POINTS } from '../../src/sandbox/controllable-terminal.ts';
import type { CrashPlan } from './agent.ts';
import type { LineFault } from './cable.ts';
import { MEMORY_FAULTS } from './memory-faults.ts';
import type { Random } from './random.ts';
import { SERVICE_FAULTS } from './service-faults.ts';
import { mayStandFor, type Place, type World } from './world.ts';

/** Silences around the protocol's limits: shorter than T3 (5 s), longer, longer than T4 (180 s). */
const SILENCES = [700, 4000, 6500, 25_000, 70_000, 200_000] as const;
const FARTHEST_CLOCK_MS = 6 * 3_600_000;

/** Everything that can go wrong, each with its weight. */
const FAULTS: readonly (readonly [
  weight: number,
  strike: (world: World, random: Random, place: Place) => void,
])[] = [
  [30, terminalFault],
  [24, lineFault],
  [22, crash],
  [5, clockJump],
  [4, wrongTerminal],
  [2, orderlyStop],
  [4, badEnd],
  ...SERVICE_FAULTS,
  ...MEMORY_FAULTS,
];

/** Draws one fault and lets it strike, or lie in wait for the moment it needs. */
export function strikeAny(world: World, random: Random): void {
  const place = random.pick(world.places);
  let at = random.int(0, FAULTS.reduce((sum, [weight]) => sum + weight, 0) - 1);
  for (const [weight, strike] of FAULTS) {
    at -= weight;
    if (at >= 0) continue;
    strike(world, random, place);
    return;
  }
}

/** A crash at a commit, at a byte, or at a moment that nothing marks. */
export function crash(world: World, random: Random): void {
  const { agent } = world;
  if (!agent) return;
  if (random.chance(0.2)) {
    world.time.at(random.time(5, 20_000), () => world.agent?.crash('at a moment that nothing marks'));
    return;
  }
  const plan: CrashPlan = random.chance(0.5)
    ? { at: 'commit', left: random.int(1, 14), side: random.pick(['before', 'after'] as const) }
    : { at: 'byte', left: random.int(0, 700), direction: random.pick(['to_terminal', 'to_agent'] as const) };
  world.trace.say('fault', () => `a crash waits at ${JSON.stringify(plan)}`);
  agent.arm(plan);
}

function terminalFault(world: World, random: Random, place: Place): void {
  const fault = { when: random.pick(FAULT_POINTS), do: random.pick(FAULT_KINDS) };
  const ms = fault.do === 'power_loss' ? random.time(300, 60_000) : random.pick(SILENCES);
  world.trace.say('fault', () => `${fault.do} waits at ${fault.when} of ${place.terminal.name}, ${ms} ms`);
  if (place.terminal.powered)
    place.terminal.inject({ ...fault, ms: fault.do === 'delay' ? Math.min(ms, 25_000) : ms });
}

/** An approval ends badly although it was acknowledged with all its receipts, or before the till has heard of it. */
function badEnd(world: World, random: Random, { terminal }: Place): void {
  const how = random.pick(['kept', 'reversed', 'reversed_silently', 'untold'] as const);
  world.trace.say('fault', () => `the next approval of ${terminal.name} ends badly: ${how}`);
  terminal.spoilNextEnd(how);
}

function lineFault(world: World, random: Random, place: Place): void {
  const isSerial = place.cable.shape.kind === 'serial';
  const kinds: readonly LineFault['what'][] = isSerial
    ? [
        'unplugged',
        'unplugged',
        'silent',
        'noise',
        'noise',
        'lose',
        'double',
        'delay',
        'loose_wire',
        'loose_wire',
      ]
    : ['reset', 'reset', 'reset', 'unplugged', 'silent', 'delay'];
  const atMoney = random.chance(0.3);
  const fault: LineFault = {
    direction: random.pick(['to_terminal', 'to_agent'] as const),
    after: random.int(0, atMoney ? random.pick([0, 20]) : random.pick([8, 120, 900])),
    what: random.pick(kinds),
    ms: random.time(100, 60_000),
  };
  const when = atMoney ? 'the next payment' : `byte ${fault.after}`;
  world.trace.say(
    'fault',
    () => `${fault.what} ${fault.direction} waits at ${place.device.name} for ${when}`,
  );
  if (atMoney) place.cable.spoilMoney(fault);
  else place.cable.spoil(fault);
}

function clockJump(world: World, random: Random): void {
  const ms = random.pick([-1, 1]) * random.time(500, 2 * 3_600_000);
  if (Math.abs(world.wall.skewMs + ms) > FARTHEST_CLOCK_MS) return;
  world.struck(`the machine's clock jumps by ${ms} ms`);
  world.jumpClock(ms);
}

/** Somebody plugs in a terminal of another shop, or exchanges two of this one, and mends it later. */
function wrongTerminal(world: World, random: Random, place: Place): void {
  if (place.terminal !== place.home || !mayStandFor(place.home, place)) return;
  const other = world.places.find(
    (one) => one !== place && one.terminal === one.home && mayStandFor(one.home, place),
  );
  world.struck('a wrong terminal is plugged in');
  // Two devices of the configuration lead to one terminal.
  if (other && random.chance(0.3)) world.plugIn(place, other.home);
  else if (other && random.chance(0.5)) {
    world.plugIn(place, other.home);
    world.plugIn(other, place.home);
  } else if (mayStandFor(world.stranger, place)) world.plugIn(place, world.stranger);
  world.time.at(random.time(2000, 120_000), () => {
    for (const one of world.places) world.plugIn(one, one.home);
  });
}

function orderlyStop(world: World): void {
  const { agent } = world;
  if (!agent) return;
  world.struck('the agent is stopped in order');
  agent.stop().catch((error: unknown) => {
    if (!agent.dead) world.books.accuse('broken_rules', `the stop failed: ${String(error)}`);
  });
}
