import { sql } from 'kysely';
import { networksOf } from '../../src/hub/alerts/networks.ts';
import type { SendMail } from '../../src/hub/alerts/send.ts';
import { Beat } from '../../src/hub/beat.ts';
import type { Database } from '../../src/hub/database/connect.ts';

/** The beat of one hub that may send to this machine; the test says when it beats. */
export function testBeat(database: Database, sendMail: SendMail | null = null): Beat {
  return new Beat({ database, mayReach: networksOf('127.0.0.1'), sendMail });
}

/** Lets the clock of the database go on: every instant that it decides by is that much longer ago. */
export async function pass(database: Database, minutes: number): Promise<void> {
  const columns = {
    agent: ['created_at', 'exchanged_at'],
    agent_condition: ['since'],
    alert_beat: ['evaluated_at', 'listening_since'],
    alert_delivery: ['created_at', 'next_at', 'delivered_at'],
    rollout: ['created_at', 'ring_ended_at'],
    rollout_target: ['started_at', 'handed_at', 'ended_at'],
  };
  for (const [table, instants] of Object.entries(columns)) {
    const moved = instants.map(
      (one) => sql`${sql.ref(one)} = ${sql.ref(one)} - make_interval(mins => ${minutes}::int)`,
    );
    await sql`UPDATE ${sql.table(table)} SET ${sql.join(moved)}`.execute(database);
  }
}

/** The same, with the beats of a hub that runs: every two minutes at least. */
export async function live(database: Database, beat: Beat, minutes: number): Promise<void> {
  for (let left = minutes; left > 0; left -= 2) {
    await pass(database, Math.min(left, 2));
    await beat.evaluate();
  }
}
