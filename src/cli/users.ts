import { readFileSync } from 'node:fs';

const PASSWD = '/etc/passwd';
const GROUP = '/etc/group';

/** The name of a user of this machine, or "user 1234". */
export function userOf(uid: number, passwd = PASSWD): string {
  return rowsOf(passwd).find(([, , id]) => id === String(uid))?.[0] ?? `user ${uid}`;
}

/** The name of a group of this machine, or "group 1234". */
export function groupOf(gid: number, group = GROUP): string {
  return rowsOf(group).find(([, , id]) => id === String(gid))?.[0] ?? `group ${gid}`;
}

/** The id of a user of this machine; null: there is none of this name. */
export function userNamed(name: string, passwd = PASSWD): number | null {
  const id = rowsOf(passwd).find(([found]) => found === name)?.[2];
  return id === undefined ? null : Number(id);
}

/** The columns of passwd(5) or group(5); none where the file cannot be read. */
function rowsOf(file: string): readonly (readonly string[])[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.split(':'));
  } catch {
    return [];
  }
}
