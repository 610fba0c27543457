import { messageOf } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import type { Config } from '../config/schema.ts';
import {
  COPY_WORDS,
  type CopyReason,
  compareIdentity,
  type IdentityFinding,
  type Witnesses,
} from '../payment/recovery/database-identity.ts';
import { bootId, type MachineIdentity, machineIdentity, thisMachine } from '../runtime/machine-identity.ts';
import { type WitnessPlace, witnessPlace } from '../runtime/witness-place.ts';
import type { Database } from '../store/database.ts';
import {
  beginEpoch,
  type Epoch,
  type EpochKind,
  epochKind,
  epochOf,
  noteEpoch,
} from '../store/epoch/epoch.ts';
import { type EpochNote, readEpochNote } from '../store/epoch/epoch-note.ts';
import {
  type IdentityFacts,
  identityFacts,
  noteCopied,
  storeIdentity,
} from '../store/epoch/identity-facts.ts';
import type { Readable } from '../store/read-only-database.ts';

/** The data that a copy of a state folder does not carry, and the place of the note outside it. */
export interface StateWitnesses extends MachineIdentity {
  readonly place: WitnessPlace;
  /** Boot id of the running system; null or absent: not known. */
  readonly boot?: string | null;
}

/**
 * Reads the machine identity, and finds the place outside the folder. null with a sandbox: its terminals' data is in the state folder itself, so a
 * deleted or copied folder takes their charges with it.
 */
export function stateWitnesses(
  folder: string,
  { witness_dir, sandbox }: Pick<Config, 'witness_dir' | 'sandbox'>,
  env: NodeJS.ProcessEnv,
): StateWitnesses | null {
  if (sandbox) return null;
  const place = witnessPlace(folder, witness_dir, env);
  return { ...machineIdentity(thisMachine(env)), place, boot: bootId() };
}

/** What the witnesses outside a state folder say of its database. */
export interface FoundIdentity {
  readonly finding: IdentityFinding;
  /** For the epoch: `copied`, `older`, or `same`. */
  readonly outside: EpochKind;
  /** The note outside names a journal, and the database is new. */
  readonly hadJournal: boolean;
}

const NOT_NOTED =
  'the note outside the state folder cannot be written: an old copy of the folder may not be found out';

/** Compares the database with the machine and with the note outside; nothing is changed. @throws JOURNAL_UNREADABLE */
export function findIdentity(database: Readable, witnesses: StateWitnesses): FoundIdentity {
  const stored = identityFacts(database);
  const { place, machine, hardware } = witnesses;
  const note = place.kind === 'file' ? noteAt(place.path) : null;
  const found: Witnesses = { machine, hardware, outside: outsideOf(place, note) };
  const finding = compareIdentity(stored && { ...stored, hasOutside: stored.outside !== null }, found);
  const outside = finding.kind === 'copied' ? 'copied' : kindBy(database, note);
  return { finding, outside, hadJournal: note !== null && note.count > 0 };
}

function outsideOf(place: WitnessPlace, note: EpochNote | null): Witnesses['outside'] {
  if (place.kind === 'none') return place;
  return note?.instance === undefined ? { kind: 'missing' } : { kind: 'note', instance: note.instance };
}

/** A note that cannot be read counts as missing: the machine that wrote it reads the same each time. */
function noteAt(path: string): EpochNote | null {
  const found = readEpochNote(path);
  return found.kind === 'note' ? found.note : null;
}

/** The counter outside: a note whose journal is longer is that of a newer database. A note without a row proves nothing. */
function kindBy(database: Readable, note: EpochNote | null): EpochKind {
  if (note === null || note.count === 0) return 'same';
  const kind = epochKind(database, { kind: 'note', note });
  return kind === 'older' || kind === 'foreign' ? 'older' : 'same';
}

export interface IdentityDeps {
  readonly witnesses: StateWitnesses;
  readonly ids: Ids;
  readonly log: Log;
}

/**
 * Makes this the place where the database is used. First it writes the note outside, so that the next start detects an interrupted start; then
 * `begin` begins the epoch, if there is one to begin; then it writes the database.
 * @param epoch the epoch that the database will have
 */
export function takeIdentity<T>(
  database: Database,
  found: FoundIdentity,
  { epoch, begin }: { readonly epoch: string; readonly begin: () => T },
  { witnesses, ids, log }: IdentityDeps,
): T {
  const stored = identityFacts(database);
  const { finding } = found;
  const isSame = stored !== null && finding.kind === 'same';
  const instance = isSame ? stored.instance : shortId(ids);
  const { place, machine, hardware } = witnesses;
  const lack = place.kind === 'none' ? place.why : writeOutside(database, place.path, { instance, epoch });
  if (lack !== null) log.warn({ why: lack }, NOT_NOTED);
  if (finding.kind === 'copied')
    log.error({ reason: finding.reason, what: COPY_WORDS[finding.reason] }, 'this database may be a copy');
  const epochBefore = epochOf(database);
  const begun = begin();
  const isContinued = epochOf(database) === epochBefore;
  const keptCopied = isContinued ? (stored?.copied ?? null) : null;
  const next: IdentityFacts = {
    instance,
    machine: machine ?? (isSame ? stored.machine : null),
    hardware: hardware ?? (isSame ? stored.hardware : null),
    outside: lack === null && place.kind === 'file' ? place.path : isSame ? stored.outside : null,
    lack,
    copied: finding.kind === 'copied' ? finding.reason : keptCopied,
  };
  if (JSON.stringify(next) !== JSON.stringify(stored)) storeIdentity(database, next);
  return begun;
}

/** @returns why the note could not be written; null: it was written */
function writeOutside(
  database: Database,
  path: string,
  whose: { readonly instance: string; readonly epoch: string },
): string | null {
  try {
    noteEpoch(database, path, whose);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

/** Random enough for two machines of one shop, short enough for the name of an agent. */
function shortId(ids: Ids): string {
  return ids.nameBased(ids.uuid(), 'instance').replaceAll('-', '').slice(0, 12);
}

/** The running database was found to be a copy, or an older state: a new epoch begins. */
export function beginAsCopy(
  database: Database,
  reason: CopyReason,
  { ids, now }: { readonly ids: Ids; readonly now: number },
): Epoch {
  const epoch = { kind: 'copied', id: ids.uuid(), since: Math.max(1, now) } as const;
  database.transaction(() => {
    beginEpoch(database, epoch.id, epoch.since);
    noteCopied(database, reason);
  });
  return epoch;
}
