import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asTenant, type Database } from '../../../src/hub/database/connect.ts';
import { up as shopsAgentsJournal } from '../../../src/hub/database/migrations/0001-shops-agents-journal.ts';
import { up as operators } from '../../../src/hub/database/migrations/0002-operators.ts';
import { up as damagedEntries } from '../../../src/hub/database/migrations/0003-damaged-entries.ts';
import { up as commands } from '../../../src/hub/database/migrations/0004-commands.ts';
import { up as releasesAndRuns } from '../../../src/hub/database/migrations/0005-releases-and-runs.ts';
import { up as alertRules } from '../../../src/hub/database/migrations/0006-alert-rules.ts';
import { up as tasks } from '../../../src/hub/database/migrations/0007-tasks.ts';
import { up as rollouts } from '../../../src/hub/database/migrations/0008-rollouts.ts';
import { openPglite } from '../../fleet/pglite.ts';

/** As `migrate` runs them. */
const BEFORE: readonly Migration['up'][] = [shopsAgentsJournal, operators, damagedEntries, commands];
const [RUNS, ALERTS]: readonly [Migration['up'], Migration['up']] = [releasesAndRuns, alertRules];
const LATER: readonly Migration['up'][] = [tasks, rollouts];

describe('a database of the release before, whose owner is no superuser', () => {
  let database: Database;
  beforeAll(async () => {
    database = await openPglite();
    await sql`CREATE ROLE tillhubd CREATEROLE`.execute(database);
    await sql`GRANT ALL ON SCHEMA public TO tillhubd`.execute(database);
    await sql`SET ROLE tillhubd`.execute(database);
    for (const up of BEFORE) await up(database);
  }, 120_000);
  afterAll(() => database.destroy());

  const addTenant = async (name: string) =>
    (await database.insertInto('tenant').values({ name }).returning('id').executeTakeFirstOrThrow()).id;

  it('keeps the newest exchange of each process, keeps its alerts open under the rules of before, and each tenant has rules of its own', async () => {
    const [bakery, butcher] = [await addTenant('Bakery'), await addTenant('Butcher')];
    await asTenant(database, bakery, async (transaction) => {
      await sql`INSERT INTO shop (tenant_id, name) VALUES (${bakery}, 'Berlin 1')`.execute(transaction);
      await sql`INSERT INTO agent (tenant_id, shop_id, public_key, version, seen_at, run_id, exchange)
        SELECT tenant_id, id, 'x', '1', '2026-01-01T00:00:00Z', 'a process', 7 FROM shop`.execute(
        transaction,
      );
      await sql`INSERT INTO alert (tenant_id, agent_id, kind, details, raised_at)
        SELECT tenant_id, id, kind, '{}', '2026-01-02T00:00:00Z' FROM agent, (VALUES ('clock_wrong'), ('two_processes')) AS k (kind)`.execute(
        transaction,
      );
    });
    await database.transaction().execute(RUNS);
    await database.transaction().execute(ALERTS);
    const later = await addTenant('Baker');
    for (const tenant of [bakery, butcher, later]) {
      const seen = await asTenant(database, tenant, async (transaction) => ({
        rules: await transaction.selectFrom('alert_rule').select(['tenant_id', 'enabled']).execute(),
        beats: (await sql`SELECT tenant_id FROM alert_beat`.execute(transaction)).rows,
      }));
      expect(seen.rules).toEqual(Array.from({ length: 9 }, () => ({ tenant_id: tenant, enabled: true })));
      expect(seen.beats).toEqual([{ tenant_id: tenant }]);
    }
    const kept = await asTenant(database, bakery, async (transaction) => ({
      alerts: await transaction
        .selectFrom('alert')
        .select(['rule', 'severity', 'since'])
        .orderBy('rule')
        .execute(),
      agents: await transaction.selectFrom('agent').select('exchanged_at').execute(),
      runs: await transaction.selectFrom('agent_run').select(['run_id', 'exchange']).execute(),
    }));
    const since = new Date('2026-01-02T00:00:00Z');
    expect(kept).toEqual({
      alerts: [
        { rule: 'clock_wrong', severity: 'warning', since },
        { rule: 'two_processes', severity: 'critical', since },
      ],
      agents: [{ exchanged_at: new Date('2026-01-01T00:00:00Z') }],
      runs: [{ run_id: 'a process', exchange: 7 }],
    });
  });
  it('gets rollouts, with a rule for each tenant, and its commands and journals stay as they are', async () => {
    const tenants = await database.selectFrom('tenant').select(['id', 'name']).execute();
    expect(tenants).toHaveLength(3);
    const bakery = tenants.find(({ name }) => name === 'Bakery')?.id ?? '';
    await asTenant(database, bakery, (transaction) =>
      sql`INSERT INTO command (id, tenant_id, agent_id, operator, kind, envelope, expires_at)
        SELECT gen_random_uuid(), tenant_id, id, 'Anna', 'doctor', 'x', now() + interval '1 day' FROM agent`.execute(
        transaction,
      ),
    );
    for (const up of LATER) await database.transaction().execute(up);
    const later = await addTenant('Later');
    for (const tenant of [...tenants.map(({ id }) => id), later]) {
      const seen = await asTenant(database, tenant, async (transaction) => ({
        rules: await transaction
          .selectFrom('alert_rule')
          .select(['tenant_id', 'minutes', 'severity', 'enabled'])
          .where('kind', '=', 'rollout_paused')
          .execute(),
        commands: await transaction.selectFrom('command').select(['tenant_id', 'of_rollout']).execute(),
      }));
      expect(seen).toEqual({
        rules: [{ tenant_id: tenant, minutes: 0, severity: 'warning', enabled: true }],
        commands: tenant === bakery ? [{ tenant_id: bakery, of_rollout: false }] : [],
      });
    }
    const { rows } = await sql<{
      body: string;
    }>`SELECT pg_get_functiondef('ingest_journal'::regproc) AS body`.execute(database);
    expect(rows[0]?.body).toContain('WHERE id = p_agent FOR NO KEY UPDATE');
  });
});
