import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { terminalDrivers } from '../../drivers/index.ts';
import { exemptionOf } from './scenario.ts';
import type { Subject } from './subject.ts';
import { subjects } from './subjects/list.ts';
import { suiteOf } from './suite.ts';

const suite = suiteOf();

/** All that each driver may leave out; a new exemption is a line here, and a reason in the matrix. */
const MAY_LEAVE_OUT: Readonly<Record<string, readonly RegExp[]>> = {
  'zvt over tcp': [
    /^capability\/(no-refund|no-void|no-abort|no-preauthorisation|commit-received)$/,
    /^day\/none$/,
    // Neither checksum nor ACK: PA00P016 4.
    /^(truncated|damaged|nak)\//,
  ],
  'zvt over serial': [
    /^capability\/(no-refund|no-void|no-abort|no-preauthorisation|commit-received)$/,
    /^day\/none$/,
  ],
};
/** A reason is words, not a shrug. */
const SHORTEST_REASON = 20;

function exemptionsOf(subject: Subject) {
  return suite.flatMap((scenario) => {
    const reason = exemptionOf(scenario, subject);
    return reason === null ? [] : [{ id: scenario.id, reason }];
  });
}

describe('the suite', () => {
  it('has at least sixty scenarios, each with a name and a promise of its own', () => {
    expect(suite.length).toBeGreaterThanOrEqual(60);
    expect(new Set(suite.map(({ id }) => id)).size).toBe(suite.length);
    expect(new Set(suite.map(({ title }) => title)).size).toBe(suite.length);
  });

  it('has a subject for every driver over every wire that its manifest names', () => {
    const needed = terminalDrivers.flatMap(({ id, transports }) =>
      transports.map((wire) => `${id} over ${wire}`),
    );
    expect(subjects.map(({ id }) => id).sort()).toEqual(needed.sort());
  });

  it('plays every subject as tests: a file for each', () => {
    const files = readdirSync(import.meta.dirname);
    for (const { id } of subjects) expect(files).toContain(`${id.replaceAll(' ', '-')}.test.ts`);
  });
});

describe.each(subjects.map((subject) => [subject.id, subject] as const))('%s', (id, subject) => {
  it('leaves out only what is listed, each with a reason', () => {
    const allowed = MAY_LEAVE_OUT[id] ?? [];
    for (const { id: scenario, reason } of exemptionsOf(subject)) {
      expect(
        allowed.some((pattern) => pattern.test(scenario)),
        `${scenario} is left out`,
      ).toBe(true);
      expect(reason.length, `${scenario}: "${reason}"`).toBeGreaterThanOrEqual(SHORTEST_REASON);
    }
  });

  it('lists nothing that it does not leave out', () => {
    const left = exemptionsOf(subject).map(({ id: scenario }) => scenario);
    for (const pattern of MAY_LEAVE_OUT[id] ?? [])
      expect(
        left.some((scenario) => pattern.test(scenario)),
        `${pattern}`,
      ).toBe(true);
    for (const scenario of Object.keys(subject.exemptions))
      expect(suite.map((one) => one.id)).toContain(scenario);
  });

  it('still has sixty scenarios to pass', () => {
    expect(suite.length - exemptionsOf(subject).length).toBeGreaterThanOrEqual(60);
  });
});
