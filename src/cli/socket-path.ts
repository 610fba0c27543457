import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { AppError } from '../base/errors.ts';
import type { GlobalOptions, Io } from './io.ts';
import { userNamed, userOf } from './users.ts';

/** Maximum length of a socket path on this operating system, in bytes. */
const LONGEST_PATH = 107;

/** The user of the installed service. */
const SERVICE_USER = 'tilld';

/**
 * The daemon's socket: `--socket`, `TILLD_SOCKET`, `./.tilld/tilld.sock`, `/run/tilld/tilld.sock`, `/var/lib/tilld/tilld.sock`. One that was not named
 * must belong to root, to the user of the service, or to this user: any other program could answer "paid" there.
 * @throws NO_DAEMON when none of the usual paths exists; SOCKET_FOREIGN; USAGE when the path cannot be a socket's.
 */
export function socketPath(options: GlobalOptions, io: Pick<Io, 'env' | 'cwd'>): string {
  const named = options.socket ?? (io.env['TILLD_SOCKET'] || undefined);
  if (named !== undefined) return fitting(resolve(io.cwd, named));
  const usual = [resolve(io.cwd, '.tilld/tilld.sock'), '/run/tilld/tilld.sock', '/var/lib/tilld/tilld.sock'];
  for (const path of usual) {
    const owner = ownerOf(path);
    if (owner !== null) return fitting(ofTrusted(path, owner));
  }
  throw new AppError(
    'NO_DAEMON',
    `tilld is not running here: there is no ${usual.slice(0, 2).join(' and no ')}. Start it, or use --socket PATH.`,
  );
}

/** Null: there is no such file, or this user may not see it. */
function ownerOf(path: string): number | null {
  try {
    return statSync(path).uid;
  } catch {
    return null;
  }
}

/** @throws SOCKET_FOREIGN */
function ofTrusted(path: string, owner: number): string {
  if (owner === 0 || owner === process.getuid?.() || owner === userNamed(SERVICE_USER)) return path;
  throw new AppError(
    'SOCKET_FOREIGN',
    `${path} belongs to ${userOf(owner)}, not to tilld or to you: nothing was sent to it. If that tilld is meant, use --socket ${path}.`,
  );
}

function fitting(path: string): string {
  const bytes = Buffer.byteLength(path);
  if (bytes <= LONGEST_PATH && !path.includes('\0')) return path;
  throw new AppError(
    'USAGE',
    `the socket path has ${bytes} bytes, the system allows ${LONGEST_PATH}: ${path}`,
  );
}
