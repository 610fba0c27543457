import { readFileSync } from 'node:fs';
import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { options } from '../../../drivers/terminals/transbank/settings.ts';
import { USUAL } from '../../../drivers/terminals/transbank/virtual-options.ts';
import { virtualTerminals } from '../../../drivers/virtual.ts';

const FOLDER = new URL('../../../drivers/terminals/transbank/', import.meta.url);
const readme = readFileSync(new URL('README.md', FOLDER), 'utf8');
const family = virtualTerminals.find(({ protocol }) => protocol === 'transbank');

describe('the options of a device', () => {
  it.each([{ voids: 'any' }, { void: 'last' }, { customer_ms: 1000 }, { load_keys: 'yes' }])(
    'are refused with an unknown key or value: %j',
    (given) => expect(options.safeParse(given).success).toBe(false),
  );

  it('are all in the sample configuration, which the schema accepts', () => {
    const sample = parse(readFileSync(new URL('transbank.example.jsonc', FOLDER), 'utf8'));
    expect(options.safeParse(sample.options).error).toBeUndefined();
    expect(Object.keys(sample.options).sort()).toEqual(Object.keys(options.shape).sort());
  });

  it('are all explained in the README', () => {
    expect(Object.keys(options.shape).filter((key) => !readme.includes(`\`${key}\``))).toEqual([]);
  });
});

describe('the options of a virtual terminal', () => {
  it('can all be given, and each is in the README', () => {
    expect(Object.keys(family?.options.shape ?? {}).sort()).toEqual(Object.keys(USUAL).sort());
    expect(Object.keys(USUAL).filter((key) => !readme.includes(`\`${key}\``))).toEqual([]);
  });

  it('are the usual ones when nothing is said', async () => {
    expect(family?.options.safeParse(USUAL).error).toBeUndefined();
    expect(await family?.load({})).toMatchObject({ protocol: 'transbank', storesDeclined: false });
  });
});
