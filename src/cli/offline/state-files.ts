import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError, messageOf } from '../../base/errors.ts';
import { loadSellingConfig, type SellingConfig } from '../../config/load.ts';
import { holdStateFolder } from '../../runtime/state-folder.ts';
import { finishRestore } from '../../store/restore/finish-restore.ts';
import { planPath } from '../../store/restore/restore-plan.ts';
import type { Io } from '../io.ts';

/** Paths of the files of a state folder; nothing is created or opened. */
export interface StateFiles {
  readonly folder: string;
  readonly database: string;
  /** The archive of old payments; it may not exist. */
  readonly archive: string;
  readonly mirror: string;
  /** When the last backup was made, and of what. */
  readonly lastBackup: string;
  readonly reserve: string;
  /** Whether pages of the database are still unread after an unclean shutdown. */
  readonly unreadPages: string;
  readonly epoch: string;
  readonly anchors: string;
  readonly holder: string;
  readonly socket: string;
  readonly credentials: string;
}

/** The options that locate the state folder. */
export interface StateOptions {
  readonly stateDir?: string;
  readonly config?: string;
}

/** The result of the search for a configuration. */
export type FoundConfig =
  | ({ readonly file: string } & SellingConfig)
  | { readonly file: string; readonly config: null; readonly error: unknown };

/** The configuration that these options select. Never throws. */
export function findConfig({ config }: StateOptions, io: Pick<Io, 'cwd'>): FoundConfig {
  const file = config === undefined ? usualConfig(io.cwd) : resolve(io.cwd, config);
  try {
    return { file, ...loadSellingConfig(file) };
  } catch (error) {
    return { file, config: null, error };
  }
}

/** The default configuration file: `./tilld.jsonc`, `/etc/tilld/tilld.jsonc`, the demo. */
export function usualConfig(cwd: string): string {
  const demo = fileURLToPath(new URL('../../../config/demo/tilld.jsonc', import.meta.url));
  return [resolve(cwd, 'tilld.jsonc'), '/etc/tilld/tilld.jsonc'].find((path) => existsSync(path)) ?? demo;
}

/** The state folder that these options select; null when only an unreadable configuration would name it. */
export function stateFilesOf(
  options: StateOptions,
  found: FoundConfig,
  io: Pick<Io, 'cwd'>,
): StateFiles | null {
  const folder = options.stateDir ?? found.config?.state_dir;
  return folder === undefined ? null : stateFilesIn(resolve(io.cwd, folder));
}

/**
 * The same for a command that requires one. A restore that was interrupted is finished first: in between the books are in no place.
 * @throws USAGE; STATE_FOLDER_HELD while another process finishes it; RESTORE_PLAN_UNREADABLE
 */
export function requireStateFiles(options: StateOptions, io: Pick<Io, 'cwd'>): StateFiles {
  const found = findConfig(options, io);
  const files = stateFilesOf(options, found, io);
  if (files) {
    if (isUnfinished(files)) finished(files);
    return files;
  }
  const why = found.config === null ? messageOf(found.error) : 'nothing says where it is';
  throw new AppError('USAGE', `which state folder? Say --state-dir DIR. (${why})`);
}

/** Whether a restore was interrupted behind its plan. */
export function isUnfinished({ database }: StateFiles): boolean {
  return existsSync(planPath(database));
}

function finished(files: StateFiles): void {
  const folder = holdStateFolder(files.folder);
  try {
    finishRestore(files);
  } finally {
    folder.release();
  }
}

function stateFilesIn(folder: string): StateFiles {
  return {
    folder,
    database: join(folder, 'money.db'),
    archive: join(folder, 'archive.db'),
    mirror: join(folder, 'mirror.db'),
    lastBackup: join(folder, 'last-backup'),
    reserve: join(folder, 'ballast'),
    unreadPages: join(folder, 'unread-pages'),
    epoch: join(folder, 'epoch'),
    anchors: join(folder, 'journal-anchors'),
    holder: join(folder, 'tilld.pid'),
    socket: join(folder, 'tilld.sock'),
    credentials: join(folder, 'credentials'),
  };
}
