import { describe, expect, it } from 'vitest';
import { checkedIntegrations, servedIntegrations } from '../../../src/agent/served-integrations.ts';
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
    const integrations = await served({ provider_a: FILES });
    expect(
      integrations.map(({ name, driver, configured }) => [name, driver.id, configured.resources.length]),
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
  ])('are refused in words for %s', async (_, integration, words) => {
    await expect(served({ provider_a: integration })).rejects.toThrow(words);
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

  it('for the daemon are refused alone, except where customers may be taken for one another', async () => {
    const checked = async (integrations: object) => {
      const text = JSON.stringify({
        version: 1,
        environment: 'sandbox',
        service: { url: 'http://127.0.0.1:8481' },
        integrations,
      });
      const { served, refused } = await checkedIntegrations(parseConfig(text, 'shop.jsonc'), 'shop.jsonc');
      return { served: served.map(({ name }) => name), refused: refused.map(({ name }) => name) };
    };
    const broken = { ...FILES, settings: { resources: {} } };
    const apart = { ...FILES, customer_prefix: 'b:' };
    expect(await checked({ provider_a: broken, provider_b: apart })).toEqual({
      served: ['provider_b'],
      refused: ['provider_a'],
    });
    expect(await checked({ provider_a: FILES, provider_b: FILES })).toEqual({
      served: [],
      refused: ['provider_a', 'provider_b'],
    });
    expect(await checked({ provider_a: broken, provider_b: FILES })).toEqual({
      served: [],
      refused: ['provider_a', 'provider_b'],
    });
    const mirrored = { ...broken, sink: 'mirror' };
    expect((await checked({ provider_a: mirrored, provider_b: FILES })).served).toEqual(['provider_b']);
  });
});
