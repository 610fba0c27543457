import { LOSSES } from './disk.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

/** What the machine and its memory do, each with its weight among all faults. */
export const MEMORY_FAULTS: readonly (readonly [
  weight: number,
  strike: (world: World, random: Random) => void,
])[] = [
  [6, backUp],
  [3, rarelyLoseMemory],
  [3, refuse],
  [3, stall],
  [2, startIn1970],
];

/** Copies, and losses of what was copied, one soon after the other. */
export function strikeMemory(world: World, random: Random): void {
  if (random.chance(0.6)) backUp(world, random);
  else loseMemory(world, random);
}

/** A copy of the database, while it runs or just after it ended. */
function backUp(world: World, random: Random): void {
  world.trace.say('fault', 'somebody copies the database');
  world.disk.backUp();
  if (random.chance(0.5)) world.time.at(random.time(10, 20_000), () => world.disk.backUp());
}

/** A machine breaks seldom, even on bad days; `strikeMemory` is for days on which it does. */
function rarelyLoseMemory(world: World, random: Random): void {
  if (random.chance(0.03)) loseMemory(world, random);
  else backUp(world, random);
}

/** The machine breaks, and what is put in its place remembers less. */
function loseMemory(world: World, random: Random): void {
  const loss = random.pick(LOSSES);
  if (loss.startsWith('restored') && !world.disk.hasBackup) return;
  const which = random.next();
  world.time.at(random.time(10, 20_000), () => world.loseMemory(loss, which));
}

function refuse(world: World, random: Random): void {
  const code = random.chance(0.75) ? 'STORAGE_FULL' : 'STORAGE_FAILED';
  const ms = random.time(500, 120_000);
  world.time.at(random.time(5, 15_000), () => {
    world.struck(`the disk refuses (${code}) for ${ms} ms`);
    world.disk.refuse(code, ms);
  });
}

/** A commit between approval and acknowledgement takes longer than the terminal waits (T3 is 5 s). */
function stall(world: World, random: Random): void {
  const ms = random.pick([6000, 6000, 4000, 20_000]);
  world.trace.say('fault', () => `the commit of the next approval stalls for ${ms} ms`);
  world.disk.stallAtApproval(ms);
}

/** Power is back and the clock is not: it stands at the epoch until somebody tells it the time. */
function startIn1970(world: World, random: Random): void {
  if (!world.agent || world.isIn1970) return;
  world.struck('the machine starts in 1970');
  world.agent.crash('power cut, and the clock has lost the time');
  world.loseTime(random.time(2000, 240_000));
}
