import { compactVerify, importJWK } from 'jose';
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import {
  CLOCKS_APART_MS,
  CommandClaims,
  type CommandOutcome,
  FleetCommand,
  isReadCommand,
  LONGEST_COMMAND_MS,
  MOST_COMMANDS,
  type ReadCommand,
  type SignedCommand,
} from '../contract/command.ts';
import { PublicKey } from '../contract/enrolment.ts';
import { text } from '../contract/text.ts';
import { maskedWords } from './masked-words.ts';

/** So many are remembered; of those, the ones that are still good are never forgotten. */
const MOST_REMEMBERED = 200;
const MOST_DETAILS = 4_000;

/** A command that this shop has taken or refused: the audit of this side. */
export const CommandRecord = z.object({
  id: z.string(),
  /** Epoch ms. */
  at: z.int(),
  kind: z.string(),
  /** The name of the key's owner at this shop; `unknown`: no such key has signed it. */
  operator: z.string(),
  /** Until when it is good, epoch ms; 0: it was not proved. */
  until: z.number(),
  state: z.enum(['begun', 'done', 'failed', 'refused', 'needs_person', 'unsupported', 'interrupted']),
  details: z.string().nullable(),
  /** The hub has the outcome. */
  is_reported: z.boolean(),
});
export type CommandRecord = z.infer<typeof CommandRecord>;

/** An operator whose commands this shop takes, by the name that a person here gave to the key. */
export const NamedOperator = z.object({
  name: text(100),
  /** Public Ed25519 key, base64url. */
  key: PublicKey.shape.x,
});
export type NamedOperator = z.infer<typeof NamedOperator>;

/** Keeps the records; what `keep` was given is on disk when it returns. */
export interface CommandLog {
  read(): readonly CommandRecord[];
  keep(records: readonly CommandRecord[]): void;
}

/** Does what a command of class R asks for. @returns what came of it, in words. @throws what the shop refuses */
export type DoCommand = (command: ReadCommand, signal: AbortSignal) => Promise<string>;

export interface CommandsDeps {
  readonly log: CommandLog;
  readonly run: DoCommand;
  readonly clock: Clock;
  readonly words: Log;
}

/**
 * What a hub may ask of this shop, and nothing more. Each command is signed by an operator's key that a person named at this shop; the hub has none of
 * them, so a stolen hub asks for nothing. A command runs once at most: its id is on disk before it begins.
 */
export class Commands {
  readonly #deps: CommandsDeps;
  #records: readonly CommandRecord[];

  /** @param deps what was begun by an earlier process is `interrupted` */
  constructor(deps: CommandsDeps) {
    this.#deps = deps;
    this.#records = deps.log
      .read()
      .map((record) => (record.state === 'begun' ? { ...record, state: 'interrupted' } : record));
  }

  /** Oldest first. */
  get records(): readonly CommandRecord[] {
    return this.#records;
  }

  /** What the hub does not know yet. */
  outcomes(): readonly CommandOutcome[] {
    return this.#records
      .filter((record) => !record.is_reported && record.state !== 'begun')
      .slice(0, MOST_COMMANDS)
      .map(({ id, state, details }) => ({ id, state: state === 'begun' ? 'interrupted' : state, details }));
  }

  reported(outcomes: readonly CommandOutcome[]): void {
    if (outcomes.length === 0) return;
    const ids = new Set(outcomes.map(({ id }) => id));
    this.#keep(
      this.#records.map((record) => (ids.has(record.id) ? { ...record, is_reported: true } : record)),
    );
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
      const known = this.#records.find(({ id }) => id === command.id);
      if (signal.aborted) break;
      if (known) this.#reportAgain(command.id);
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
    const refusal = refusalOf(proved, id, agentId, now) ?? this.#full(now);
    if (claims === null || refusal !== null)
      return this.#add({ ...record, until: 0, state: 'refused', details: refusal });
    const command = FleetCommand.safeParse(claims.command);
    if (!command.success) return this.#add({ ...record, state: 'unsupported' });
    if (!isReadCommand(command.data)) return this.#add({ ...record, state: 'needs_person' });
    this.#add({ ...record, state: 'begun' });
    this.#change(id, await this.#run(command.data, signal));
  }

  async #run(command: ReadCommand, signal: AbortSignal): Promise<Pick<CommandRecord, 'state' | 'details'>> {
    try {
      const details = await this.#deps.run(command, signal);
      return { state: 'done', details: maskedWords(details, MOST_DETAILS) };
    } catch (error) {
      return {
        state: signal.aborted ? 'interrupted' : 'failed',
        details: maskedWords(messageOf(error), MOST_DETAILS),
      };
    }
  }

  #full(now: number): string | null {
    const good = this.#records.filter(({ until }) => until > now).length;
    return good >= MOST_REMEMBERED ? `${MOST_REMEMBERED} commands are remembered that are still good` : null;
  }

  #add(record: CommandRecord): void {
    const { id, kind, operator, state, details } = record;
    this.#deps.words.info({ id, kind, operator, state, details }, 'command of the hub');
    const now = this.#deps.clock.now();
    const over = this.#records.length + 1 - MOST_REMEMBERED;
    const gone = new Set(this.#records.filter(({ until }) => until <= now).slice(0, Math.max(0, over)));
    this.#keep([...this.#records.filter((one) => !gone.has(one)), record]);
  }

  /** The hub has lost the outcome. That is not worth a write: after a restart the hub asks again. */
  #reportAgain(id: string): void {
    this.#records = this.#records.map((record) =>
      record.id === id ? { ...record, is_reported: false } : record,
    );
  }

  #change(id: string, changes: Partial<CommandRecord>): void {
    this.#keep(this.#records.map((record) => (record.id === id ? { ...record, ...changes } : record)));
  }

  #keep(records: readonly CommandRecord[]): void {
    this.#deps.log.keep(records);
    this.#records = records;
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
