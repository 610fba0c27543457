import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configFiles, loadConfig } from '../../../src/config/load.ts';
import { aFolder } from '../../support/money-database.ts';

const DEVICE = {
  id: '0199c0de-0000-7000-8000-000000000001',
  name: 'Counter 1',
  driver: 'zvt',
  currency: 'EUR',
  link: { type: 'tcp', host: '192.168.1.40' },
};

/** A configuration beside the files of its `conf.d`. @returns its path */
function written(own: unknown, beside: Readonly<Record<string, unknown>> = {}): string {
  const folder = aFolder();
  mkdirSync(join(folder, 'conf.d'));
  const put = (path: string, value: unknown) =>
    writeFileSync(join(folder, path), typeof value === 'string' ? value : JSON.stringify(value));
  for (const [name, value] of Object.entries(beside)) put(join('conf.d', name), value);
  put('tilld.jsonc', own);
  return join(folder, 'tilld.jsonc');
}

describe('the files of conf.d', () => {
  it('are defaults: the configuration is merged over them, key by key and to any depth', () => {
    const file = written(
      { environment: 'live', listen: { port: 9000 } },
      { '10-package.jsonc': { version: 1, listen: { host: '127.0.0.2', port: 1 }, log: { level: 'warn' } } },
    );
    expect(loadConfig(file)).toMatchObject({
      environment: 'live',
      listen: { host: '127.0.0.2', port: 9000 },
      log: { level: 'warn' },
    });
  });

  it('are merged by their names, the later one over the earlier one', () => {
    const file = written(
      { version: 1, environment: 'live' },
      {
        '20-shop.jsonc': { heartbeat_ms: 20_000 },
        '10-chain.jsonc': { heartbeat_ms: 10_000, lane: { wait_ms: 5000 } },
      },
    );
    expect(loadConfig(file)).toMatchObject({ heartbeat_ms: 20_000, lane: { wait_ms: 5000 } });
    expect(configFiles(file).map((path) => path.split('/').at(-1))).toEqual([
      '10-chain.jsonc',
      '20-shop.jsonc',
      'tilld.jsonc',
    ]);
  });

  it('a list of a later file replaces that of an earlier one as a whole', () => {
    const file = written(
      { version: 1, environment: 'live', devices: [DEVICE] },
      {
        '10-chain.jsonc': {
          devices: [
            { ...DEVICE, name: 'of the chain' },
            { ...DEVICE, name: 'second' },
          ],
        },
      },
    );
    expect(loadConfig(file).devices.map(({ name }) => name)).toEqual(['Counter 1']);
  });

  it('count only by the ending .jsonc, and not when hidden: what dpkg and editors leave behind is not read', () => {
    const file = written(
      { version: 1, environment: 'live' },
      { '10.jsonc.dpkg-new': 'broken', '.20.jsonc': 'broken', README: 'broken', '30.jsonc~': 'broken' },
    );
    expect(configFiles(file)).toEqual([file]);
    expect(loadConfig(file).environment).toBe('live');
  });

  it('an error names the file and the line that it stems from', () => {
    const chain = '{\n  "listen": { "port": 70000 },\n  "lisen": 1\n}';
    const own = '{ "version": 1,\n\n  "environment": "test" }';
    const file = written(own, { '10-chain.jsonc': chain });
    const conf = join(file, '../conf.d/10-chain.jsonc');
    expect(() => loadConfig(file)).toThrow(
      expect.objectContaining({
        code: 'CONFIG_INVALID',
        message: expect.stringMatching(
          new RegExp(
            `^${file} has 3 problems:\n  3:3 environment: .*\n  ${conf}:2:15 listen.port: .*\n  ${conf}:3:3 lisen: .*$`,
          ),
        ),
      }),
    );
  });

  it('a list that was replaced is never blamed', () => {
    const file = written(
      { version: 1, environment: 'live', devices: [{ ...DEVICE, link: undefined }] },
      { '10-chain.jsonc': { devices: [DEVICE] } },
    );
    expect(() => loadConfig(file)).toThrow(/\n {2}1:\d+ devices\[0\]\.link: is missing$/);
  });

  it('an error of syntax is found in each of them, and so is one that is no object', () => {
    const file = written('{ "version": 1 "environment": "live" }', { '10.jsonc': '{', '20.jsonc': '[1]' });
    expect(() => loadConfig(file)).toThrow(/10\.jsonc:1:2 syntax[\s\S]*20\.jsonc must be an object/);
    expect(() => loadConfig(file)).toThrow(/\n {2}1:16 syntax/);
  });

  it('a rule across keys holds for what was merged, and names the file of the key', () => {
    const file = written(
      { version: 1, environment: 'live', devices: [DEVICE] },
      { '10.jsonc': { listen: { host: '0.0.0.0' } } },
    );
    expect(() => loadConfig(file)).toThrow(/conf\.d\/10\.jsonc:1:\d+ listen/);
  });

  it('a key that objects inherit changes nothing but itself', () => {
    const file = written(
      { version: 1, environment: 'live' },
      { '10.jsonc': '{ "__proto__": { "environment": "sandbox", "heartbeat_ms": 10000 } }' },
    );
    expect(() => loadConfig(file)).toThrow(/10\.jsonc:1:3 __proto__/);
  });

  it('without the folder the configuration stands alone, and one that is missing is missing all the same', () => {
    const file = written({ version: 1, environment: 'live' });
    expect(loadConfig(file).environment).toBe('live');
    expect(() => loadConfig(join(aFolder(), 'tilld.jsonc'))).toThrow(
      expect.objectContaining({ code: 'CONFIG_NOT_FOUND' }),
    );
  });
});
