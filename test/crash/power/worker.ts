import { z } from 'zod';
import { CRIMES } from './crimes.ts';
import { Cuts } from './cuts.ts';

/** What the crew asks of one worker: some boundaries of one scenario, with so many seeds each. */
export const Order = z.object({
  scenario: z.object({ name: z.string(), folder: z.string() }),
  boundaries: z.array(z.int().positive()),
  seeds: z.int().positive(),
  /** A folder of its own, on a fast disk. */
  folder: z.string(),
});
export type Order = z.infer<typeof Order>;

/** An image that nobody may ever see. */
const Failure = z.object({
  workload: z.string(),
  boundary: z.int(),
  seed: z.int(),
  accusations: z.array(z.object({ crime: z.enum(CRIMES), text: z.string() })),
});
export type Failure = z.infer<typeof Failure>;

export const Report = z.object({ images: z.int(), revived: z.int(), failures: z.array(Failure) });
export type Report = z.infer<typeof Report>;

let cuts: { readonly scenario: string; readonly cuts: Cuts } | null = null;

async function work({ scenario, boundaries, seeds, folder }: Order): Promise<void> {
  if (cuts?.scenario !== scenario.folder)
    cuts = { scenario: scenario.folder, cuts: new Cuts(scenario, folder) };
  const failures: Failure[] = [];
  let images = 0;
  let revived = 0;
  for (const boundary of boundaries) {
    const verdicts = await cuts.cuts.at(boundary, Array(seeds).keys());
    images += verdicts.length;
    revived += verdicts.filter((verdict) => verdict.revived).length;
    for (const { seed, accusations } of verdicts) {
      if (accusations.length > 0)
        failures.push({ workload: scenario.name, boundary, seed, accusations: [...accusations] });
    }
  }
  process.send?.({ images, revived, failures } satisfies Report);
}

// Ends with the crew's foreman, however that ended; what a cut throws ends the worker, and the foreman names its place.
process.on('disconnect', () => process.exit(1));
process.on('message', (order) => void work(Order.parse(order)));
