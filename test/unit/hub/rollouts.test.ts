import { describe, expect, it } from 'vitest';
import { pass } from '../../fleet/alerts.ts';
import { FAILS, REVISION, RUNS, rolloutBench, type Target } from '../../fleet/rollouts.ts';

describe('settings for many shops', { timeout: 120_000 }, () => {
  const { bench, joined, signed, settings, post, started, view, turn } = rolloutBench();

  it('go to one ring after another, each behind the pause of the one before', async () => {
    const targets = await joined(10);
    const rings = [
      { percent: 10, minutes: 60 },
      { percent: 30, minutes: 1_440 },
      { percent: 100, minutes: 0 },
    ];
    await started(targets, { rings });
    for (const target of targets) expect(await target.ask()).toEqual([]);
    expect(await turn(targets)).toEqual(['Shop 1']);
    expect(await turn(targets)).toEqual([]);
    expect(await view()).toMatchObject({ state: 'running', ring: 1, shops: { succeeded: 1, waiting: 9 } });
    expect(Date.parse((await view()).next_ring_at) - Date.now()).toBeGreaterThan(50 * 60_000);

    await pass(bench.hub.database, 61);
    for (const target of targets) await target.ask();
    expect(await turn(targets)).toEqual([]);
    expect(await turn(targets)).toEqual(['Shop 2', 'Shop 3']);
    await pass(bench.hub.database, 61);
    for (const target of targets) await target.ask();
    expect(await turn(targets)).toEqual([]);
    await pass(bench.hub.database, 1_440);
    for (const target of targets) await target.ask();
    await turn(targets);
    expect(await turn(targets)).toEqual(['Shop 4', 'Shop 5', 'Shop 6', 'Shop 7', 'Shop 8']);
    expect(await turn(targets)).toEqual(['Shop 9', 'Shop 10']);
    expect(await view()).toMatchObject({ state: 'done', ring: 3, shops: { succeeded: 10 } });
    expect(targets.map(({ taken }) => taken)).toEqual(targets.map(() => 1));
  });

  it('that no shop keeps reach five of a ring of a hundred, and the alert says so', async () => {
    const targets = await joined(100);
    await started(targets, { rings: [{ percent: 100, minutes: 0 }] });
    for (let turns = 0; turns < 4; turns += 1) await turn(targets, () => FAILS);
    expect(targets.filter(({ taken }) => taken > 0)).toHaveLength(5);
    expect(await view()).toMatchObject({
      ...{ state: 'paused', paused_by: 'failures', shops: { failed: 5, waiting: 95 } },
    });
    const shops = (await bench.anna.ask('GET', '/v1/rollouts/winter/shops?state=failed')).body;
    expect(shops.data[0]).toMatchObject({ shop: 'Shop 1', ring: 1, details: 'it did not sell' });
    const open = async () =>
      (await bench.anna.ask('GET', '/v1/alerts?open=true')).body.data.map(
        ({ rule, shop, details }: Record<string, unknown>) => [rule, shop, details],
      );
    const alert = { rollout: 'winter', reasons: ['winter'], failures: 5 };
    expect(await open()).toEqual([['rollout_paused', null, alert]]);

    expect(await post('/winter/resume')).toMatchObject([200, undefined, { state: 'running' }]);
    expect(await open()).toEqual([]);
    expect(await turn(targets, () => FAILS)).toHaveLength(5);
    expect(await view()).toMatchObject({ state: 'paused', shops: { failed: 10, waiting: 90 } });
    expect(await post('/winter/stop')).toMatchObject([200, undefined, { state: 'stopped' }]);
    expect(await view()).toMatchObject({ shops: { failed: 10, withdrawn: 90 } });
    expect(await turn(targets)).toEqual([]);
  });

  it('that most shops of a first, small ring do not keep go no further', async () => {
    const targets = await joined(4);
    await started(targets, {
      rings: [
        { percent: 25, minutes: 0 },
        { percent: 100, minutes: 0 },
      ],
    });
    await turn(targets, () => FAILS);
    await turn(targets);
    expect(await view()).toMatchObject({ state: 'paused', ring: 1, shops: { failed: 1, waiting: 3 } });
  });

  it('wait at a shop that was not heard of, which gets them when it is back and holds up no other', async () => {
    const [away, ...others] = await joined(3);
    await pass(bench.hub.database, 6);
    for (const target of others) await target.ask();
    await started([away as Target, ...others], { rings: [{ percent: 100, minutes: 0 }] });
    expect(await turn(others)).toEqual(['Shop 2', 'Shop 3']);
    expect(await view()).toMatchObject({ state: 'running', shops: { absent: 1, succeeded: 2 } });
    expect(await away?.ask()).toEqual([]);
    expect(await turn([away as Target])).toEqual(['Shop 1']);
    expect(await view()).toMatchObject({ state: 'done', shops: { succeeded: 3 } });
  });

  it('at a shop that falls silent count as failed, not while no hub could hear it', async () => {
    const targets = await joined(2);
    await started(targets, { rings: [{ percent: 100, minutes: 0 }], most_failures: 1 });
    await turn(targets, () => ({ running: null, attempted: { revision: REVISION, state: 'judged' } }));
    await pass(bench.hub.database, 31);
    await bench.beat.evaluate();
    await bench.beat.advance();
    expect(await view()).toMatchObject({ state: 'running', shops: { in_work: 1, absent: 1 } });
    for (let minutes = 0; minutes < 32; minutes += 2) {
      await pass(bench.hub.database, 2);
      await bench.beat.evaluate();
    }
    await bench.beat.advance();
    expect(await view()).toMatchObject({ state: 'paused', paused_by: 'failures', shops: { silent: 1 } });
    await targets[0]?.ask({ state: { configuration: RUNS } });
    await bench.beat.advance();
    expect(await view()).toMatchObject({ state: 'paused', shops: { succeeded: 1 } });
  });

  it.each([
    ['refused', 'refused', 1],
    ['unsupported', 'refused', 1],
    ['interrupted', 'failed', 1],
    ['a_newer_word', 'failed', 1],
  ])('whose command ends as %s are %s', async (state, outcome, count) => {
    const [target] = await joined(1);
    await started([target as Target], { rings: [{ percent: 100, minutes: 0 }] });
    await bench.beat.advance();
    const [command] = (await target?.ask()) ?? [];
    await target?.ask({ outcomes: [{ id: command?.id, state, details: 'why' }] });
    await bench.beat.advance();
    expect((await view()).shops).toEqual({ [outcome]: count });
    expect((await bench.anna.ask('GET', '/v1/rollouts/winter/shops')).body.data[0].details).toBe('why');
  });

  it('are superseded by newer ones, left by a revoked agent, and expire: none of that is a failure', async () => {
    const [newer, revoked, late] = (await joined(3)) as [Target, Target, Target];
    const rings = [{ percent: 100, minutes: 0 }];
    await post('', { name: 'ends', rings, most_failures: 3 });
    const commands = [...(await signed([newer, revoked])), ...(await signed([late], settings(), 60))];
    await post('/ends/commands', { signed: commands });
    await post('/ends/start');
    await bench.beat.advance();
    await newer.ask({ state: { configuration: { ...RUNS, running: REVISION + 1 } } });
    const admin = await bench.hub.operator(bench.tenant, 'admin');
    await admin.ask('POST', `/v1/agents/${revoked.agentId}/revoke`);
    await bench.hub.database
      .updateTable('command')
      .set({ expires_at: new Date(Date.now() - 1_000) })
      .where('agent_id', '=', late.agentId)
      .execute();
    await bench.beat.advance();
    expect(await view('ends')).toMatchObject({
      ...{ state: 'done', shops: { superseded: 1, left: 1, expired: 1 } },
    });
  });

  it('are given to no shop while an operator has paused them, and those that were given go on', async () => {
    const targets = await joined(3);
    await started(targets, { rings: [{ percent: 100, minutes: 0 }], most_failures: 2 });
    await bench.beat.advance();
    const [first] = targets;
    const [given] = (await first?.ask()) ?? [];
    expect(given).toBeDefined();
    expect(await post('/winter/pause')).toMatchObject([
      200,
      undefined,
      { state: 'paused', paused_by: `operator ${bench.anna.name}` },
    ]);
    expect(await targets[1]?.ask()).toEqual([]);
    const [command] = (await first?.ask()) ?? [];
    expect(command).toBeUndefined();
    const outcomes = [{ id: given?.id, state: 'done', details: null }];
    await first?.ask({ outcomes, state: { configuration: RUNS } });
    await bench.beat.advance();
    expect((await view()).shops).toEqual({ succeeded: 1, in_work: 1, waiting: 1 });
    await post('/winter/resume');
    await turn(targets);
    expect(await turn(targets)).toEqual([]);
    expect(await view()).toMatchObject({ state: 'done', shops: { succeeded: 3 } });
  });

  it('are refused where they are none, belong to another rollout, or come too late, and nothing is kept', async () => {
    const targets = await joined(2);
    const [first] = targets as [Target, Target];
    await post('', { name: 'winter' });
    expect(await post('', { name: 'winter' })).toMatchObject([409, 'rollout_exists']);
    expect(await post('', { name: 'n', rings: [{ percent: 50, minutes: 1 }] })).toMatchObject([
      400,
      'request_invalid',
    ]);
    expect(await post('/winter/start')).toMatchObject([409, 'rollout_state']);
    const doctor = await signed([first], { kind: 'doctor' });
    expect(await post('/winter/commands', { signed: doctor })).toMatchObject([422, 'command_invalid']);
    const twice = [...(await signed([first])), ...(await signed([first]))];
    expect(await post('/winter/commands', { signed: twice })).toMatchObject([409, 'rollout_overlaps']);
    expect((await view()).shops).toEqual({});
    await post('/winter/commands', { signed: await signed(targets) });
    await post('', { name: 'spring' });
    expect(await post('/spring/commands', { signed: await signed([first]) })).toMatchObject([
      ...[409, 'rollout_overlaps'],
    ]);
    await post('/winter/start');
    expect(await post('/winter/start')).toMatchObject([409, 'rollout_state']);
    expect(await post('/winter/commands', { signed: await signed([first]) })).toMatchObject([
      409,
      'rollout_state',
    ]);
    expect(await post('/winter/resume')).toMatchObject([409, 'rollout_state']);
    expect(await post('/summer/start')).toMatchObject([404, 'resource_missing']);
    const viewer = await bench.hub.operator(bench.tenant, 'viewer');
    expect(await post('/winter/stop', {}, viewer)).toMatchObject([403, 'role_too_small']);
    const butcher = `Butcher of ${bench.tenant}`;
    await bench.hub.tenant(butcher);
    const foreign = await bench.hub.operator(butcher, 'admin');
    expect(await post('/winter/stop', {}, foreign)).toMatchObject([404, 'resource_missing']);
    expect((await foreign.ask('GET', '/v1/rollouts')).body.data).toEqual([]);
  });

  it('are listed page by page, with their shops in order', async () => {
    for (const name of ['one', 'two', 'three']) await post('', { name });
    const { body } = await bench.anna.ask('GET', '/v1/rollouts?limit=2');
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['three', 'two']);
    const rest = await bench.anna.ask('GET', `/v1/rollouts?limit=2&starting_after=${body.next_cursor}`);
    expect(rest.body.data.map(({ name }: { name: string }) => name)).toEqual(['one']);
    const targets = await joined(3);
    await post('/one/commands', { signed: await signed(targets) });
    const page = (await bench.anna.ask('GET', '/v1/rollouts/one/shops?limit=2')).body;
    expect(page.data.map(({ shop }: { shop: string }) => shop)).toEqual(['Shop 1', 'Shop 2']);
    const next = await bench.anna.ask(
      'GET',
      `/v1/rollouts/one/shops?limit=2&starting_after=${page.next_cursor}`,
    );
    expect(next.body.data.map(({ shop }: { shop: string }) => shop)).toEqual(['Shop 3']);
  });

  it('are handed over by several hubs that follow them at a time as by one', async () => {
    const targets = await joined(12);
    await started(targets, { rings: [{ percent: 100, minutes: 0 }] });
    await Promise.all([bench.beat.advance(), bench.beat.advance(), bench.beat.advance()]);
    const took = await Promise.all(targets.map((target) => target.ask()));
    expect(took.filter((commands) => commands.length > 0)).toHaveLength(5);
  });
});
