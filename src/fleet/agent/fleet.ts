import { generateKeyPairSync } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { AppError, messageOf } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { isLoopback } from '../../base/loopback.ts';
import type { BooksCommand } from '../contract/command.ts';
import { Enrolled } from '../contract/enrolment.ts';
import { type CommandLog, type CommandRecord, CommandRecords, type TaskRecord } from './command-records.ts';
import { type BooksReader, CommandTasks, type Performed } from './command-tasks.ts';
import { Commands, type DoCommand, type NamedOperator } from './commands.ts';
import type { ConfigurationKeeper, ConfigurationView } from './configuration-keeper.ts';
import { FleetLink, type FleetLinkDeps, type LinkView } from './fleet-link.ts';
import { HubClient, HubRefusal } from './hub-client.ts';
import { AgentKey, type Membership, type MembershipPlace } from './membership.ts';

const JOIN_TIMEOUT_MS = 30_000;

export interface FleetDeps extends Omit<FleetLinkDeps, 'client' | 'commands' | 'agentId' | 'operators'> {
  readonly run: DoCommand;
  readonly books: BooksReader;
  readonly place: MembershipPlace;
  readonly configuration: Pick<ConfigurationKeeper, 'view' | 'forget'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** What this shop knows of its fleet. */
export interface FleetView {
  /** null: it belongs to none. */
  readonly joined: {
    readonly hubUrl: string;
    readonly tenant: string;
    readonly shop: string;
    readonly agentId: string;
    readonly link: LinkView;
    readonly operators: readonly NamedOperator[];
    /** What the hub asked for, and what came of it; oldest first. */
    readonly commands: readonly CommandRecord[];
    readonly configuration: ConfigurationView;
    /** The number of the newest row of the journal. */
    readonly journalEnd: number;
  } | null;
}

/** The shop's place in a fleet. Off until a person joins one; a sale depends on nothing of it. */
export class Fleet {
  readonly #deps: FleetDeps;
  #membership: Membership | null = null;
  #running: {
    readonly client: HubClient;
    readonly link: FleetLink;
    readonly commands: Commands;
    readonly tasks: CommandTasks;
  } | null = null;
  #isStarted = false;
  #joining = false;

  constructor(deps: FleetDeps) {
    this.#deps = deps;
  }

  /** Reads where this shop belongs, and what waits for people here; nothing is sent. Never throws: an unreadable membership is logged. */
  open(): void {
    try {
      this.#membership = this.#deps.place.read();
      this.#prepare();
    } catch (error) {
      this.#deps.log.error({ error: messageOf(error) }, 'the membership in the fleet cannot be read');
    }
  }

  /** Connects, where this shop belongs to a fleet. */
  start(): void {
    this.#isStarted = true;
    this.#running?.link.start();
  }

  /** The journal has grown. */
  journalGrew(): void {
    this.#running?.link.journalGrew();
  }

  async stop(): Promise<void> {
    this.#isStarted = false;
    await this.#disconnect();
  }

