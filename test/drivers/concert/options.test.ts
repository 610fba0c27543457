import { readFileSync } from 'node:fs';
import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { concert } from '../../../drivers/terminals/concert/manifest.ts';
import { capabilitiesOf, options, settingsOf } from '../../../drivers/terminals/concert/settings.ts';

const FOLDER = new URL('../../../drivers/terminals/concert/', import.meta.url);
const keys = Object.keys(options.shape);
const isWithdrawn = (key: string) => key in (concert.withdrawnOptions ?? {});

describe('the options of a Concert device', () => {
  it('are all in the sample configuration, which the schema accepts', () => {
    const sample = parse(readFileSync(new URL('concert.example.jsonc', FOLDER), 'utf8'));
    expect(concert.options.safeParse(sample.options).error).toBeUndefined();
    expect(Object.keys(sample.options).sort()).toEqual(keys.filter((key) => !isWithdrawn(key)).sort());
  });

  it('are all explained in the README', () => {
    const readme = readFileSync(new URL('README.md', FOLDER), 'utf8');
    expect(keys.filter((key) => !readme.includes(`\`${key}`))).toEqual([]);
  });

  it.each([
    { checkout: '00' },
    { checkout: '1' },
    { identifier: '123' },
    { results: { 9: 'refused' } },
    { results: { 0: 'refused' } },
    { results: { 7: 'approved' } },
    { void: 'any' },
    { status_query: 'I' },
    { unknown: true },
  ])('are refused where they cannot be: %j', (wrong) => {
    expect(options.safeParse(wrong).success).toBe(false);
  });
});

it('a configuration with the withdrawn "void" still has its terminal, which cancels nothing', () => {
  const settings = settingsOf({ void: 'last', status_query: 'T' });
  expect(capabilitiesOf(settings, 'tcp')).toMatchObject({ void: 'none', recover: 'by_reference' });
  expect(concert.capabilities.void).toBe('none');
});

describe('without any option', () => {
  it.each([
    ['eplus', 'serial', 'acknowledged'],
    ['v3', 'serial', 'acknowledged'],
    ['v3', 'tcp', 'received'],
  ] as const)(
    '%s over %s cancels nothing, closes nothing, recovers nothing, and goes on for four minutes',
    (dialect, wire, commitPoint) => {
      expect(capabilitiesOf(settingsOf({ dialect }), wire)).toMatchObject({
        refund: true,
        void: 'none',
        abort: false,
        recover: 'none',
        endOfDay: false,
        identity: 'port',
        commitPoint,
        settleMs: 20_000,
        goesOnMs: 240_000,
      });
    },
  );
});
