import { describe } from 'vitest';
import { holdsToTheSuite } from './holds.ts';
import { subjects as stx } from './subjects/sample.ts';
import { subjects as lines } from './subjects/skeleton/lines.ts';
import { subjects as requestResponse } from './subjects/skeleton/request-response.ts';

// What `tillctl driver new` starts a driver with keeps every promise that applies to it.
for (const [kind, subjects] of Object.entries({ stx, lines, 'request-response': requestResponse }))
  for (const subject of subjects)
    describe(`the skeleton ${kind}, ${subject.id}`, () => holdsToTheSuite(subject));
