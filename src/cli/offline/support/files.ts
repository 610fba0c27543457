import { readdirSync, statfsSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Config } from '../../../config/schema.ts';
import type { StateFiles } from '../state-files.ts';

const SIDES = ['', '-wal', '-shm'] as const;

/** The files of the state folder, by tilld's own names, and the free disk space. No file is opened. */
export function aboutFiles(files: StateFiles, config: Config | null) {
  const { bavail, bsize, blocks, ffree } = statfsSync(files.folder);
  const own = [
    ...[files.database, files.mirror].flatMap((path) => SIDES.map((side) => path + side)),
    ...[files.epoch, files.anchors, files.holder, files.socket, files.reserve, files.lastBackup],
  ];
  const names = readdirSync(files.folder);
  return {
    folder: factsOf(files.folder),
    files: own.map((path) => ({ name: basename(path), ...factsOf(path) })),
    damaged: names.filter((name) => name.startsWith('money.db.damaged-')).length,
    replaced: names.filter((name) => name.startsWith('money.db.replaced-')).length,
    credentials: credentialsOf(files, config),
    disk: { free_bytes: bavail * bsize, bytes: blocks * bsize, free_files: ffree },
  };
}

/** Which of the named credentials exist; never their size, which hints at their content. */
function credentialsOf({ credentials }: StateFiles, config: Config | null) {
  const { credential, webhook_credential: hooks } = config?.service ?? {};
  const roles = [
    ['service key', credential],
    ['webhook secret', hooks],
    ['sealing key', 'seal.key'],
  ] as const;
  return roles.map(([role, name]) => {
    const facts =
      name === undefined ? undefined : statSync(join(credentials, name), { throwIfNoEntry: false });
    return { role, there: facts !== undefined, mode: facts ? modeOf(facts.mode) : null };
  });
}

function factsOf(path: string) {
  const facts = statSync(path, { throwIfNoEntry: false });
  if (!facts) return { there: false };
  const changed = new Date(facts.mtimeMs).toISOString();
  return {
    there: true,
    bytes: facts.size,
    mode: modeOf(facts.mode),
    uid: facts.uid,
    gid: facts.gid,
    changed,
  };
}

function modeOf(mode: number): string {
  return (mode & 0o7777).toString(8);
}
