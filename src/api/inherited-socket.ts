import { readFileSync, readlinkSync } from 'node:fs';
import { AppError } from '../base/errors.ts';

/** What kind of socket an inherited descriptor is. @throws LISTEN_FAILED for anything but a TCP or unix socket */
export function kindOfSocket(fd: number): 'tcp' | 'socket' {
  const inode = /^socket:\[(\d+)\]$/.exec(linkOf(fd))?.[1];
  if (inode !== undefined) {
    if (isListed('/proc/self/net/unix', inode)) return 'socket';
    if (isListed('/proc/self/net/tcp', inode) || isListed('/proc/self/net/tcp6', inode)) return 'tcp';
  }
  throw new AppError(
    'LISTEN_FAILED',
    `The service manager handed over descriptor ${fd}, which is no TCP or unix socket: tilld.socket takes ListenStream= lines alone`,
  );
}

function linkOf(fd: number): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return '';
  }
}

/** The kernel's tables of sockets: one line each, the inode is one of its columns. */
function isListed(table: string, inode: string): boolean {
  try {
    return readFileSync(table, 'utf8')
      .split('\n')
      .some((line) => line.trim().split(/\s+/).includes(inode));
  } catch {
    return false;
  }
}
