import { type Kysely, sql } from 'kysely';

/**
 * A damaged row of a shop's journal is kept as such: what follows it is not held up. A branch begins where it leaves what is stored. New months wait for no reader.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql.raw(COLUMN).execute(database);
  await sql.raw(INGEST).execute(database);
  await sql.raw(MONTHS).execute(database);
}

const COLUMN = `
  ALTER TABLE journal ADD COLUMN damaged text;
  COMMENT ON COLUMN journal.damaged IS 'why the agent could not prove this entry; null: its hash is that of its content';
  DROP FUNCTION ingest_journal;`;

/**
 * Stores what is new of consecutive entries, each once, and says where to go on. The cursor's row is locked, so a repeated or late request finds what the
 * first one has stored. Entries that contradict stored ones begin a branch: they are kept apart, never dropped. Hashes are checked before the call.
 */
const INGEST = `
  CREATE FUNCTION ingest_journal(
    p_tenant uuid, p_agent uuid, p_epoch text, p_first bigint, p_previous text, p_branches int,
    p_attempts text[], p_at bigint[], p_events text[], p_from text[], p_to text[], p_details text[], p_hashes text[], p_damaged text[]
  ) RETURNS TABLE (outcome text, branch int, next_seq bigint, stored int) LANGUAGE plpgsql AS $$
  DECLARE
    entries int := cardinality(p_hashes);
    cur journal_cursor;
    behind bigint;
    newest int := -1;
    known int;
  BEGIN
    -- One agent's requests wait for one another, also before its first cursor exists.
    PERFORM 1 FROM agent WHERE id = p_agent FOR UPDATE;
    FOR cur IN SELECT * FROM journal_cursor c WHERE c.agent_id = p_agent AND c.epoch = p_epoch ORDER BY c.branch LOOP
      newest := cur.branch;
      known := cur.next_seq - p_first;
      IF known < 0 THEN
        behind := least(behind, cur.next_seq);
        CONTINUE;
      END IF;
      IF known <= entries THEN
        EXIT WHEN cur.last_hash = CASE WHEN known = 0 THEN p_previous ELSE p_hashes[known] END;
      ELSE
        EXIT WHEN EXISTS (SELECT 1 FROM journal j WHERE j.agent_id = p_agent AND j.epoch = p_epoch AND j.branch = cur.branch
          AND j.seq = p_first + entries - 1 AND j.hash = p_hashes[entries]);
      END IF;
      cur := NULL;
    END LOOP;
    IF cur.agent_id IS NULL OR cur.next_seq < p_first THEN
      IF behind IS NOT NULL THEN
        RETURN QUERY SELECT 'gap', newest, behind, 0;
        RETURN;
      END IF;
      -- A branch begins where it leaves what is stored; what is before that is asked for.
      IF newest >= 0 AND p_first > 1 AND NOT EXISTS (SELECT 1 FROM journal j WHERE j.agent_id = p_agent AND j.epoch = p_epoch
        AND j.seq = p_first - 1 AND j.hash = p_previous) THEN
        RETURN QUERY SELECT 'gap', newest, greatest(1, p_first - 50), 0;
        RETURN;
      END IF;
      IF newest + 1 >= p_branches THEN
        RETURN QUERY SELECT 'too_many_branches', newest, p_first, 0;
        RETURN;
      END IF;
      INSERT INTO journal_cursor (agent_id, tenant_id, epoch, branch, first_seq, next_seq, last_hash)
        VALUES (p_agent, p_tenant, p_epoch, newest + 1, p_first, p_first, p_previous) RETURNING * INTO cur;
    END IF;
    known := least(cur.next_seq - p_first, entries);
    IF known < entries THEN
      INSERT INTO journal
        SELECT p_tenant, p_agent, p_epoch, cur.branch, p_first + e.no - 1, e.attempt, e.at, e.event, e.from_state, e.to_state, e.details, e.hash, now(),
          e.damaged
        FROM unnest(p_attempts, p_at, p_events, p_from, p_to, p_details, p_hashes, p_damaged)
          WITH ORDINALITY AS e (attempt, at, event, from_state, to_state, details, hash, damaged, no)
        WHERE e.no > known;
      UPDATE journal_cursor c SET next_seq = p_first + entries, last_hash = p_hashes[entries]
        WHERE c.agent_id = p_agent AND c.epoch = p_epoch AND c.branch = cur.branch;
    END IF;
    RETURN QUERY SELECT 'stored', cur.branch, greatest(cur.next_seq, p_first + entries), entries - known;
  END $$;`;

/**
 * Makes the partitions of this month and the next two; several hubs may call it at a time. A long reader of the journal is not waited for: all that comes
 * behind would wait, too. Another call makes them.
 */
const MONTHS = `
  CREATE OR REPLACE FUNCTION make_journal_months() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT
    SET lock_timeout = '2s' AS $$
  DECLARE month date;
  BEGIN
    FOR ahead IN 0..2 LOOP
      month := date_trunc('month', now() AT TIME ZONE 'UTC') + make_interval(months => ahead);
      BEGIN
        EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF journal FOR VALUES FROM (%L) TO (%L)',
          'journal_' || to_char(month, 'YYYY_MM'), month || ' 00:00:00+00', (month + interval '1 month')::date || ' 00:00:00+00');
      EXCEPTION WHEN duplicate_table OR unique_violation OR lock_not_available OR check_violation THEN NULL;
      END;
    END LOOP;
  END $$;`;
