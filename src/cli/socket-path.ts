import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { AppError } from '../base/errors.ts';
import type { GlobalOptions, Io } from './io.ts';

/** Maximum length of a socket path on this operating system, in bytes. */
const LONGEST_PATH = 107;

/**
 * The daemon's socket: `--socket`, `TILLD_SOCKET`, `./.tilld/tilld.sock`, `/run/tilld/tilld.sock`.
 * @throws NO_DAEMON when none of the usual paths exists; USAGE when the path cannot be a socket's.
 */
export function socketPath(options: GlobalOptions, io: Pick<Io, 'env' | 'cwd'>): string {
  const named = options.socket ?? (io.env['TILLD_SOCKET'] || undefined);
  if (named !== undefined) return fitting(resolve(io.cwd, named));
  const usual = [resolve(io.cwd, '.tilld/tilld.sock'), '/run/tilld/tilld.sock'];
  const found = usual.find((path) => existsSync(path));
  if (found !== undefined) return fitting(found);
  throw new AppError(
    'NO_DAEMON',
    `tilld is not running here: there is no ${usual.join(' and no ')}. Start it, or say --socket PATH.`,
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
