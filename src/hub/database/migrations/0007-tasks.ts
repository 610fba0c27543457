import { type Kysely, sql } from 'kysely';

/** A command that waits for a person of the shop: why it was asked for, who did or declined it, and when. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql.raw(TASKS).execute(database);
}

const TASKS = `
  ALTER TABLE command ADD COLUMN reason text, ADD COLUMN decided_by text, ADD COLUMN decided_at bigint;
  COMMENT ON COLUMN command.reason IS 'why the operator asks; null: it was not said';
  COMMENT ON COLUMN command.decided_by IS 'the person of the shop who did or declined it, by their name there';
  COMMENT ON COLUMN command.decided_at IS 'when its task ended, epoch ms by the clock of the shop';
  COMMENT ON COLUMN command.ended_at IS 'when its newest outcome came; that it waits for a person is one';
  CREATE INDEX command_of_person ON command (tenant_id, ended_at, id) WHERE state = 'needs_person';`;
