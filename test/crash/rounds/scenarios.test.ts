import { describe, expect, it } from 'vitest';
import { Random } from '../../simulation/random.ts';
import { dialectOf, LINKS, linksOf, manifestOf, PROTOCOLS } from './protocols.ts';
import { drawTraits, SCENARIOS, scenariosOf } from './scenarios.ts';

const SEEDS = 20;

describe('the scenarios of a protocol', () => {
  it.each([
    ['zvt', []],
    ['concert', ['giving back', 'voids']],
    ['ecr17', ['giving back']],
    ['transbank', ['giving back']],
  ])('%s leaves out what none of its terminals can do', (protocol, leftOut) => {
    const played = scenariosOf(protocol);
    expect(SCENARIOS.filter((_, scenario) => !played.includes(scenario)).map(({ name }) => name)).toEqual(
      leftOut,
    );
  });

  it.each(PROTOCOLS)('%s: terminals and devices that are drawn are ones that exist', async (protocol) => {
    const { options } = manifestOf(protocol);
    for (const scenario of SCENARIOS)
      for (const link of linksOf(protocol, LINKS))
        for (let seed = 1; seed <= SEEDS; seed += 1) {
          const traits = drawTraits(new Random(seed, 'habits'), { protocol, link }, scenario);
          expect((await dialectOf(protocol, traits.terminal)).protocol).toBe(protocol);
          expect(options.safeParse(traits.options)).toMatchObject({ success: true });
        }
  });
});
