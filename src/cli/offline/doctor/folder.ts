import { accessSync, constants, existsSync, readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { planPath } from '../../../store/restore/restore-plan.ts';
import { userOf } from '../../users.ts';
import { isUnfinished } from '../state-files.ts';
import { type CheckResult, fail, ok, warn } from './check-result.ts';
import type { DiagnosticContext } from './diagnostic-context.ts';

const OTHERS_READ = 0o004;
const OTHERS_ANY = 0o007;

/** Whether there is a state folder; without one no other check is possible. */
export function checkStateFolder({ files }: Pick<DiagnosticContext, 'files'>): CheckResult {
  const id = 'state-folder';
  const { folder } = files;
  const missing = {
    what: `there is no state folder ${folder}`,
    why: 'either tilld was never started here, or it keeps its books somewhere else',
    fix: 'name the folder: tillctl doctor --state-dir DIR',
  };
  if (!existsSync(folder)) return fail(id, missing);
  if (!statSync(folder).isDirectory()) return fail(id, { ...missing, what: `${folder} is not a folder` });
  try {
    accessSync(folder, constants.R_OK | constants.X_OK);
    return ok(id, `the state folder is ${folder}`);
  } catch {
    return fail(id, {
      what: `you may not look into ${folder}`,
      why: 'nothing in it can be examined',
      fix: 'ask as the user that owns it: sudo tillctl doctor',
    });
  }
}

/** Database and secrets belong to one user, and no other user can read them. */
export function checkPermissions({ files }: Pick<DiagnosticContext, 'files'>): readonly CheckResult[] {
  const id = 'permissions';
  const folder = statSync(files.folder);
  const all = [
    files.folder,
    files.credentials,
    ...contentsOf(files.credentials),
    ...contentsOf(files.folder),
  ];
  const known = [...new Set(all)].flatMap((path) => entryOf(path));
  const open = known.filter(({ path, facts }) => isOpen(path, facts, files.folder, folder));
  const strange = known.filter(({ facts }) => facts.uid !== folder.uid);
  const findings = [
    ...open.map(({ path, facts }) => openFinding(id, path, facts.isDirectory())),
    ...strange.map(({ path, facts }) =>
      warn(id, {
        what: `${path} belongs to user ${facts.uid}, the state folder to user ${folder.uid}`,
        why: 'tilld may not be able to write it, and then it does not start',
        fix: `chown ${folder.uid}:${folder.gid} ${path}`,
      }),
    ),
  ];
  return findings.length > 0 ? findings : [ok(id, 'books and secrets are closed to other users')];
}

/** An open folder reveals names, an open file its content. */
function openFinding(id: string, path: string, isFolder: boolean): CheckResult {
  const trouble = {
    what: `every user of this machine can read ${path}`,
    why: isFolder
      ? 'it shows the names of what is kept there'
      : 'it holds the books of the shop, or a secret',
    fix: `chmod o-rwx ${path}`,
  };
  return isFolder ? warn(id, trouble) : fail(id, trouble);
}

interface Entry {
  readonly path: string;
  readonly facts: Stats;
}

/** Other users can read a file only if they can enter every folder above it; the state folder is the one that counts here. */
function isOpen(path: string, facts: Stats, folderPath: string, folder: Stats): boolean {
  if (facts.isSocket() || path === folderPath) return false;
  const isSecret = path.includes('/credentials');
  const wrong = facts.mode & (facts.isDirectory() ? OTHERS_ANY : OTHERS_READ);
  return wrong !== 0 && (isSecret || (folder.mode & 0o001) !== 0) && !HARMLESS.test(path);
}

/** Files that say nothing about the shop, such as the lock of the folder. */
const HARMLESS = /\/tilld\.pid$|\/sandbox$/;

function contentsOf(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}

function entryOf(path: string): Entry[] {
  const facts = statSync(path, { throwIfNoEntry: false });
  return facts ? [{ path, facts }] : [];
}

/** The process that holds the folder. */
export function checkHolder(context: Pick<DiagnosticContext, 'files' | 'holder' | 'machine'>): CheckResult {
  const { files, holder } = context;
  const id = 'holder';
  const found = holder();
  switch (found.kind) {
    case 'none':
      return ok(id, 'no tilld is running with this folder');
    case 'alive':
      return runningFinding(found.pid, context);
    case 'gone':
      return warn(id, {
        what: `${files.holder} names process ${found.pid}, which is gone: tilld was killed, or the power failed`,
        why: 'a payment may have been cut short; the next start finds out before anything is sold',
        fix: 'start tilld: systemctl start tilld (or npm start)',
      });
    case 'unreadable':
      return warn(id, {
        what: `${files.holder} does not name a process`,
        why: 'it does not show whether tilld is running; the next start takes the folder',
        fix: 'start tilld: systemctl start tilld (or npm start)',
      });
  }
}

/** A daemon that a person started by hand as another user leaves files that the right user cannot write. */
function runningFinding(
  pid: number,
  { files, machine }: Pick<DiagnosticContext, 'files' | 'machine'>,
): CheckResult {
  const owner = statSync(files.folder).uid;
  const runner = statSync(join(machine.proc, String(pid)), { throwIfNoEntry: false })?.uid;
  if (runner === undefined || runner === owner)
    return ok('holder', `tilld is running with this folder, as process ${pid}`);
  return warn('holder', {
    what: `tilld is running as user ${userOf(runner, join(machine.etc, 'passwd'))} (process ${pid}), and the folder belongs to ${userOf(owner, join(machine.etc, 'passwd'))}`,
    why: 'what it makes there the right user cannot write: the next start as that user fails',
    fix: `while no payment runs: kill ${pid}, chown -R ${owner} ${files.folder}, then: systemctl start tilld`,
  });
}

/** Whether the owner of the database can write it: a disk that became read-only, a file of another user. */
export function checkWritableState({
  options,
  files,
  hasDatabase,
}: DiagnosticContext): readonly CheckResult[] {
  if (options.offline) return [];
  const id = 'writable';
  const paths = hasDatabase ? [files.folder, files.database] : [files.folder];
  const closed = paths.flatMap((path) => writeProblem(path));
  if (closed.length === 0) return [ok(id, `${paths.join(' and ')} can be written`)];
  return closed.map(({ path, code }) =>
    fail(id, {
      what: code === 'EROFS' ? `the disk of ${path} is mounted read-only` : `you may not write ${path}`,
      why: 'nothing is sold that cannot be written down',
      fix:
        code === 'EROFS'
          ? `dmesg | tail says why; then: mount -o remount,rw $(findmnt -no TARGET -T ${path})`
          : `ask as the user that runs tilld: sudo -u tilld tillctl doctor; if it is that one: chown tilld: ${path}`,
    }),
  );
}

function writeProblem(path: string): readonly { readonly path: string; readonly code: string }[] {
  try {
    accessSync(path, constants.W_OK);
    return [];
  } catch (error) {
    return [{ path, code: error instanceof Error && 'code' in error ? String(error.code) : '' }];
  }
}

/** Files that restores, damage and interrupted commands left behind. */
export function checkLeftovers({ files }: Pick<DiagnosticContext, 'files'>): readonly CheckResult[] {
  const id = 'leftovers';
  if (isUnfinished(files)) return [unfinishedFinding(id, planPath(files.database))];
  const names = contentsOf(files.folder).filter((path) => !/-(wal|shm)$/.test(path));
  const kept = names.filter((path) =>
    /\/(money\.db\.(replaced|damaged)|(archive|mirror)\.db\.damaged)-/.test(path),
  );
  const drafts = names.filter((path) => /\/(money|archive)\.db\.restoring-/.test(path));
  const interrupted = drafts.map((path) =>
    warn(id, {
      what: `${path} is left over from a restore that was interrupted before it changed anything`,
      why: 'it takes space; the books are those from before the restore',
      fix: `tillctl restore FILE, if they are to be replaced; the next start of tilld removes the file (or: rm ${path})`,
    }),
  );
  const words =
    kept.length === 0 ? 'nothing is left over' : `kept until a person removes them: ${kept.join(', ')}`;
  return [...interrupted, ok(id, words)];
}

/** The books may be in no place now, and other checks of them would say so in vain. */
function unfinishedFinding(id: string, plan: string): CheckResult {
  return fail(id, {
    what: `a restore was interrupted, and is finished by the next start (${plan})`,
    why: 'until then the files of the books are not all in their places; none is lost',
    fix: 'systemctl start tilld (or npm start); without starting it: tillctl backup FILE finishes the restore first, too',
  });
}