  view(): FleetView {
    if (!this.#membership?.enrolled || !this.#running) return { joined: null };
    const { enrolled, hub_url: hubUrl, operators } = this.#membership;
    const { tenant, shop, agent_id: agentId } = enrolled;
    const { view: link } = this.#running.link;
    const { records: commands } = this.#running.commands;
    return {
      joined: {
        hubUrl,
        tenant: tenant.name,
        shop: shop.name,
        agentId,
        link,
        operators,
        commands,
        configuration: this.#deps.configuration.view(),
        journalEnd: this.#deps.journal.end,
      },
    };
  }

  /** What operators ask of people here, oldest first; also what has ended. */
  tasks(): readonly TaskRecord[] {
    return this.#running?.tasks.list() ?? [];
  }

  /** A person does such a task. @throws TASK_UNKNOWN, TASK_DONE, and what the work throws */
  performTask(
    id: string,
    by: string,
    work: (command: BooksCommand) => Promise<Performed>,
  ): Promise<TaskRecord> {
    return this.#mustBeJoined().perform(id, by, work);
  }

  /** @throws TASK_UNKNOWN, TASK_DONE, STORAGE_FAILED */
  declineTask(id: string, by: string, reason: string): TaskRecord {
    return this.#mustBeJoined().decline(id, by, reason);
  }

  /**
   * Joins the fleet of a hub by the code of an invitation; `operators` are those whose commands this shop takes from then on. The key is stored before it is used: where the answer is lost, the same call gets it again.
   * @throws FLEET_JOINED, HUB_URL_INVALID, INVITATION_INVALID, HUB_UNREACHABLE
   */
  async join(hubUrl: string, code: string, operators: readonly NamedOperator[]): Promise<FleetView> {
    const url = checkedUrl(hubUrl);
    if (this.#membership?.enrolled || this.#joining) throw joinedAlready();
    this.#joining = true;
    try {
      const before = this.#known();
      const key = before?.hub_url === url ? before.key : newKey();
      const asked = { hub_url: url, key, enrolled: null, operators: [...operators], commands: [] };
      this.#deps.place.keep(asked);
      const enrolled = await this.#enrol(url, key, code);
      const membership = { ...asked, enrolled };
      this.#deps.place.keep(membership);
      this.#membership = membership;
      this.#prepare();
      if (this.#isStarted) this.#running?.link.start();
    } finally {
      this.#joining = false;
    }
    return this.view();
  }

  /** Leaves the fleet: nothing is sent any more, and the key is removed. The hub keeps what it has. @throws FLEET_NOT_JOINED */
  async leave(): Promise<void> {
    if (!this.#membership?.enrolled && this.#isReadable())
      throw new AppError('FLEET_NOT_JOINED', 'this shop belongs to no fleet');
    await this.#disconnect();
    this.#deps.place.remove();
    this.#membership = null;
    this.#deps.configuration.forget();
  }

  #mustBeJoined(): CommandTasks {
    if (this.#running) return this.#running.tasks;
    throw new AppError('TASK_UNKNOWN', 'no task has this id', { context: { param: 'id' } });
  }

  /** null: there is none, or it cannot be read: joining makes a new one. */
  #known(): Membership | null {
    return this.#isReadable() ? this.#deps.place.read() : null;
  }

  #isReadable(): boolean {
    try {
      this.#deps.place.read();
      return true;
    } catch {
      return false;
    }
  }

  /** What was asked of this agent, kept with its key. */
  #commandLog(membership: Membership): CommandLog {
    return {
      read: () => membership.commands,
      keep: (records) => {
        // A person may be at a task while another one leaves the fleet.
        if (this.#membership?.key.x !== membership.key.x)
          throw new AppError('FLEET_NOT_JOINED', 'this shop has left the fleet that asked');
        const changed = { ...membership, commands: [...records] };
        this.#deps.place.keep(changed);
        this.#membership = changed;
      },
    };
  }

  async #enrol(hubUrl: string, key: AgentKey, code: string): Promise<Enrolled> {
    const client = new HubClient({ hubUrl, key, log: this.#deps.log });
    const { kty, crv, x } = key;
    const request = { code, key: { kty, crv, x }, version: this.#deps.version };
    try {
      return await client.post('/v1/enrolments', request, Enrolled, AbortSignal.timeout(JOIN_TIMEOUT_MS));
    } catch (error) {
      throw joinRefused(error, hubUrl);
    } finally {
      await client.close();
    }
  }

  #prepare(): void {
    if (!this.#membership?.enrolled) return;
    const { enrolled, hub_url: hubUrl, key, operators } = this.#membership;
    const { agent_id: agentId } = enrolled;
    const { run, books, clock } = this.#deps;
    const log = this.#deps.log.child({ part: 'fleet' });
    const records = new CommandRecords(this.#commandLog(this.#membership), log);
    const ended = () => this.#running?.link.outcomesChanged();
    const tasks = new CommandTasks({ records, books, clock, ended, words: log });
    const commands = new Commands({ records, tasks, run, clock });
    const client = new HubClient({ hubUrl, key, issuer: `${enrolled.tenant.id}/${agentId}`, log });
    const link = new FleetLink({ ...this.#deps, client, commands, agentId, operators, log });
    this.#running = { client, link, commands, tasks };
  }

  async #disconnect(): Promise<void> {
    const running = this.#running;
    this.#running = null;
    await running?.link.stop();
    await running?.client.close();
  }
}

/** @throws HUB_URL_INVALID */
function checkedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain =
    url !== null && url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (isPlain && isSafe) return url.href.replace(/\/$/, '');
  throw new AppError(
    'HUB_URL_INVALID',
    'the address of the hub must be https://HOST, without user and query; http only on this machine',
  );
}

function newKey(): AgentKey {
  return AgentKey.parse(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }));
}

function joinedAlready(): AppError {
  return new AppError('FLEET_JOINED', 'this shop belongs to a fleet already: tillctl fleet leave ends that');
}

function joinRefused(error: unknown, hubUrl: string): AppError {
  if (error instanceof HubRefusal && error.code === 'invitation_invalid')
    return new AppError(
      'INVITATION_INVALID',
      'the hub does not take this code: it is wrong, was used, or is older than 15 minutes. Ask for a new one',
    );
  return new AppError('HUB_UNREACHABLE', `the hub at ${hubUrl} could not be asked: ${messageOf(error)}`, {
    cause: error,
  });
}
