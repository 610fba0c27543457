import { dataOf } from '../../../api/contract/primitives.ts';
import { Status } from '../../../api/contract/status.ts';
import { DaemonClient } from '../../client.ts';
import { only } from './words.ts';

/** The running daemon's status: its indicators by their codes, its terminals by their ids. */
export async function aboutDaemon(socket: string) {
  const { value } = await new DaemonClient(socket).call({ path: '/v2/status' }, dataOf(Status));
  const {
    environment,
    can_sell,
    can_report,
    is_fresh,
    reasons,
    terminals,
    link,
    outbox,
    integrations,
    upgrade,
  } = value.data;
  return {
    environment,
    can_sell,
    can_report,
    is_fresh,
    reasons: reasons.map(({ code }) => only.word(code)),
    terminals: terminals.map(terminalOf),
    link: {
      state: link.state,
      code: link.code,
      environment: link.environment,
      clock_skew_ms: only.number(link.clock_skew_ms),
    },
    outbox: {
      pending: only.number(outbox.pending),
      oldest_at: only.instant(outbox.oldest_at),
      parked: only.number(outbox.parked),
    },
    integrations: integrations.map((one) => ({
      provider: only.word(one.provider),
      resource: only.word(one.resource),
      state: one.state,
      rows: only.number(one.rows),
      fresh_at: only.instant(one.fresh_at),
      is_stale: one.is_stale,
      is_held: one.is_held,
      parked: only.number(one.parked),
      errors: only.number(one.errors),
      paused: one.paused,
    })),
    upgrade: upgrade && {
      step: only.word(upgrade.step),
      done: only.number(upgrade.done),
      total: only.number(upgrade.total),
    },
  };
}

function terminalOf(one: Status['terminals'][number]) {
  return {
    id: only.uuid(one.id),
    driver: only.word(one.driver),
    currency: only.currency(one.currency),
    model: only.model(one.model),
    firmware: only.model(one.firmware),
    status: only.word(one.status),
    identity_grade: only.word(one.identity_grade),
    last_seen_at: only.instant(one.last_seen_at),
    in_doubt: only.uuid(one.in_doubt_attempt_id),
    shared_use: only.flag(one.shared_use),
    waiting: only.number(one.waiting),
  };
}
