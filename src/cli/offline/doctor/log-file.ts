import { type Stats, statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type CheckResult, fail, ok, warn } from './check-result.ts';
import type { DiagnosticContext } from './diagnostic-context.ts';

const ID = 'log-file';
const MEBIBYTE = 1_048_576;
const WRITE = 0o2;

/** Whether tilld's user (the owner of the state folder) can write the configured log, and whether it has disk space. */
export function checkLogFile({
  configuration: { config },
  files,
  io,
}: Pick<DiagnosticContext, 'configuration' | 'files' | 'io'>): readonly CheckResult[] {
  if (!config?.log.file) return [];
  const path = resolve(io.cwd, config.log.file.path);
  const folder = statSync(dirname(path), { throwIfNoEntry: false });
  const user = statSync(files.folder);
  if (!folder?.isDirectory() || !mayWrite(folder, user)) return [closedFinding(path, folder, user)];
  const file = statSync(path, { throwIfNoEntry: false });
  if (file && (!file.isFile() || !mayWrite(file, user))) return [oddFinding(path, file, user)];
  return [lookedAt(path, config.log.file)];
}

function closedFinding(path: string, folder: Stats | undefined, user: Stats): CheckResult {
  const where = dirname(path);
  return fail(ID, {
    what: folder?.isDirectory()
      ? `the user of tilld (${user.uid}) cannot write the folder of the log, ${where}`
      : `there is no folder ${where} for the log`,
    why: 'tilld does not start; one that runs writes its log to standard error',
    fix: `install -d -o ${user.uid} -g ${user.gid} -m 750 ${where}`,
  });
}

function oddFinding(path: string, file: Stats, user: Stats): CheckResult {
  return fail(ID, {
    what: file.isFile()
      ? `the user of tilld (${user.uid}) cannot write the log, ${path}`
      : `${path} is no ordinary file`,
    why: 'tilld does not start; one that runs writes its log to standard error',
    fix: file.isFile() ? `chown ${user.uid}:${user.gid} ${path}` : `mv ${path} ${path}.kept`,
  });
}

function lookedAt(
  path: string,
  { keep, max_bytes: maxBytes }: { keep: number; max_bytes: number },
): CheckResult {
  const { bavail, bsize } = statfsSync(dirname(path));
  const names = [path, ...Array.from({ length: keep }, (_, age) => `${path}.${age + 1}`)];
  const have = names.reduce((sum, name) => sum + (statSync(name, { throwIfNoEntry: false })?.size ?? 0), 0);
  return roomFinding(path, have, (keep + 1) * maxBytes, bavail * bsize);
}

/**
 * @param have bytes of the log and its rotated files
 * @param most bytes that they may reach
 * @param free bytes that tilld may use
 */
export function roomFinding(path: string, have: number, most: number, free: number): CheckResult {
  const what = `the log in ${path} has ${Math.ceil(have / MEBIBYTE)} of at most ${Math.ceil(most / MEBIBYTE)} MiB`;
  if (most - have <= free) return ok(ID, what);
  return warn(ID, {
    what: `${what}, and ${Math.floor(free / MEBIBYTE)} MiB are free`,
    why: 'a full disk stops the sales, and the log would help to fill it',
    fix: 'set a smaller "log.file.max_bytes" or "log.file.keep", then: tillctl config check && systemctl restart tilld',
  });
}

function mayWrite({ mode, uid, gid }: Stats, user: Stats): boolean {
  if (user.uid === 0) return true;
  if (uid === user.uid) return (mode & (WRITE << 6)) !== 0;
  return (mode & (gid === user.gid ? WRITE << 3 : WRITE)) !== 0;
}
