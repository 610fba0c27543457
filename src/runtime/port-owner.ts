import { readFileSync } from 'node:fs';

/** The kernel's state of a listening socket, and the columns of its table (proc(5), net/tcp). */
const LISTEN = '0A';
const [LOCAL, STATE, UID] = [1, 3, 7];

/** The id of the user whose program listens on this TCP port of this machine; null: none does, or the system does not say. */
export function portOwner(port: number, net = '/proc/self/net'): number | null {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const rows = ['tcp', 'tcp6']
    .flatMap((table) => linesOf(`${net}/${table}`))
    .map((line) => line.split(/\s+/));
  const uid = rows.find((row) => row[STATE] === LISTEN && row[LOCAL]?.endsWith(`:${hex}`))?.[UID];
  return uid === undefined ? null : Number(uid);
}

function linesOf(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .map((line) => line.trim());
  } catch {
    return [];
  }
}
