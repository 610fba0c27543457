import { describe, expect, it } from 'vitest';
import { terminal } from '../../../../drivers/providers/terminal/manifest.ts';
import { silentLog } from '../../../../src/base/log.ts';
import type { Connector, ShopTerminals } from '../../../../src/integration/connector.ts';
import { sourceError } from '../../../../src/integration/failure/source-error.ts';
import { CREDENTIALS, EVERYTHING } from '../../../support/source-context.ts';
import { VirtualClock } from '../../../support/virtual-clock.ts';

const never = new AbortController().signal;

const three = ['a', 'b', 'c'].map((id) => ({ id, name: `Counter ${id}` }));
const busy = new Set<string>();
const terminals: ShopTerminals = {
  list: () => three,
  compare: async (id) => {
    if (busy.has(id)) throw sourceError('SOURCE_NOT_READY', 'a customer pays');
    return { since: null, at: 5, fields: { device_id: id } };
  },
  closes: (id, behind) => {
    const all = Array.from({ length: 250 }, (_, no) => ({
      id: `${id}${249 - no}`,
      createdAt: 249 - no,
      closedAt: 249 - no,
      fields: {},
    }));
    const from = behind === null ? 0 : all.findIndex((one) => one.id === behind) + 1;
    return all.slice(from, from + 100);
  },
};

async function connectorOn(settings: object = {}): Promise<Connector> {
  return (await terminal.configure(settings)).connect({
    credentials: CREDENTIALS,
    http: () => Promise.reject(new Error('no network')),
    files: () => Promise.reject(new Error('no folder')),
    readFile: () => Promise.reject(new Error('no folder')),
    terminals,
    clock: new VirtualClock(),
    log: silentLog,
  });
}

describe('the connector of the terminals', () => {
  it('asks one terminal a page, passes over those that are busy, and waits where all of them are', async () => {
    const connector = await connectorOn();
    const read = async () => {
      const ids: string[] = [];
      for (let token: string | null = null; ; ) {
        const page = await connector.list('reconciliations', EVERYTHING, token, never);
        expect(page.records.length).toBeLessThanOrEqual(1);
        ids.push(...page.records.map(({ id }) => id));
        token = page.next;
        if (token === null) return ids;
      }
    };
    expect(await read()).toEqual(['a', 'b', 'c'].map((id) => `${id}/no payment of ours`));
    busy.add('a').add('c');
    expect(await read()).toEqual(['b/no payment of ours']);
    busy.add('b');
    await expect(read()).rejects.toMatchObject({ code: 'SOURCE_NOT_READY' });
  });

  it('gives every closed day of every terminal once, a hundred at a time, and in a window those within', async () => {
    const connector = await connectorOn();
    const read = async (window = EVERYTHING) => {
      const ids: string[] = [];
      for (let token: string | null = null; ; ) {
        const page = await connector.list('totals', window, token, never);
        ids.push(...page.records.map(({ id }) => id));
        token = page.next;
        if (token === null) return ids;
      }
    };
    const all = await read();
    expect([all.length, new Set(all).size]).toEqual([750, 750]);
    expect((await read({ from: 10, to: 12 })).toSorted()).toEqual(
      ['a', 'b', 'c'].flatMap((id) => ['10', '11', '12'].map((no) => id + no)).toSorted(),
    );
  });

  it('says which settings are wrong, and that there is nothing to read', async () => {
    await expect(terminal.configure({ resources: ['journals'] })).rejects.toMatchObject({
      code: 'PROVIDER_SETTINGS_INVALID',
    });
    const elsewhere = await connectorOn({ devices: ['0198a000-0000-7000-8000-000000000001'] });
    expect(await elsewhere.test(never)).toMatchObject({ valid: false });
    expect(await elsewhere.list('totals', EVERYTHING, null, never)).toMatchObject({
      records: [],
      next: null,
    });
  });

  it('stops at once when it is told to', async () => {
    const reason = new Error('a payment begins');
    const stopped = (await connectorOn()).list('totals', EVERYTHING, null, AbortSignal.abort(reason));
    await expect(stopped).rejects.toBe(reason);
  });

  it('refuses a place that is none of its own, and a resource that it does not have', async () => {
    const connector = await connectorOn({ resources: ['totals'] });
    for (const token of ['', 'x', '{"terminal":7}', '[]', '{"terminal":"gone","asked":0}'])
      await expect(connector.list('totals', EVERYTHING, token, never)).rejects.toMatchObject({
        code: 'SOURCE_REFUSED',
      });
    for (const name of ['reconciliations', 'nothing', '__proto__', 'constructor'])
      await expect(connector.list(name, EVERYTHING, null, never)).rejects.toMatchObject({
        code: 'SOURCE_REFUSED',
      });
    expect(await connector.test(never)).toEqual({ valid: true, error: '' });
  });
});
