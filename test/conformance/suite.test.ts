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
    // No reference of ours comes back.
    /^(recovery\/own-.*|free\/ownTransaction)$/,
    /^capability\/(no-refund|no-void|no-abort|no-tip|commit-received)$/,
    /^day\/none$/,
    // Neither checksum nor ACK: PA00P016 4.
    /^(truncated|damaged|nak)\//,
  ],
  'ecr17 over tcp': [
    // No reference of ours comes back.
    /^(recovery\/own-.*|free\/ownTransaction)$/,
    /^capability\/(refund|void-any|no-void|void-without-card|abort|abort-in-time|commit-acknowledged)$/,
    /^capability\/tip/,
    /^recovery\/(by-hand|bad-end-.*)$/,
    /^busy\/(is-seen|card-left-in|starting-up|idle-hang-up)$/,
    /^money\/(refund-.*|slow-disk)$/,
    /^day\/none$/,
    /^.*\/refund$/,
  ],
  'ecr17 over serial': [
    // No reference of ours comes back.
    /^(recovery\/own-.*|free\/ownTransaction)$/,
    /^capability\/(refund|void-any|no-void|void-without-card|abort|abort-in-time|commit-acknowledged)$/,
    /^capability\/tip/,
    /^recovery\/(by-hand|bad-end-.*)$/,
    /^busy\/(is-seen|card-left-in|starting-up)$/,
    /^money\/(refund-.*|slow-disk)$/,
    /^day\/none$/,
    /^.*\/refund$/,
  ],
  'transbank over serial': [
    /^.*\/reprint$/,
    /^(free|day)\/totals$/,
    /^money\/(refund-.*|stored-declines|less|slow-disk)$/,
    /^capability\/(refund|void-last|no-void|abort|abort-in-time|commit-acknowledged)$/,
    /^capability\/tip/,
    /^busy\/(is-seen|card-left-in|starting-up)$/,
    /^recovery\/bad-end-/,
    /^day\/none$/,
    /^.*\/refund$/,
  ],
  'concert eplus over serial': [
    /^.*\/reprint$/,
    // A cancel names no payment, an answer no number; nothing stops a payment; the amount is repeated, never another one.
    /^(recovery\/own-.*|free\/ownTransaction|(free|day)\/totals)$/,
    /^money\/(stored-declines|less|more)$/,
    /^capability\/(no-refund|void-.*|abort|abort-in-time|commit-received)$/,
    /^capability\/tip/,
    /^(.*\/void|day\/void-behind-it)$/,
    /^busy\/(is-seen|card-left-in|starting-up)$/,
    /^recovery\/(empty|same-numbers|nothing-since|by-hand|wrapped-numbers|cannot-tell|declined|of-a-void)$/,
    // It closes its day by itself.
    /^day\/(closes|empty|refused|updates|over-a-dead-link|after-it)$/,
    /^identity\/another-terminal$/,
    /^.*\/end-of-day$/,
  ],
  'concert v3 over serial': [
    /^.*\/reprint$/,
    /^(recovery\/own-.*|free\/ownTransaction|(free|day)\/totals)$/,
    /^money\/(stored-declines|more)$/,
    /^capability\/(no-refund|void-.*|abort|abort-in-time|commit-received)$/,
    /^capability\/tip/,
    /^(.*\/void|day\/void-behind-it)$/,
    /^busy\/(is-seen|card-left-in|starting-up)$/,
    /^recovery\/(empty|same-numbers|nothing-since|by-hand|wrapped-numbers|cannot-tell|declined|of-a-void)$/,
    /^day\/none$/,
  ],
  'concert v3 over tcp': [
    /^.*\/reprint$/,
    /^(recovery\/own-.*|free\/ownTransaction|(free|day)\/totals)$/,
    /^money\/(stored-declines|more|slow-disk)$/,
    /^capability\/(no-refund|void-.*|abort|abort-in-time|commit-acknowledged)$/,
    /^capability\/tip/,
    /^(.*\/void|day\/void-behind-it)$/,
    // Nothing is kept while it is idle.
    /^busy\/(is-seen|card-left-in|starting-up|idle-hang-up)$/,
    /^recovery\/(empty|same-numbers|nothing-since|by-hand|wrapped-numbers|cannot-tell|declined|of-a-void|bad-end-.*)$/,
    /^day\/none$/,
    // Neither checksum nor ACK.
    /^(truncated|damaged|nak)\//,
  ],
  'nexo over tcp': [
    /^.*\/reprint$/,
    // Every id is unique for ever, and every result is kept.
    /^money\/(stored-declines|slow-disk)$/,
    /^capability\/(no-refund|void-last|no-void|no-tip|no-abort|commit-acknowledged)$/,
    // Nothing is kept while it is idle.
    /^busy\/(card-left-in|starting-up|idle-hang-up)$/,
    /^recovery\/(cannot-tell|own-voided|bad-end-.*)$/,
    /^day\/(none|void-behind-it)$/,
    // HTTP has neither checksum nor ACK.
    /^(truncated|damaged|nak)\//,
  ],
  'zvt over serial': [
    // No reference of ours comes back.
    /^(recovery\/own-.*|free\/ownTransaction)$/,
    /^capability\/(no-refund|no-void|no-abort|no-tip|commit-received)$/,
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
    const there = subjects.map(({ manifest, wire }) => `${manifest.id} over ${wire}`);
    expect([...new Set(there)].sort()).toEqual(needed.sort());
  });

  it('names each subject by its driver and its wire, and by what it is set to where there are several', () => {
    const ids = subjects.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { id, manifest, wire } of subjects)
      expect(id).toMatch(new RegExp(`^${manifest.id} (\\w+ )?over ${wire}$`));
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
