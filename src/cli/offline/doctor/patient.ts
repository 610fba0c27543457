import { existsSync } from 'node:fs';
import { type Holder, holderOf } from '../../../runtime/holder.ts';
import { type FoundNote, readEpochNote } from '../../../store/epoch-note.ts';
import { JournalAnchors } from '../../../store/journal-anchors.ts';
import { openForReading, type Reading } from '../../../store/reading.ts';
import type { GlobalOptions, Io } from '../../io.ts';
import {
  type FoundConfig,
  findConfig,
  type StateFiles,
  type StateOptions,
  stateFilesOf,
} from '../state-files.ts';

export interface DoctorOptions extends GlobalOptions, StateOptions {
  /** Asks no daemon. */
  readonly offline?: boolean;
  /** Looks at every index and reference of the database, too. */
  readonly full?: boolean;
}

/** What is examined. Whatever can be damaged is read by a function that may throw: each check answers for itself. */
export interface Patient {
  readonly options: DoctorOptions;
  readonly io: Io;
  readonly configuration: FoundConfig;
  readonly files: StateFiles;
  /** Epoch ms by the machine's clock. */
  readonly now: number;
  readonly holder: () => Holder;
  /** @throws STORAGE_FAILED */
  readonly database: () => Reading;
  readonly hasDatabase: boolean;
  /** What stands beside the database; read before it, so that a daemon at work is not ahead of it. */
  readonly note: () => FoundNote;
  readonly anchors: JournalAnchors;
  close(): void;
}

/** Makes ready what the checks look at; null when nothing says where the state is. */
export function patientOf(options: DoctorOptions, io: Io, now: number): Patient | null {
  const configuration = findConfig(options, io);
  const files = stateFilesOf(options, configuration, io);
  if (!files) return null;
  let reading: Reading | null = null;
  return {
    options,
    io,
    configuration,
    files,
    now,
    holder: () => holderOf(files.holder),
    database: () => {
      reading ??= openForReading(files.database);
      return reading;
    },
    hasDatabase: existsSync(files.database),
    note: once(() => readEpochNote(files.epoch)),
    anchors: new JournalAnchors(files.anchors),
    close: () => reading?.close(),
  };
}

function once<T>(read: () => T): () => T {
  let known: { readonly value: T } | null = null;
  return () => {
    known ??= { value: read() };
    return known.value;
  };
}
