import { crash, strikeAny } from './faults.ts';
import type { Random } from './random.ts';
import type { Scenario } from './scenario.ts';
import type { Cashiers } from './till.ts';
import type { World } from './world.ts';

const DAY_MS = 24 * 3_600_000;
/** Days that the service is away; the few where the machine is never off. */
const [MANY_DAYS, FEW_DAYS] = [30, 3];

/**
 * The service is away for thirty days, after a few minutes in which its answers were lost: every key that was used then is forgotten
 * there before it is used again. The shop opens each day for one or two customers and is switched off at night; once it stays on
 * for longer than a key is trusted. One in four has three such days only, and never switches it off: who used a key then still waits.
 */
export async function monthOffline(
  world: World,
  random: Random,
  cashiers: Cashiers,
  { faultChance, pauseMs }: Scenario,
): Promise<void> {
  const { time, service } = world;
  const trade = async (customers: number) => {
    for (let served = 0; served < customers; served += 1) {
      if (random.chance(0.85)) cashiers.serve();
      else cashiers.askThroughService();
      await time.advance(random.time(...pauseMs));
      cashiers.lookAtDoubts();
    }
  };
  await trade(3);
  service.spoil('answer_lost', 1000, 'POST');
  await trade(3);
  service.mend();
  world.struck('the service is away for a month');
  const neverOff = random.chance(0.25);
  const days = neverOff ? FEW_DAYS : MANY_DAYS;
  service.goOffline(days * DAY_MS - time.elapsed);
  const longNight = random.chance(0.3) ? random.int(2, MANY_DAYS - 2) : null;
  for (let day = 1; day < days; day += 1) {
    await until(world, day * DAY_MS, neverOff || day === longNight);
    if (random.chance(faultChance)) strikeAny(world, random);
    if (day === days >> 1 && world.crashes === 0) crash(world, random);
    await trade(1);
  }
  await until(world, days * DAY_MS, neverOff);
  await trade(2);
}

/** The night: the machine is switched off, unless somebody forgot to. */
async function until(world: World, morningMs: number, staysOn: boolean): Promise<void> {
  const { time } = world;
  await time.advance(60_000);
  if (!staysOn) world.closeShop();
  await time.advance(Math.max(0, morningMs - time.elapsed));
  world.openShop();
  await time.advance(10_000);
}
