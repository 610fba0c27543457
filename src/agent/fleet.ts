import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Health, Status } from '../api/contract/status.ts';
import { type Clock, sleep } from '../base/clock.ts';
import { AppError, messageOf } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import type { DoCommand } from '../fleet/agent/commands.ts';
import type { ConfigurationKeeper, ConfigurationView } from '../fleet/agent/configuration-keeper.ts';
import { Fleet } from '../fleet/agent/fleet.ts';
import { maskedWords } from '../fleet/agent/masked-words.ts';
import { Membership, type MembershipPlace } from '../fleet/agent/membership.ts';
import type { AgentState } from '../fleet/contract/state.ts';
import type { IntegrationsApi } from '../integration/integrations-api.ts';
import type { Lifecycle } from '../runtime/lifecycle.ts';
import type { StateFolder } from '../runtime/state-folder.ts';
import { JournalPages } from '../store/archive/journal-pages.ts';
import { writeFileDurably } from '../store/disk/durable-file.ts';
import { SqliteOutboxAdminStore } from '../store/outbox/sqlite-outbox-admin-store.ts';
import type { Agent } from './create-agent.ts';
import type { DoctorBeside } from './doctor.ts';
import { fleetBooks } from './fleet-books.ts';
import type { Money } from './money.ts';

/** Between two looks at the running doctor. */
const LOOK_MS = 500;

export interface FleetServiceDeps {
  readonly folder: StateFolder;
  readonly money: Pick<Money, 'database' | 'archive'>;
  readonly agent: Pick<Agent, 'payments' | 'operations' | 'queues'>;
  readonly integrations: Pick<IntegrationsApi, 'sync' | 'resume'>;
  readonly keeper: ConfigurationKeeper;
  readonly doctor: DoctorBeside;
  readonly status: { status(): Omit<Status, 'urls' | 'time_zone'> };
  readonly version: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly lifecycle: Pick<Lifecycle, 'started'>;
}

/** Wires the shop's place in a fleet. What waits for people is there at once; nothing is sent before `start()`. */
export function makeFleet(deps: FleetServiceDeps): Fleet {
  const { folder, money, agent, status, keeper, version, clock, ids, log, lifecycle } = deps;
  const fleet = new Fleet({
    place: membershipPlace(folder.credentials),
    run: runner(deps),
    books: fleetBooks({
      payments: agent.payments,
      operations: agent.operations,
      devices: agent.queues,
      reports: new SqliteOutboxAdminStore(money.database),
    }),
    journal: new JournalPages(money.database, money.archive),
    configuration: keeper,
    state: () => ({ ...stateOf(status.status()), configuration: configurationOf(keeper.view()) }),
    version,
    clock,
    random: () => ids.random(),
    log,
  });
  fleet.open();
  const unsubscribe = agent.payments.subscribe({ event: () => fleet.journalGrew() });
  lifecycle.started('fleet', () => {
    unsubscribe();
    return fleet.stop();
  });
  return fleet;
}

/** Does what a hub may ask for by itself. */
function runner({ integrations, keeper, doctor, clock }: FleetServiceDeps): DoCommand {
  return async (command, signal) => {
    if (command.kind === 'doctor') return await examined(doctor, clock, signal);
    if (command.kind === 'configuration') return await keeper.take(command);
    if (command.kind === 'restart') return keeper.takeRestart();
    if (command.kind === 'resume') integrations.resume(command.provider);
    else integrations.sync(command.provider, { full: true, resource: command.resource ?? null });
    return '';
  };
}

/** What the doctor finds amiss, a line each. */
async function examined(doctor: DoctorBeside, clock: Clock, signal: AbortSignal): Promise<string> {
  doctor.examine();
  while (doctor.last().state === 'running') await sleep(clock, LOOK_MS, signal, 'the doctor for the hub');
  const { findings, failure } = doctor.last();
  if (failure !== null) throw new AppError('DOCTOR_FAILED', failure);
  const amiss = findings.filter(({ level }) => level !== 'ok');
  if (amiss.length === 0) return `nothing is amiss in ${findings.length} checks`;
  return amiss.map(({ id, level, what, why }) => [level, id, what, why ?? ''].join(' · ')).join('\n');
}

/** What the hub shows of this shop, without what changes from second to second: that a payment runs is none of its business. */
function stateOf(status: Omit<Status, 'urls' | 'time_zone'>): AgentState {
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

function configurationOf({ running, attempted, failed }: ConfigurationView) {
  return {
    running,
    attempted: attempted && { ...attempted },
    failed: failed && { ...failed, why: maskedWords(failed.why, 1_000) ?? '' },
  };
}

/** The message of a reason may be long; the hub's page has its code. */
function reasonsOf(reasons: Health['reasons']) {
  return reasons
    .slice(0, 50)
    .map(({ code, message }) => ({ code, message: maskedWords(message, 200) ?? '' }));
}

/** A file of the credentials; it is in no backup. */
function membershipPlace(credentials: string): MembershipPlace {
  const path = join(credentials, 'fleet.json');
  return {
    read: () => read(path),
    keep: (membership) => {
      mkdirSync(credentials, { recursive: true, mode: 0o700 });
      writeFileDurably(path, `${JSON.stringify(membership)}\n`);
    },
    remove: () => rmSync(path, { force: true }),
  };
}

/** null: there is no such file. @throws FLEET_FILE_UNREADABLE */
function read(path: string): Membership | null {
  try {
    return Membership.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    // The words of a parser quote the file, which may hold a key.
    const why =
      error instanceof SyntaxError || error instanceof z.ZodError ? 'it is damaged' : messageOf(error);
    throw new AppError('FLEET_FILE_UNREADABLE', `${path} cannot be read: ${why}`);
  }
}
