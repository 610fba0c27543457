import { compactVerify, importJWK } from 'jose';
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import {
  CommandClaims,
  type CommandOutcome,
  FleetCommand,
  isReadCommand,
  LONGEST_COMMAND_MS,
  MOST_COMMANDS,
  type ReadCommand,
  type SignedCommand,
} from '../contract/command.ts';

/** So many are remembered; of those, the ones that are still good are never forgotten. */
const MOST_REMEMBERED = 200;
const MOST_DETAILS = 4_000;
/** Clocks of operator and shop may differ by so much. */
const CLOCKS_APART_MS = 300_000;

/** A command that this shop has taken or refused: the audit of this side. */
export const CommandRecord = z.object({
  id: z.string(),
  /** Epoch ms. */
  at: z.int(),
  kind: z.string(),
  operator: z.string(),
  /** Until when it is good, epoch ms; 0: it was not proved. */
  until: z.number(),
  state: z.enum(['begun', 'done', 'failed', 'refused', 'needs_person', 'unsupported', 'interrupted']),
  details: z.string().nullable(),
  /** The hub has the outcome. */
  is_reported: z.boolean(),
});
export type CommandRecord = z.infer<typeof CommandRecord>;

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
   * @param trusted public Ed25519 keys of operators, base64url
   */
  async take(
    commands: readonly SignedCommand[],
    agentId: string,
    trusted: readonly string[],
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
    trusted: readonly string[],
    signal: AbortSignal,
  ): Promise<void> {
    const now = this.#deps.clock.now();
    const claims = await provedClaims(envelope, trusted);
    const kind = String(claims?.command['kind'] ?? 'unknown').slice(0, 100);
    const record = {
      id,
      at: now,
      kind,
      operator: claims?.iss ?? 'unknown',
      until: claims ? claims.exp * 1_000 : 0,
      details: null,
      is_reported: false,
    };
    const refusal = refusalOf(claims, id, agentId, now) ?? this.#full(now);
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
      return { state: 'done', details: cut(details) };
    } catch (error) {
      return { state: signal.aborted ? 'interrupted' : 'failed', details: cut(messageOf(error)) };
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

/** null: no trusted operator has signed it. */
async function provedClaims(envelope: string, trusted: readonly string[]): Promise<CommandClaims | null> {
  for (const x of trusted) {
    try {
      const key = await importJWK({ kty: 'OKP', crv: 'Ed25519', x }, 'EdDSA');
      const { payload } = await compactVerify(envelope, key, { algorithms: ['EdDSA'] });
      return CommandClaims.parse(JSON.parse(Buffer.from(payload).toString('utf8')));
    } catch {
      // Another operator may have signed it.
    }
  }
  return null;
}

/** In words for the operator; null: it may run. */
function refusalOf(claims: CommandClaims | null, id: string, agentId: string, now: number): string | null {
  if (claims === null) return 'it is not signed by an operator that this shop trusts';
  if (claims.sub !== agentId) return 'it is for another shop';
  if (claims.jti !== id) return 'the hub handed it over under another id';
  if ((claims.exp - claims.iat) * 1_000 > LONGEST_COMMAND_MS) return 'it is good for more than seven days';
  if (claims.iat * 1_000 > now + CLOCKS_APART_MS)
    return 'it was signed in the future by the clock of the shop';
  if (claims.exp * 1_000 <= now) return 'it had expired by the clock of the shop';
  return null;
}

/** Without what no database keeps. */
function cut(words: string): string | null {
  const plain = words.replaceAll('\u0000', '').toWellFormed().slice(0, MOST_DETAILS).toWellFormed();
  return plain === '' ? null : plain;
}
