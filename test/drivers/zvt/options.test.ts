import { readFileSync } from 'node:fs';
import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { zvt } from '../../../drivers/terminals/zvt/manifest.ts';
import { options, settingsOf } from '../../../drivers/terminals/zvt/settings.ts';
import { openCounter } from './scripted-terminal.ts';

const FOLDER = new URL('../../../drivers/terminals/zvt/', import.meta.url);

describe('the options of a device', () => {
  it.each([
    { passwrd: '123456' },
    { quirks: { registration: 'full' } },
    { quirks: { capture: 'guess' } },
    { quirks: { also_permitted: ['6D0'] } },
    { quirks: { payment_type: '4' } },
    { charset: 'iso-8859-12' },
    { receipts: 'yes' },
    { time_zone: 'Berlin' },
    { printer_width: 100 },
  ])('are refused with an unknown key or value: %j', (given) => {
    expect(options.safeParse(given).success).toBe(false);
  });

  it('are safe when nothing is said', () => {
    expect(settingsOf(undefined)).toMatchObject({
      configByte: 0xbe,
      receipts: 'taken',
      timeZone: undefined,
      quirks: {
        registrationTlv: 'permitted',
        printCommands: 'both',
        paymentType: undefined,
        recover: 'by_number',
        initialise: true,
        diagnose: true,
      },
    });
  });

  const keysOf = (schema: { readonly shape: object }) => Object.keys(schema.shape);
  const quirks = options.shape.quirks.unwrap();
  const inUse = (keys: readonly string[], prefix = '') =>
    keys.filter((key) => !(`${prefix}${key}` in (zvt.withdrawnOptions ?? {}))).sort();

  it('are all in the sample configuration, which the schema accepts', () => {
    const sample = parse(readFileSync(new URL('zvt.example.jsonc', FOLDER), 'utf8'));
    expect(zvt.options.safeParse(sample.options).error).toBeUndefined();
    expect(Object.keys(sample.options).sort()).toEqual(inUse(keysOf(options)));
    expect(Object.keys(sample.options.quirks).sort()).toEqual(inUse(keysOf(quirks), 'quirks.'));
  });

  it('are all explained in the README', () => {
    const readme = readFileSync(new URL('README.md', FOLDER), 'utf8');
    const missing = [...keysOf(options), ...keysOf(quirks)].filter((key) => !readme.includes(`\`${key}\``));
    expect(missing).toEqual([]);
  });
});

it.each([
  [{ preauthorisation: true, quirks: { capture: 'partial_reversal' } }],
  [{ preauthorisation: false, quirks: { capture: 'book_total' } }],
])('a configuration with the withdrawn %j still has its terminal, as without it', (given) => {
  expect(settingsOf(given)).toEqual(settingsOf({}));
});

it('a terminal whose Repeat Receipt tells nothing is not even asked', async () => {
  const counter = await openCounter([], { options: { quirks: { recover: 'none' } } });
  expect(counter.session.capabilities.recover).toBe('none');
  expect(await counter.session.lastTransaction(counter.signal)).toMatchObject({ kind: 'unreadable' });
  expect(counter.terminal.heard).toEqual([]);
});

it.each([
  ['sale', '06010C04000000001234490978' + '1940'],
  ['refund', '06310F00000004000000001234490978' + '1940'],
] as const)('a payment type goes out with a %s where the device has one', async (kind, frame) => {
  const counter = await openCounter([{ expect: '06', send: ['848300'] }], {
    options: { quirks: { payment_type: '40' } },
  });
  await counter.pay({ kind, attemptId: 'a', ticket: 'A00001', amount: { minor: 1234, currency: 'EUR' } });
  expect(counter.terminal.heard).toEqual([frame]);
});
