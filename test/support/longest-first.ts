import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longest, by the ends of their paths. */
const LONGEST = [
  'crash/power/restore.test.ts',
  'shop/week.test.ts',
  'scenario/a-damaged-mirror.test.ts',
  'simulation/simulation.test.ts',
  'simulation/sync/sync-simulation.test.ts',
  'scenario/api-quick-start.test.ts',
  'scenario/invoice/the-way-of-an-invoice.test.ts',
  'security/security.test.ts',
];

/** Begins with the longest files also in a clean clone, which has no times of an earlier run: one that begins last leaves a processor idle. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const found = LONGEST.findIndex((end) => moduleId.endsWith(`/${end}`));
      return found === -1 ? LONGEST.length : found;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}
