import type { Random } from './random.ts';
import type { World } from './world.ts';

const HOUR = 3_600_000;
const AMOUNTS = [100, 990, 1234, 1999] as const;

/** What the service, its back office and its other agents do, each with its weight among all faults. */
export const SERVICE_FAULTS: readonly (readonly [
  weight: number,
  strike: (world: World, random: Random) => void,
])[] = [
  [8, requestFault],
  [5, outage],
  [5, cancel],
  [5, giveBack],
  [2, keyRolled],
  [2, anotherAgent],
  [1, forget],
];

/** Whatever the service does, each kind as often as any other. */
export function strikeService(world: World, random: Random): void {
  const [, strike] = random.pick(SERVICE_FAULTS);
  strike(world, random);
}

function requestFault(world: World, random: Random): void {
  const what = random.pick([
    'status_500',
    'status_503',
    'status_429',
    'status_409',
    'status_422',
    'answer_lost',
    'answer_lost',
    'hangs',
    'twice',
    'portal',
  ] as const);
  world.service.spoil(what, what === 'status_422' ? 1 : random.int(1, 4));
}

/** Mostly minutes; a payment may be cancelled there meanwhile, and nobody here hears of it. */
function outage(world: World, random: Random): void {
  const ms = random.time(2000, 400_000);
  world.struck(`the service is away for ${ms} ms`);
  world.service.goOffline(ms);
  if (random.chance(0.4)) world.time.at(random.time(500, ms), () => world.service.cancelSomething());
}

/** At any moment, hours late too: for what has been charged here and could not be told yet. */
function cancel(world: World, random: Random): void {
  const after = random.pick([0, random.time(100, 60_000), random.time(60_000, 3 * HOUR)]);
  world.time.at(after, () => world.service.cancelSomething());
}

function giveBack(world: World, random: Random): void {
  const type = random.chance(0.6) ? 'refund' : 'void';
  const amount = random.chance(0.5) ? null : random.pick([1, 50, 100, 990]);
  world.service.askBack(type, amount);
  if (random.chance(0.3)) world.service.askBack(type, amount);
  if (random.chance(0.5)) world.agent?.notify();
}

function keyRolled(world: World, random: Random): void {
  const what = random.pick(['unknown', 'foreign'] as const);
  const ms = random.time(2000, 30 * 60_000);
  world.struck(`our key is ${what} at the service for ${ms} ms`);
  world.service.troubleKey(what, ms);
  if (random.chance(0.5)) world.time.at(ms, () => world.agent?.keyChanged());
}

/** Another agent reports what it charged itself: nobody may run that. */
function anotherAgent(world: World, random: Random): void {
  if (!world.service.keepsMetadata) return;
  world.struck('another agent reports a payment of its own');
  const { device } = random.pick(world.places);
  const reported = world.service.reportByAnother(device, random.pick(AMOUNTS), random.time(1000, 120_000));
  reported.catch((error: unknown) => world.books.accuse('broken_rules', `another agent: ${String(error)}`));
}

function forget(world: World): void {
  world.service.forgetSomething();
}
