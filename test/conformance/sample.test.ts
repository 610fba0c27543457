import { describe, expect, it } from 'vitest';
import { play } from './run.ts';
import { sampleOverSerial, sampleOverTcp } from './subjects/sample.ts';
import { suiteOf } from './suite.ts';

/** What holds from the first day on; a driver that is done holds to all of it (holds.ts). */
const FIRST_THEME = 'opening';

describe.each([sampleOverTcp, sampleOverSerial])('$id', (subject) => {
  const first = suiteOf().filter(({ theme }) => theme === FIRST_THEME);
  it.each(first.map((scenario) => [scenario.id, scenario.title, scenario] as const))(
    '%s: %s',
    async (_id, _title, scenario) => {
      expect(await play(scenario, subject)).toEqual({ kind: 'green' });
    },
  );
});
