import { sql } from 'kysely';
import type { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import type { Enrolled, Enrolment } from '../../fleet/contract/enrolment.ts';
import { type Database, ROLE } from '../database/connect.ts';
import { hashOfCode } from '../shops/invite.ts';

/**
 * Uses up the invitation of a code for a new agent. The same key under the same code gets the same agent again: its first answer may have been lost.
 * @throws INVITATION_INVALID for a code that is unknown, used by another key, or too old: a stranger cannot tell these apart
 */
export async function enrol(
  database: Database,
  { code, key, version }: z.infer<typeof Enrolment>,
  now: number,
): Promise<Enrolled> {
  const codeHash = hashOfCode(code);
  return await database.transaction().execute(async (transaction) => {
    await sql`SELECT set_config('role', ${ROLE}, true), set_config('tilld.invitation', ${codeHash}, true)`.execute(
      transaction,
    );
    const invitation = await transaction
      .selectFrom('invitation')
      .selectAll()
      .where('code_hash', '=', codeHash)
      .forUpdate()
      .executeTakeFirst();
    if (invitation === undefined) throw invalid();
    const { tenant_id, shop_id } = invitation;
    await sql`SELECT set_config('tilld.tenant', ${tenant_id}, true)`.execute(transaction);
    const names = await transaction
      .selectFrom('shop')
      .innerJoin('tenant', 'tenant.id', 'shop.tenant_id')
      .select(['shop.name as shop', 'tenant.name as tenant'])
      .where('shop.id', '=', shop_id)
      .executeTakeFirstOrThrow();
    const enrolled = (agent_id: string): Enrolled => ({
      agent_id,
      tenant: { id: tenant_id, name: names.tenant },
      shop: { id: shop_id, name: names.shop },
    });
    if (invitation.used_at !== null) {
      const same = await transaction
        .selectFrom('agent')
        .select('id')
        .where('shop_id', '=', shop_id)
        .where('public_key', '=', key.x)
        .where('revoked_at', 'is', null)
        .executeTakeFirst();
      if (same === undefined) throw invalid();
      return enrolled(same.id);
    }
    if (invitation.expires_at.getTime() < now) throw invalid();
    await transaction
      .updateTable('invitation')
      .set({ used_at: new Date(now) })
      .where('code_hash', '=', codeHash)
      .execute();
    const { id } = await transaction
      .insertInto('agent')
      .values({ tenant_id, shop_id, public_key: key.x, version })
      .returning('id')
      .executeTakeFirstOrThrow();
    await transaction
      .insertInto('audit')
      .values({ tenant_id, actor: `agent ${id}`, action: 'agent_joined', details: JSON.stringify(names) })
      .execute();
    return enrolled(id);
  });
}

function invalid(): AppError {
  return new AppError(
    'INVITATION_INVALID',
    'this code is not valid: it is wrong, was used, or is older than 15 minutes. Ask for a new one (tillhub shops invite SHOP --tenant MERCHANT)',
  );
}
