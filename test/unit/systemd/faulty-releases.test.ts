import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FAULTS, FAULTY_MODULE, type Fault, faulty, isFaulty } from '../../package/faulty-releases.ts';

const PATH = join(import.meta.dirname, '../../..', FAULTY_MODULE);

// The packages with these faults are built in the suites of the installed service only, half an hour into the CI.
it.each(Object.keys(FAULTS) as Fault[])(
  'a release that is faulty (%s) can be made of these sources',
  (fault) => {
    expect(isFaulty(PATH)).toBe(true);
    expect(faulty(readFileSync(PATH, 'utf8'), fault)).toContain(FAULTS[fault]);
  },
);
