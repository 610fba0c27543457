import { z } from 'zod';
import type { TerminalIdentity } from '../../terminal/ports.ts';
import type { Readable } from '../read-only-database.ts';

const Known = z.object({ id: z.string(), identity: z.string() });
const Open = z.object({ id: z.string() });
/** The format of the store of identities. */
const Identity = z.object({
  grade: z.enum(['serial', 'tid', 'port']),
  serial: z.string().optional(),
  terminalId: z.string().optional(),
  model: z.string().optional(),
  firmware: z.string().optional(),
});

/** The terminal that serves each device, by the device's id. */
export function identitiesIn(database: Readable): ReadonlyMap<string, TerminalIdentity> {
  const rows = database.all("SELECT device_id AS id, identity FROM terminals WHERE identity <> ''");
  return new Map(
    rows.map((raw) => {
      const { id, identity } = Known.parse(raw);
      return [id, presentIn(Identity.parse(JSON.parse(identity)))] as const;
    }),
  );
}

/** Absent fields are left out: an exact type has no place for undefined. */
function presentIn({
  grade,
  serial,
  terminalId,
  model,
  firmware,
}: z.infer<typeof Identity>): TerminalIdentity {
  return {
    grade,
    ...(serial === undefined ? {} : { serial }),
    ...(terminalId === undefined ? {} : { terminalId }),
    ...(model === undefined ? {} : { model }),
    ...(firmware === undefined ? {} : { firmware }),
  };
}

/** The devices with a payment that has not ended. */
export function openDevicesIn(database: Readable): ReadonlySet<string> {
  const rows = database.all('SELECT DISTINCT device_id AS id FROM attempts WHERE completed_at IS NULL');
  return new Set(rows.map((raw) => Open.parse(raw).id));
}
