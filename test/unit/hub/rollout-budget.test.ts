import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { asTenant } from '../../../src/hub/database/connect.ts';
import { tenantId } from '../../../src/hub/shops/invite.ts';
import { live, pass } from '../../fleet/alerts.ts';
import { FAILS, REVISION, RUNS, rolloutBench, type Target } from '../../fleet/rollouts.ts';

const ALL = [{ percent: 100, minutes: 0 }];
const WAITS = { running: null, attempted: { revision: REVISION, state: 'waiting' }, failed: null };

describe('how many shops settings may touch', { timeout: 120_000 }, () => {
  const { bench, joined, signed, settings, post, started, view, turn } = rolloutBench();
  const shopsOf = async (count: number) => {
    const [first] = await joined(1);
    const tenant = await tenantId(bench.hub.database, bench.tenant);
    await asTenant(bench.hub.database, tenant, async (transaction) => {
      await sql`WITH s AS (INSERT INTO shop (tenant_id, name) SELECT ${tenant}::uuid, 'More ' || n FROM generate_series(1, ${count - 1}::int) n RETURNING id)
        INSERT INTO agent (tenant_id, shop_id, public_key, version, exchanged_at) SELECT ${tenant}::uuid, id, 'x', '1', now() FROM s`.execute(
        transaction,
      );
    });
    const agents = await bench.hub.database
      .selectFrom('agent')
      .select('id as agentId')
      .where('tenant_id', '=', tenant)
      .execute();
    expect(first).toBeDefined();
    return agents as unknown as readonly Target[];
  };

  it('is five in a ring of four hundred, until as many have kept them as the part of the ring is', async () => {
    await started(await shopsOf(400), { rings: ALL });
    await bench.beat.advance();
    expect((await view()).shops).toEqual({ in_work: 5, waiting: 395 });
    const end = (configuration: object) =>
      sql`WITH t AS (UPDATE rollout_target SET handed_at = now() WHERE started_at IS NOT NULL AND ended_at IS NULL RETURNING command_id, agent_id),
        c AS (UPDATE command SET state = 'done' FROM t WHERE id = t.command_id)
        UPDATE agent SET state = ${JSON.stringify({ configuration })}::jsonb FROM t WHERE id = t.agent_id`.execute(
        bench.hub.database,
      );
    await end(RUNS);
    await bench.beat.advance();
    expect((await view()).shops).toEqual({ succeeded: 5, in_work: 5, waiting: 390 });
    await end(RUNS);
    await bench.beat.advance();
    expect((await view()).shops).toEqual({ succeeded: 10, in_work: 8, waiting: 382 });
    await end(FAILS);
    await bench.beat.advance();
    expect(await view()).toMatchObject({
      state: 'paused',
      shops: { succeeded: 10, failed: 8, waiting: 382 },
    });
  });

  it('is no larger after a pause for silent shops that come back and keep them', async () => {
    const targets = await joined(12);
    await started(targets, { rings: ALL, most_failures: 2 });
    await turn(targets.slice(0, 2), () => WAITS);
    await live(bench.hub.database, bench.beat, 32);
    await bench.beat.advance();
    expect(await view()).toMatchObject({ state: 'paused', shops: { silent: 2 } });
    await post('/winter/resume');
    for (const target of targets.slice(0, 2)) await target.ask({ state: { configuration: RUNS } });
    for (let turns = 0; turns < 4; turns += 1) await turn(targets, () => FAILS);
    expect(await view()).toMatchObject({ state: 'paused', shops: { succeeded: 2, failed: 2, waiting: 8 } });
  });

  it('counts a silent shop whose command has expired, until it is heard again', async () => {
    const [target] = (await joined(1)) as [Target];
    await post('', { name: 'winter', rings: ALL, most_failures: 1 });
    await post('/winter/commands', { signed: await signed([target], settings(), 60) });
    await post('/winter/start');
    await bench.beat.advance();
    expect(await target.ask()).toHaveLength(1);
    await live(bench.hub.database, bench.beat, 32);
    await sql`UPDATE command SET expires_at = now() - interval '1 minute' WHERE agent_id = ${target.agentId}::uuid`.execute(
      bench.hub.database,
    );
    await bench.beat.advance();
    expect(await view()).toMatchObject({ state: 'paused', shops: { silent: 1 } });
    await target.ask();
    await bench.beat.advance();
    expect((await view()).shops).toEqual({ expired: 1 });
  });

  it('is never decided by what a shop reported of the same revision before it had these', async () => {
    const targets = (await joined(2)) as [Target, Target];
    await targets[0].ask({ state: { configuration: RUNS } });
    await targets[1].ask({ state: { configuration: FAILS } });
    await started(targets, { rings: ALL });
    await bench.beat.advance();
    for (const target of targets) expect(await target.ask()).toHaveLength(1);
    await bench.beat.advance();
    expect((await view()).shops).toEqual({ in_work: 2 });
  });

  it.each([
    { running: 1, attempted: { revision: REVISION + 1, state: 'waiting' }, failed: null },
    { running: 1, attempted: null, failed: { revision: REVISION + 1, why: 'x', at: 1 } },
  ])('lets none of them hold a turn for good: a newer revision came to it (%j)', async (configuration) => {
    const [target] = (await joined(1)) as [Target];
    await started([target], { rings: ALL });
    await turn([target], () => WAITS);
    await target.ask({ state: { configuration } });
    await bench.beat.advance();
    expect((await view()).shops).toEqual({ superseded: 1 });
  });

  it('counts a shop that took them and lost them once its command has expired', async () => {
    const [target] = (await joined(1)) as [Target];
    await started([target], { rings: ALL });
    await turn([target], () => ({ running: null, attempted: null, failed: null }));
    expect((await view()).shops).toEqual({ in_work: 1 });
    await sql`UPDATE command SET expires_at = now() - interval '1 minute' WHERE agent_id = ${target.agentId}::uuid`.execute(
      bench.hub.database,
    );
    await target.ask();
    await bench.beat.advance();
    expect(await view()).toMatchObject({ state: 'paused', shops: { failed: 1 } });
  });

  it('goes on behind a ring whose last shops come back one at a time, and not while most of them are away', async () => {
    const targets = await joined(10);
    const rings = [
      { percent: 50, minutes: 60 },
      { percent: 100, minutes: 0 },
    ];
    await started(targets, { rings });
    const [here, late, ...away] = targets.slice(0, 5) as [Target, Target, Target, Target, Target];
    await pass(bench.hub.database, 6);
    await turn([here]);
    await turn([here]);
    expect(await view()).toMatchObject({ next_ring_at: null, shops: { succeeded: 1, absent: 9 } });
    await here.ask();
    for (const target of [late, away[0] as Target]) {
      await target.ask();
      await turn([target]);
    }
    const { next_ring_at } = await view();
    expect(next_ring_at).not.toBeNull();
    await pass(bench.hub.database, 50);
    await away[1]?.ask();
    await turn([away[1] as Target]);
    await pass(bench.hub.database, 11);
    await bench.beat.advance();
    expect(await view()).toMatchObject({ ring: 2 });
  });

  it('is given up for an agent that another one of its shop has replaced before its turn', async () => {
    const [first, second] = (await joined(2)) as [Target, Target];
    await started([first, second], { rings: ALL });
    await sql`INSERT INTO agent (tenant_id, shop_id, public_key, version, created_at) SELECT tenant_id, shop_id, 'y', '1', now() + interval '1 second'
      FROM agent WHERE id = ${first.agentId}::uuid`.execute(bench.hub.database);
    await turn([second]);
    expect(await view()).toMatchObject({ state: 'done', shops: { left: 1, succeeded: 1 } });
  });

  it('does not keep shops of a rollout that was stopped from the former settings', async () => {
    const targets = (await joined(2)) as [Target, Target];
    await started(targets, { rings: ALL });
    await turn(targets, () => WAITS);
    const before = await post('', { name: 'former', rings: ALL });
    expect(before[0]).toBe(201);
    const repair = await signed(targets, settings(REVISION + 1));
    const refused = (
      await bench.anna.ask('POST', '/v1/rollouts/former/commands', { body: { signed: repair } })
    ).body;
    expect(refused.error).toMatchObject({
      code: 'rollout_overlaps',
      message: expect.stringContaining('rollout winter'),
    });
    await post('/winter/stop');
    expect((await post('/former/commands', { signed: repair }))[0]).toBe(200);
    await post('/former/start');
    await turn(targets, () => ({ ...RUNS, running: REVISION + 1 }));
    expect(await view('former')).toMatchObject({ state: 'done', shops: { succeeded: 2 } });
    expect((await view()).shops).toEqual({ superseded: 2 });
  });

  it('is not enlarged by a hub of a release before, which knows no turns', async () => {
    await started(await joined(2), { rings: ALL });
    const tenant = await tenantId(bench.hub.database, bench.tenant);
    const seen = await bench.hub.database.transaction().execute(async (transaction) => {
      await sql`SELECT set_config('role', 'tillhub', true), set_config('tilld.tenant', ${tenant}, true)`.execute(
        transaction,
      );
      return await transaction.selectFrom('command').select('envelope').where('state', 'is', null).execute();
    });
    expect(seen).toEqual([]);
  });

  it('has a place for a shop that was away with them, which is given them again; none for one in quarantine, or with newer ones', async () => {
    const [away, strange, newer] = (await joined(3)) as [Target, Target, Target];
    await sql`UPDATE agent SET quarantined = 'two_processes' WHERE id = ${strange.agentId}::uuid`.execute(
      bench.hub.database,
    );
    await started([away, strange, newer], { rings: ALL });
    await bench.beat.advance();
    expect((await view()).shops).toEqual({ in_work: 2, absent: 1 });
    expect(await away.ask()).toHaveLength(1);
    await pass(bench.hub.database, 6);
    const configuration = { ...RUNS, running: REVISION + 1 };
    await newer.shop.exchange({ state: { configuration } }, bench.hub.now);
    await newer.ask();
    await bench.beat.advance();
    expect((await view()).shops).toEqual({ in_work: 1, absent: 1, superseded: 1 });
    expect(await newer.ask()).toEqual([]);
    expect(await away.ask()).toHaveLength(1);
    await sql`UPDATE agent SET quarantined = 'two_processes' WHERE id = ${away.agentId}::uuid`.execute(
      bench.hub.database,
    );
    await live(bench.hub.database, bench.beat, 32);
    await away.ask();
    expect((await view()).shops).toMatchObject({ silent: 1 });
  });
});
