import { expect, it } from 'vitest';
import { play } from './run.ts';
import { exemptionOf } from './scenario.ts';
import type { Subject } from './subject.ts';
import { suiteOf } from './suite.ts';

/** Every promise as a test of its own: `it` for each scenario that is for this driver. Called inside a `describe`. */
export function holdsToTheSuite(subject: Subject): void {
  for (const scenario of suiteOf().filter((one) => exemptionOf(one, subject) === null))
    it(`${scenario.id}: ${scenario.title}`, { timeout: 120_000 }, async () => {
      expect(await play(scenario, subject)).toEqual({ kind: 'green' });
    });
}
