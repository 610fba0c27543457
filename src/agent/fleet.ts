import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Health, Status } from '../api/contract/status.ts';
import type { Clock } from '../base/clock.ts';
import { AppError, messageOf } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import { Fleet } from '../fleet/agent/fleet.ts';
import { Membership, type MembershipPlace } from '../fleet/agent/membership.ts';
import type { Lifecycle } from '../runtime/lifecycle.ts';
import type { StateFolder } from '../runtime/state-folder.ts';
import { writeFileDurably } from '../store/disk/durable-file.ts';
import { JournalPages } from '../store/journal/journal-pages.ts';
import type { Agent } from './create-agent.ts';
import type { Money } from './money.ts';

export interface FleetServiceDeps {
  readonly folder: StateFolder;
  readonly money: Pick<Money, 'database' | 'archive'>;
  readonly agent: Pick<Agent, 'payments'>;
  readonly status: { status(): Omit<Status, 'urls'> };
  readonly version: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly lifecycle: Pick<Lifecycle, 'started'>;
}

/** Wires the shop's place in a fleet; nothing is sent before `start()`. */
export function makeFleet(deps: FleetServiceDeps): Fleet {
  const { folder, money, agent, status, version, clock, ids, log, lifecycle } = deps;
  const fleet = new Fleet({
    place: membershipPlace(folder.credentials),
    journal: new JournalPages(money.database, money.archive),
    state: () => stateOf(status.status()),
    version,
    clock,
    random: () => ids.random(),
    log,
  });
  const unsubscribe = agent.payments.subscribe({ event: () => fleet.journalGrew() });
  lifecycle.started('fleet', () => {
    unsubscribe();
    return fleet.stop();
  });
  return fleet;
}

/** What the hub shows of this shop, without what changes from second to second: that a payment runs is none of its business. */
function stateOf(status: Omit<Status, 'urls'>): Readonly<Record<string, unknown>> {
  const { can_sell, can_report, is_fresh, reasons, environment, terminals, link, outbox, integrations } =
    status;
  return {
    can_sell,
    can_report,
    is_fresh,
    environment,
    reasons: reasonsOf(reasons),
    terminals: terminals.map(({ id, name, driver, status: state, needs, in_doubt_attempt_id }) => ({
      ...{ id, name, driver, needs, in_doubt: in_doubt_attempt_id !== null },
      status: state === 'busy' ? 'ready' : state,
    })),
    service: link.state,
    outbox: { pending: outbox.pending, parked: outbox.parked },
    integrations: integrations.map(({ provider, resource, is_stale, is_held, parked, paused }) => ({
      ...{ provider, resource, is_stale, is_held, parked, paused },
    })),
  };
}

/** The message of a reason may be long; the hub's page has its code. */
function reasonsOf(reasons: Health['reasons']) {
  return reasons.slice(0, 50).map(({ code, message }) => ({ code, message: message.slice(0, 200) }));
}

/** A file of the credentials; it is in no backup. */
function membershipPlace(credentials: string): MembershipPlace {
  const path = join(credentials, 'fleet.json');
  return {
    read: () => {
      try {
        return Membership.parse(JSON.parse(readFileSync(path, 'utf8')));
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
        throw new AppError('CREDENTIAL_INVALID', `${path} cannot be read: ${messageOf(error)}`, {
          cause: error,
        });
      }
    },
    keep: (membership) => {
      mkdirSync(credentials, { recursive: true, mode: 0o700 });
      writeFileDurably(path, `${JSON.stringify(membership)}\n`);
    },
    remove: () => rmSync(path, { force: true }),
  };
}
