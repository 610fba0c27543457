import { closeSync, fsyncSync, mkdirSync, openSync, rmSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { AppError, messageOf } from '../base/errors.ts';
import { ownerLine, ownerOf } from './pid-file.ts';

/** The files of one installation; see the README of this folder. */
export interface StateFolder {
  readonly path: string;
  readonly moneyDatabase: string;
  /** The archived timelines of old payments; the file may not exist. */
  readonly archiveDatabase: string;
  /** Data that can be read again from its sources. */
  readonly mirrorDatabase: string;
  readonly epoch: string;
  readonly journalAnchors: string;
  /** The marker file: pages of the money database still need an integrity scan after an unclean shutdown. */
  readonly unreadPages: string;
  readonly socket: string;
  readonly credentials: string;
  readonly sandbox: string;
  /** The last daemon in this folder was killed, or the power failed. */
  readonly cutShort?: boolean;
  /** Lets another daemon use the folder. */
  release(): void;
}

/**
 * Locks a state folder for this process, and creates it when it is missing (mode 0700: it holds secrets).
 * @throws STATE_FOLDER_UNUSABLE when it cannot be made or written; STATE_FOLDER_READ_ONLY; STORAGE_FULL; STATE_FOLDER_HELD when another running
 * daemon holds it: the message says which.
 */
export function holdStateFolder(folder: string): StateFolder {
  const path = resolve(folder);
  const holder = join(path, 'tilld.pid');
  let cutShort: boolean;
  try {
    makeDurably(join(path, 'credentials'));
    cutShort = takeHolderFile(holder, path);
  } catch (error) {
    throw error instanceof AppError ? error : unusable(error, path);
  }
  return {
    path,
    moneyDatabase: join(path, 'money.db'),
    archiveDatabase: join(path, 'archive.db'),
    mirrorDatabase: join(path, 'mirror.db'),
    epoch: join(path, 'epoch'),
    journalAnchors: join(path, 'journal-anchors'),
    unreadPages: join(path, 'unread-pages'),
    socket: join(path, 'tilld.sock'),
    credentials: join(path, 'credentials'),
    sandbox: join(path, 'sandbox'),
    cutShort,
    release: () => rmSync(holder, { force: true }),
  };
}

/** Makes a folder and those above it; their names survive a power cut, and with them everything that is written there later. */
function makeDurably(path: string): void {
  const first = mkdirSync(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) syncNames(dirname(made));
}

function syncNames(folder: string): void {
  const file = openSync(folder, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** @returns whether a stale holder file was found: the daemon that wrote it did not stop cleanly. */
function takeHolderFile(holder: string, path: string): boolean {
  const me = ownerLine(process.pid);
  let cutShort = false;
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      writeHolder(holder, me);
      return cutShort;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
      const found = ownerOf(holder);
      if (found.kind === 'alive') throw held(path, found.pid);
      unlinkSync(holder);
      cutShort = true;
    }
  }
  throw held(path, null);
}

function writeHolder(holder: string, me: string): void {
  const file = openSync(holder, 'wx', 0o644);
  try {
    writeSync(file, me);
  } finally {
    closeSync(file);
  }
}

function unusable(error: unknown, path: string): AppError {
  switch (codeOf(error)) {
    case 'EROFS':
      return new AppError(
        'STATE_FOLDER_READ_ONLY',
        `${path} cannot be written: its file system is mounted read-only. No payment can be taken, and none was started.`,
        { cause: error },
      );
    case 'ENOSPC':
    case 'EDQUOT':
      return new AppError('STORAGE_FULL', `the disk of ${path} is full`, { retry: 'safe', cause: error });
    default:
      return new AppError(
        'STATE_FOLDER_UNUSABLE',
        `${path} cannot be used as a state folder: ${messageOf(error)}`,
        {
          cause: error,
          context: { isFolder: statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false },
        },
      );
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function held(path: string, pid: number | null): AppError {
  const who = pid === null ? 'another tilld that starts right now' : `tilld with process id ${pid}`;
  return new AppError(
    'STATE_FOLDER_HELD',
    `${path} is held by ${who}: stop it first. No payment was started by this one`,
  );
}
