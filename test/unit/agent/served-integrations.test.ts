import { describe, expect, it } from 'vitest';
import { servedIntegrations } from '../../../src/agent/served-integrations.ts';
import { parseConfig } from '../../../src/config/load.ts';

const FILES = {
  connector: 'files',
  folder: '/srv/export',
  settings: { resources: { customers: { files: '*.csv', id: 'number' } } },
};

function served(integrations: object) {
  const service = { url: 'http://127.0.0.1:8481' };
  const text = JSON.stringify({ version: 1, environment: 'sandbox', service, integrations });
  return servedIntegrations(parseConfig(text, 'shop.jsonc'), 'shop.jsonc');
}

describe('provider slots of a configuration', () => {
  it('are served by the connector that they name, with its settings checked', async () => {
    const slots = await served({ provider_a: FILES });
    expect(
      slots.map(({ name, driver, configured }) => [name, driver.id, configured.resources.length]),
    ).toEqual([['provider_a', 'files', 1]]);
  });

  it.each([
    ['an unknown connector', { ...FILES, connector: 'rset', folder: undefined }, /did you mean "rest"/],
    ['files without a folder', { ...FILES, folder: undefined }, /provider_a\.folder: is missing/],
    [
      'a folder that nobody reads',
      { connector: 'service', folder: '/srv' },
      /provider_a\.folder: is of no use/,
    ],
    [
      'settings that do not fit',
      { ...FILES, settings: { resources: {} } },
      /provider_a\.settings\.resources: .*at least one resource/,
    ],
  ])('are refused in words for %s', async (_, slot, words) => {
    await expect(served({ provider_a: slot })).rejects.toThrow(words);
  });

  it('of which two bring customers to the service must tell them apart', async () => {
    await expect(served({ provider_a: FILES, provider_b: FILES })).rejects.toThrow(
      /provider_b\.customer_prefix/,
    );
    const apart = { ...FILES, customer_prefix: 'b:' };
    expect(await served({ provider_a: FILES, provider_b: apart })).toHaveLength(2);
    expect(await served({ provider_a: FILES, provider_b: { ...FILES, sink: 'mirror' } })).toHaveLength(2);
  });

  it('send the service only what it takes', async () => {
    const orders = { resources: { orders: { files: '*.csv', id: 'number' } } };
    await expect(served({ provider_a: { ...FILES, settings: orders } })).rejects.toThrow(
      /provider_a\.sink: the service has no place for orders .*or set "mirror"/,
    );
    expect(await served({ provider_a: { ...FILES, settings: orders, sink: 'mirror' } })).toHaveLength(1);
  });
});
