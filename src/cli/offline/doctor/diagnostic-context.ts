import { existsSync } from 'node:fs';
import { ownerOf, type PidFileOwner } from '../../../runtime/pid-file.ts';
import { type FoundNote, readEpochNote } from '../../../store/epoch/epoch-note.ts';
import { JournalAnchors } from '../../../store/journal/journal-anchors.ts';
import { openForReading, type Reading } from '../../../store/read-only-database.ts';
import type { GlobalOptions, Io } from '../../io.ts';
import {
  type FoundConfig,
  findConfig,
  type StateFiles,
  type StateOptions,
  stateFilesOf,
} from '../state-files.ts';
import { type Machine, THIS_MACHINE } from './machine.ts';

export interface DoctorOptions extends GlobalOptions, StateOptions {
  /** Makes no request: to no daemon, no service. */
  readonly offline?: boolean;
  /** Reads the whole journal, and every index and reference of the database. */
  readonly full?: boolean;
}

/** The diagnostic context. A function that may throw reads whatever can be damaged: each check handles its own error. */
export interface DiagnosticContext {
  readonly options: DoctorOptions;
  readonly io: Io;
  readonly configuration: FoundConfig;
  readonly files: StateFiles;
  readonly machine: Machine;
  /** Epoch ms by the machine's clock. */
  readonly now: number;
  readonly holder: () => PidFileOwner;
  /** @throws STORAGE_FAILED */
  readonly database: () => Reading;
  readonly hasDatabase: boolean;
  /** The archive of old payments; it may not exist. @throws STORAGE_FAILED, STORAGE_DAMAGED */
  readonly archive: () => Reading | null;
  /** The mirrored records of providers; they may not exist. @throws STORAGE_FAILED */
  readonly mirror: () => Reading | null;
  /** The note beside the database; read first, so that a running daemon is not ahead of it. */
  readonly note: () => FoundNote;
  readonly anchors: JournalAnchors;
  close(): void;
}

/** Prepares the diagnostic context; null when no option names the state folder. */
export function diagnosticContextOf(
  options: DoctorOptions,
  io: Io,
  now: number,
  machine: Machine = THIS_MACHINE,
): DiagnosticContext | null {
  const configuration = findConfig(options, io);
  const files = stateFilesOf(options, configuration, io);
  if (!files) return null;
  let reading: Reading | null = null;
  const mirror = once(() => (existsSync(files.mirror) ? openForReading(files.mirror) : null));
  const archive = once(() => (existsSync(files.archive) ? openForReading(files.archive) : null));
  return {
    options,
    io,
    configuration,
    files,
    machine,
    now,
    holder: () => ownerOf(files.holder),
    database: () => {
      reading ??= openForReading(files.database);
      return reading;
    },
    hasDatabase: existsSync(files.database),
    archive: archive.value,
    mirror: mirror.value,
    note: once(() => readEpochNote(files.epoch)).value,
    anchors: new JournalAnchors(files.anchors),
    close: () => {
      reading?.close();
      archive.known()?.close();
      mirror.known()?.close();
    },
  };
}

interface Once<T> {
  readonly value: () => T;
  /** null before the first read. */
  readonly known: () => T | null;
}

function once<T>(read: () => T): Once<T> {
  let known: { readonly value: T } | null = null;
  return {
    value: () => {
      known ??= { value: read() };
      return known.value;
    },
    known: () => known?.value ?? null,
  };
}
