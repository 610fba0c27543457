import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { terminalDrivers } from '../../../drivers/index.ts';
import { type DriverFacts, parseDeviceOptions } from '../../../src/config/device-options.ts';
import { parseConfig } from '../../../src/config/load.ts';

const driver: DriverFacts = {
  id: 'zvt',
  transports: ['tcp'],
  defaults: { tcpPort: 20007 },
  capabilities: { tip: false },
  maxAmountMinor: 1000,
  options: z.strictObject({ password: z.string().default('000000') }),
};
const ID = '0199c0de-0000-7000-8000-000000000001';

function configWith(more: object) {
  const device = {
    id: ID,
    name: 'A',
    driver: 'zvt',
    currency: 'EUR',
    link: { type: 'tcp', host: 'a' },
    ...more,
  };
  return parseConfig(JSON.stringify({ version: 1, environment: 'live', devices: [device] }), 'x');
}

describe('the options of a device', () => {
  it("are read by the driver's own schema, defaults filled in", () => {
    expect(parseDeviceOptions(configWith({}), [driver]).get(ID)).toEqual({ password: '000000' });
  });

  it.each([
    ['concert', {}, 900_000],
    ['ecr17', { terminal_id: '12345678' }, 600_000],
    ['transbank', {}, 900_000],
  ])('are refused with both numbers where a customer is given longer than %s allows', (id, needed, most) => {
    const real = terminalDrivers.filter((one) => one.id === id);
    const link = { type: 'serial', path: '/dev/ttyS0', baud_rate: 9600 };
    const withCustomer = (customer_ms: number) =>
      configWith({ driver: id, link, currency: 'EUR', options: { ...needed, customer_ms } });
    const drivers = real.map((one) => ({ ...one, transports: ['serial' as const] }));
    expect(() => parseDeviceOptions(withCustomer(most), drivers)).not.toThrow();
    expect(() => parseDeviceOptions(withCustomer(most + 1), drivers)).toThrow(
      `devices[0].options.customer_ms: is ${most + 1}; at most ${most} is allowed`,
    );
  });

  it('may ask for a tip where the driver can, and for none everywhere', () => {
    const asks = { ...driver, capabilities: { tip: true } };
    expect(() => parseDeviceOptions(configWith({ tip: 'ask' }), [asks])).not.toThrow();
    expect(() => parseDeviceOptions(configWith({ tip: 'none' }), [driver])).not.toThrow();
  });

  it.each([
    [
      'an unknown option',
      { options: { pasword: 'x' } },
      /devices\[0\]\.options\.pasword: unknown key .* "password"/,
    ],
    [
      'an unknown driver',
      { driver: 'zvd' },
      /devices\[0\]\.driver: there is no driver "zvd", did you mean "zvt"/,
    ],
    [
      'a transport that it does not speak',
      { link: { type: 'serial', path: '/dev/ttyS0', baud_rate: 9600 } },
      /link\.type/,
    ],
    [
      'a search for its terminals where it knows none of their USB ids',
      { link: { type: 'serial', path: 'auto' } },
      /link\.path: "auto" does not work with driver "zvt".*give "usb" or a path/,
    ],
    [
      'an amount that it cannot carry',
      { max_amount_minor: 1001 },
      /max_amount_minor: "zvt" carries at most 1000/,
    ],
    [
      'a tip that it cannot ask for',
      { tip: 'ask' },
      /devices\[0\]\.tip: "ask" does not work with driver "zvt", whose protocol has no such request/,
    ],
  ])('are refused for %s', (_what, more, words) => {
    expect(() => parseDeviceOptions(configWith(more), [driver])).toThrow(words);
  });
});
