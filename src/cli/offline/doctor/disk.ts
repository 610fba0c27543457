import { statfsSync, statSync } from 'node:fs';
import { ReserveFile } from '../../../store/disk/reserve-file.ts';
import { type CheckResult, fail, ok, warn } from './check-result.ts';
import type { DiagnosticContext } from './diagnostic-context.ts';

const MEBIBYTE = 1_048_576;
/** Below the first no sale should start, below the second a person should check. */
const SPACE = { least: 64 * MEBIBYTE, comfortable: 512 * MEBIBYTE } as const;
const INODES = { least: 64, comfortable: 1000 } as const;
/** A checkpoint runs when the log's space is used up, every hour and at 16 MiB; a log of this size has had none for long. */
const LARGEST_LOG = 64 * MEBIBYTE;

/** Disk space for the outcomes of future payments. */
export function checkDiskSpace({ files }: Pick<DiagnosticContext, 'files'>): readonly CheckResult[] {
  const { bavail, bsize, ffree, files: inodes } = statfsSync(files.folder);
  return [
    spaceFinding(files.folder, bavail * bsize),
    inodeFinding(files.folder, inodes === 0 ? null : ffree),
  ];
}

/** @param free bytes that tilld may use */
export function spaceFinding(folder: string, free: number): CheckResult {
  const what = `${Math.floor(free / MEBIBYTE)} MiB are free for ${folder}`;
  const trouble = {
    what,
    why: 'an outcome that cannot be stored cannot be acknowledged: tilld stops selling when the disk is full',
    fix: `make room: du -xh / | sort -h | tail -20`,
  };
  if (free < SPACE.least) return fail('disk-space', trouble);
  return free < SPACE.comfortable ? warn('disk-space', trouble) : ok('disk-space', what);
}

/** @param free how many more files are possible; null where the file system does not count them */
export function inodeFinding(folder: string, free: number | null): CheckResult {
  if (free === null) return ok('disk-inodes', `the file system of ${folder} does not count its files`);
  const what = `${free} more files fit beside ${folder}`;
  const trouble = {
    what,
    why: 'without one the database cannot make its log, and tilld does not start',
    fix: 'remove what is not needed: find / -xdev -type f | cut -d/ -f2-3 | sort | uniq -c | sort -n | tail',
  };
  if (free < INODES.least) return fail('disk-inodes', trouble);
  return free < INODES.comfortable ? warn('disk-inodes', trouble) : ok('disk-inodes', what);
}

type Kind = readonly [level: 'fail' | 'warn', name: string, why: string];
const FORGETS = 'it is gone with the power: every restart would lose the books';
const REMOTE = 'its locks and its syncs depend on another machine; SQLite needs a local disk';
const WEAK = 'it keeps no journal of its own and may lose what was synced';

/** File systems without the guarantees that SQLite needs, by their number (statfs(2), `f_type`). */
const UNSUITABLE: ReadonlyMap<number, Kind> = new Map([
  [0x01021994, ['fail', 'tmpfs', FORGETS]],
  [0x858458f6, ['fail', 'ramfs', FORGETS]],
  [0x6969, ['fail', 'NFS', REMOTE]],
  [0xff534d42, ['fail', 'CIFS', REMOTE]],
  [0xfe534d42, ['fail', 'SMB2', REMOTE]],
  [0x517b, ['fail', 'SMB', REMOTE]],
  [0x4d44, ['warn', 'FAT', WEAK]],
  [0x2011bab0, ['warn', 'exFAT', WEAK]],
  [0x65735546, ['warn', 'FUSE', 'whether it keeps what was synced depends on the program behind it']],
  [0x794c7630, ['warn', 'overlayfs', 'a layer of a container goes with the container: mount a volume']],
]);

/** Whether the file system is durable. */
export function checkFileSystem({ files }: Pick<DiagnosticContext, 'files'>): CheckResult {
  return fileSystemFinding(files.folder, statfsSync(files.folder).type);
}

/** @param type as statfs(2) gives it, in 32 bits */
export function fileSystemFinding(folder: string, type: number): CheckResult {
  const kind = UNSUITABLE.get(type >>> 0);
  if (!kind) return ok('file-system', `the file system of ${folder} is a local one`);
  const [level, name, why] = kind;
  const trouble = {
    what: `${folder} is on ${name}`,
    why,
    fix: 'use a folder on a local disk: tilld --state-dir DIR',
  };
  return level === 'fail' ? fail('file-system', trouble) : warn('file-system', trouble);
}

/** The reserve file, which is deleted when the disk is full. */
export function checkReserveFile({
  files,
  holder,
}: Pick<DiagnosticContext, 'files' | 'holder'>): CheckResult {
  const id = 'ballast';
  const { missing } = new ReserveFile(files.reserve);
  if (missing === 0) return ok(id, 'the reserve is whole: an outcome finds room when the disk is full');
  if (holder().kind !== 'alive') return ok(id, 'the reserve is made at the next start');
  return fail(id, {
    what: `${files.reserve} lacks ${Math.ceil(missing / 1024)} KiB: it was given up because the disk is full`,
    why: 'tilld takes no payment until it is whole again',
    fix: `make room: du -xh / | sort -h | tail -20 (tilld then sells on by itself)`,
  });
}

/** A growing log means that no checkpoint can fold it into the database. */
export function checkLogSize({ files }: Pick<DiagnosticContext, 'files'>): CheckResult {
  const bytes = statSync(`${files.database}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const what = `the write-ahead log has ${Math.ceil(bytes / MEBIBYTE)} MiB`;
  if (bytes <= LARGEST_LOG) return ok('log-size', what);
  return warn('log-size', {
    what,
    why: 'it is folded into the database while no payment runs; a program keeps reading, or payments never pause',
    fix: 'end programs that hold money.db open (fuser money.db), or restart tilld while no payment runs',
  });
}
