import { parseArgs } from 'node:util';
import { messageOf } from '../../src/base/errors.ts';
import { FAMILIES } from './family.ts';
import { brokenPromises, PROMISE, runPlug } from './run.ts';

const USAGE = `plug --cycles N [--family ${Object.keys(FAMILIES).join('|')}] [--counters 1..4] [--seed S]
  pulls and plugs the cables of virtual terminals on real ptys and measures how soon that is noticed and usable again
`;

/** Prints one JSON line; 1 when a promise is broken, 2 for a wrong call. */
async function main(): Promise<number> {
  const options = asked();
  if (!options) {
    process.stderr.write(USAGE);
    return 2;
  }
  const onCycle = (done: number) => {
    if (done % 50 === 0) process.stderr.write(`${done} of ${options.cycles} cycles\n`);
  };
  const result = await runPlug({ ...options, onCycle });
  const broken = brokenPromises(result);
  process.stdout.write(`${JSON.stringify({ ...result, promise: PROMISE, broken })}\n`);
  return broken.length === 0 ? 0 : 1;
}

function asked() {
  try {
    const { values } = parseArgs({
      options: {
        cycles: { type: 'string', default: '1000' },
        counters: { type: 'string', default: '4' },
        seed: { type: 'string', default: '1' },
        family: { type: 'string', default: 'zvt' },
      },
    });
    const [cycles, counters, seed] = [values.cycles, values.counters, values.seed].map(Number);
    if (!isCount(cycles, 1_000_000) || !isCount(counters, 4) || !isCount(seed, 1e9)) return null;
    const family = FAMILIES[values.family];
    return family ? { family, cycles, counters, seed } : null;
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`);
    return null;
  }
}

function isCount(value: number | undefined, most: number): value is number {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most;
}

process.exitCode = await main();
