import { z } from 'zod';
import type { Readable } from '../read-only-database.ts';
import { MIRROR_MIGRATIONS } from './mirror-migrations.ts';
import { heldOf } from './sync-row.ts';

const Stream = z.object({
  integration: z.string(),
  resource: z.string(),
  freshAt: z.int().nullable(),
  held: z
    .string()
    .nullable()
    .transform((text) => (text === null ? null : heldOf(text))),
  parked: z.int(),
  unmapped: z.int(),
  reason: z.string().nullable(),
  outcome: z.string().nullable(),
  message: z.string().nullable(),
});
const Version = z.object({ user_version: z.int() });
const CheckRow = z.record(z.string(), z.unknown());

/** One resource of a source: until when it is complete, and what staff must check. */
export type KnownStream = z.infer<typeof Stream>;

export function streamsIn(mirror: Readable): readonly KnownStream[] {
  const sql = `SELECT slot AS integration, resource, fresh_at AS freshAt, held,
    (SELECT count(*) FROM parked p WHERE p.stream = s.id AND why <> 'mapping') AS parked,
    (SELECT count(*) FROM parked p WHERE p.stream = s.id AND why = 'mapping') AS unmapped,
    (SELECT reason FROM parked p WHERE p.stream = s.id ORDER BY parked_at DESC LIMIT 1) AS reason,
    (SELECT outcome FROM runs r WHERE r.stream = s.id AND ended_at IS NOT NULL ORDER BY no DESC LIMIT 1) AS outcome,
    (SELECT message FROM runs r WHERE r.stream = s.id AND ended_at IS NOT NULL ORDER BY no DESC LIMIT 1) AS message
    FROM streams s ORDER BY slot, resource`;
  return mirror.all(sql).map((row) => Stream.parse(row));
}

/** What is wrong with the file itself, in words; null: nothing. */
export function mirrorFlaw(mirror: Readable): string | null {
  const { user_version: version } = Version.parse(mirror.get('PRAGMA user_version'));
  if (version > MIRROR_MIGRATIONS.length) return 'a later release wrote it';
  if (version === 0) return 'no tilld ever wrote it';
  const stated = Object.values(CheckRow.parse(mirror.get('PRAGMA quick_check(1)')))[0];
  return stated === 'ok' ? null : `it is damaged: ${String(stated).replaceAll('\n', ' ')}`;
}
