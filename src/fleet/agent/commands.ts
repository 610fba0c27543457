import { compactVerify, importJWK } from 'jose';
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { hasCode, messageOf } from '../../base/errors.ts';
import {
  type BooksCommand,
  CLOCKS_APART_MS,
  CommandClaims,
  type CommandOutcome,
  FleetCommand,
  isBooksCommand,
  LONGEST_COMMAND_MS,
  MOST_COMMANDS,
  type SignedCommand,
} from '../contract/command.ts';
import { refusalOfConfiguration } from '../contract/configuration.ts';
import { PublicKey } from '../contract/enrolment.ts';
import { text } from '../contract/text.ts';
import { type CommandRecord, type CommandRecords, MOST_DETAILS, outcomeOf } from './command-records.ts';
import type { CommandTasks } from './command-tasks.ts';
import { maskedWords } from './masked-words.ts';

/** An operator whose commands this shop takes, by the name that a person here gave to the key. */
export const NamedOperator = z.object({
  name: text(100),
  /** Public Ed25519 key, base64url. */
  key: PublicKey.shape.x,
});
export type NamedOperator = z.infer<typeof NamedOperator>;

/** What a shop does without a person. */
export type ShopCommand = Exclude<FleetCommand, BooksCommand>;

/** Does what a command asks for. @returns what came of it, in words. @throws FLEET_COMMAND_REFUSED for what the shop does not take; everything else has failed */
export type DoCommand = (command: ShopCommand, signal: AbortSignal) => Promise<string>;

export interface CommandsDeps {
  readonly records: CommandRecords;
  readonly tasks: Pick<CommandTasks, 'begin' | 'refresh'>;
  readonly run: DoCommand;
  readonly clock: Clock;
}

/**
 * What a hub may ask of this shop, and nothing more. Each command is signed by an operator's key that a person named at this shop; the hub has none of
 * them, so a stolen hub asks for nothing. A command runs once at most: its id is on disk before it begins. What touches the books does not run at all: it
 * becomes a task for a person.
 */
export class Commands {
  readonly #deps: CommandsDeps;

  constructor(deps: CommandsDeps) {
    this.#deps = deps;
  }

  /** Oldest first. */
  get records(): readonly CommandRecord[] {
    return this.#deps.records.all;
  }

  /** What the hub does not know yet. */
  outcomes(): readonly CommandOutcome[] {
    this.#deps.tasks.refresh();
    return this.records
      .filter((record) => !record.is_reported && record.state !== 'begun')
      .slice(0, MOST_COMMANDS)
      .map(outcomeOf);
  }

  /** The hub has these. A task that has ended meanwhile is to be reported still. */
  reported(outcomes: readonly CommandOutcome[]): void {
    const { records } = this.#deps;
    const ids = outcomes
      .filter(({ id, state }) => {
        const record = records.find(id);
        return record !== undefined && outcomeOf(record).state === state;
      })
      .map(({ id }) => id);
    if (ids.length > 0) records.change(ids, { is_reported: true });
  }

  /**
   * Takes what the hub hands over. @returns whether there are outcomes to be reported
   * @param agentId this shop's own
   * @param trusted the operators whose commands it takes
   */
  async take(
    commands: readonly SignedCommand[],
    agentId: string,
    trusted: readonly NamedOperator[],
    signal: AbortSignal,
  ): Promise<boolean> {
    for (const command of commands) {
      if (signal.aborted) break;
      if (this.#deps.records.find(command.id)) this.#deps.records.reportAgain(command.id);
      else await this.#takeOne(command, agentId, trusted, signal);
    }
    return this.outcomes().length > 0;
  }

  async #takeOne(
    { id, envelope }: SignedCommand,
    agentId: string,
    trusted: readonly NamedOperator[],
    signal: AbortSignal,
  ): Promise<void> {
    const now = this.#deps.clock.now();
    const proved = await provedCommand(envelope, trusted);
    const claims = proved?.claims ?? null;
    const kind = String(claims?.command['kind'] ?? 'unknown').slice(0, 100);
    const record = {
      id,
      at: now,
      kind,
      operator: proved?.owner ?? 'unknown',
      until: claims ? claims.exp * 1_000 : 0,
      details: null,
      is_reported: false,
    };
    const { records, tasks } = this.#deps;
    const refusal = refusalOf(proved, id, agentId, now) ?? records.full(now);
    if (claims === null || refusal !== null)
      return records.add({ ...record, until: 0, state: 'refused', details: refusal }, now);
    const command = FleetCommand.safeParse(claims.command);
    if (!command.success) {
      const details = refusalOfConfiguration(claims.command);
      return records.add({ ...record, state: details === null ? 'unsupported' : 'refused', details }, now);
    }
    if (isBooksCommand(command.data)) return records.add({ ...record, ...tasks.begin(command.data) }, now);
    records.add({ ...record, state: 'begun' }, now);
    records.change([id], await this.#run(command.data, signal));
  }

  async #run(command: ShopCommand, signal: AbortSignal): Promise<Pick<CommandRecord, 'state' | 'details'>> {
    try {
      const details = await this.#deps.run(command, signal);
      return { state: 'done', details: maskedWords(details, MOST_DETAILS) };
    } catch (error) {
      const state = hasCode(error, 'FLEET_COMMAND_REFUSED') ? 'refused' : 'failed';
      return {
        state: signal.aborted ? 'interrupted' : state,
        details: maskedWords(messageOf(error), MOST_DETAILS),
      };
    }
  }
}

/** What the key of an operator has signed. `claims` is null where this release does not know their form: a part of it may be a condition. */
interface ProvedCommand {
  readonly owner: string;
  readonly claims: CommandClaims | null;
}

/** null: no trusted operator has signed it. */
async function provedCommand(
  envelope: string,
  trusted: readonly NamedOperator[],
): Promise<ProvedCommand | null> {
  for (const { name, key: x } of trusted) {
    try {
      const key = await importJWK({ kty: 'OKP', crv: 'Ed25519', x }, 'EdDSA');
      const { payload } = await compactVerify(envelope, key, { algorithms: ['EdDSA'] });
      return { owner: name, claims: claimsOf(Buffer.from(payload).toString('utf8')) };
    } catch {
      // Another operator may have signed it.
    }
  }
  return null;
}

function claimsOf(payload: string): CommandClaims | null {
  try {
    return CommandClaims.parse(JSON.parse(payload));
  } catch {
    return null;
  }
}

/** In words for the operator; null: it may run. */
function refusalOf(proved: ProvedCommand | null, id: string, agentId: string, now: number): string | null {
  if (proved === null) return 'it is not signed by an operator that this shop trusts';
  const { owner, claims } = proved;
  if (claims === null) return 'it has a form that this release of tilld does not know';
  if (claims.iss !== owner)
    return `it names ${claims.iss} as its operator, and the key of ${owner} has signed it`;
  if (claims.sub !== agentId) return 'it is for another shop';
  if (claims.jti !== id) return 'the hub handed it over under another id';
  if ((claims.exp - claims.iat) * 1_000 > LONGEST_COMMAND_MS) return 'it is good for more than seven days';
  if (claims.iat * 1_000 > now + CLOCKS_APART_MS)
    return 'it was signed in the future by the clock of the shop';
  if (claims.exp * 1_000 <= now) return 'it had expired by the clock of the shop';
  return null;
}
