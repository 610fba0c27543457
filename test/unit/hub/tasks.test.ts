import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendCommand } from '../../../src/hub/commands/send.ts';
import { makeOperatorKey, signCommand } from '../../../src/hub/commands/sign.ts';
import { asTenant } from '../../../src/hub/database/connect.ts';
import { type Operator, Shop, type TestHub, testHub } from '../../fleet/hub.ts';

describe('a command that waits for a person', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tilld-operator-'));
  const keyFile = join(folder, 'operator.key');
  let hub: TestHub;
  let viewer: Operator;
  beforeAll(async () => {
    makeOperatorKey(keyFile);
    hub = await testHub();
    hub.now = Date.now();
    for (const name of ['Bakery', 'Butcher']) await hub.tenant(name);
    viewer = await hub.operator('Bakery', 'viewer');
  }, 120_000);
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await hub.stop();
  });

  const joined = async (name: string) => {
    const shop = new Shop(hub.send);
    await shop.join(await hub.invite('Bakery', name));
    const [tenantId = '', agentId = ''] = shop.issuer?.split('/') ?? [];
    const send = async (command: object, seconds = 3_600) => {
      const envelope = await signCommand(keyFile, { agentId, operator: 'Anna', seconds, command }, hub.now);
      const sent = await asTenant(hub.database, tenantId, (transaction) =>
        sendCommand(transaction, tenantId, envelope, 'test', hub.now),
      );
      return sent.id;
    };
    const report = (...outcomes: object[]) => shop.exchange({ outcomes }, hub.now);
    return { agentId, send, report };
  };
  const adopt = (reason?: string) => ({
    ...{ kind: 'adopt', device_id: randomUUID() },
    ...(reason === undefined ? {} : { reason }),
  });
  const tasks = async (query = '') => (await viewer.ask('GET', `/v1/tasks${query}`)).body;
  const commandOf = async (id: string) =>
    (await viewer.ask('GET', '/v1/commands?limit=500')).body.data.find(
      (one: { id: string }) => one.id === id,
    );
  const auditOf = async (id: string) => {
    const rows = await hub.database
      .selectFrom('audit')
      .select(['action', 'details'])
      .orderBy('at')
      .where('details', 'like', `%"command":"${id}"%`)
      .execute();
    return rows.map(({ action, details }) => [action, JSON.parse(details).state, JSON.parse(details).by]);
  };

  it('is listed with its shop and since when, until its end replaces that, once, in the audit, too', async () => {
    const shop = await joined('listed');
    const id = await shop.send(adopt('it was exchanged'));
    expect((await tasks('?shop=listed')).data).toEqual([]);
    await shop.report({ id, state: 'needs_person', details: null });
    expect((await tasks('?shop=listed')).data).toMatchObject([
      {
        ...{ id, shop: 'listed', agent_id: shop.agentId, kind: 'adopt', operator: 'Anna' },
        ...{ reason: 'it was exchanged', since: new Date(hub.now).toISOString() },
      },
    ]);
    hub.now += 1_000;
    const at = hub.now - 500;
    for (let times = 0; times < 2; times += 1)
      await shop.report({ id, state: 'done', details: 'it was adopted', by: 'Maria', at });
    await shop.report({ id, state: 'needs_person', details: null });
    await shop.report({ id, state: 'declined', details: 'no', by: 'Bob', at });
    expect(await commandOf(id)).toMatchObject({
      ...{ state: 'done', details: 'it was adopted', decided_by: 'Maria', decided_at: at },
    });
    expect((await tasks('?shop=listed')).data).toEqual([]);
    expect(await auditOf(id)).toEqual([
      ['command_sent', undefined, undefined],
      ['command_waits', 'needs_person', undefined],
      ['command_ended', 'done', 'Maria'],
    ]);
  });

  it('ends with any other word, and with an end alone', async () => {
    const shop = await joined('words');
    const [first, second] = [await shop.send(adopt()), await shop.send(adopt())];
    await shop.report({ id: first, state: 'needs_person', details: null });
    await shop.report(
      { id: first, state: 'a_newer_word', details: null },
      { id: second, state: 'expired', details: null },
    );
    expect((await commandOf(first)).state).toBe('a_newer_word');
    expect((await commandOf(second)).state).toBe('expired');
  });

  it('is not handed over again while it waits, and not ended by another shop', async () => {
    const shop = await joined('waits');
    const neighbour = await joined('neighbour');
    const id = await shop.send(adopt());
    const before = await shop.report({ id, state: 'needs_person', details: null });
    expect(before.body.data.commands).toEqual([]);
    await neighbour.report({ id, state: 'done', details: null, by: 'Eve', at: 1 });
    expect((await commandOf(id)).state).toBe('needs_person');
  });

  it('is listed page by page, the longest first, and no more once it has expired or its agent is revoked', async () => {
    const shop = await joined('pages');
    const ids: string[] = [];
    for (let number = 0; number < 5; number += 1) {
      const id = await shop.send(adopt(), number === 4 ? 10 : 3_600);
      ids.push(id);
      await shop.report({ id, state: 'needs_person', details: null });
    }
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const page = await tasks(`?shop=pages&limit=2${cursor}`);
      seen.push(...page.data.map(({ id }: { id: string }) => id));
      if (!page.has_more) break;
      cursor = `&starting_after=${page.next_cursor}`;
    }
    expect(new Set(seen)).toEqual(new Set(ids));
    expect(seen).toHaveLength(5);
    hub.now += 11_000;
    expect((await tasks('?shop=pages')).data).toHaveLength(4);
    await hub.database
      .updateTable('agent')
      .set({ revoked_at: new Date() })
      .where('id', '=', shop.agentId)
      .execute();
    expect((await tasks('?shop=pages')).data).toEqual([]);
  });

  it('is of its merchant alone', async () => {
    const foreign = await hub.operator('Butcher', 'admin');
    const shop = await joined('own');
    const id = await shop.send(adopt());
    await shop.report({ id, state: 'needs_person', details: null });
    expect((await foreign.ask('GET', '/v1/tasks?shop=own')).body.data).toEqual([]);
    expect((await tasks('?shop=own')).data).toHaveLength(1);
  });
});
