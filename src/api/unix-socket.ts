import { chmod, lstat, unlink } from 'node:fs/promises';
import { connect } from 'node:net';
import { AppError, messageOf } from '../base/errors.ts';

/** Linux's `sun_path` holds 108 bytes, the terminating zero included. */
const MAX_PATH_BYTES = 107;
const ASK_MS = 1_000;

/**
 * Frees the path for a new listener: removes the socket file of a dead daemon.
 * @throws SOCKET_PATH_TOO_LONG over 107 bytes.
 * @throws SOCKET_IN_USE when a process answers there; SOCKET_PATH_TAKEN when it is not a socket.
 */
export async function claimSocketPath(path: string): Promise<void> {
  const size = Buffer.byteLength(path);
  if (size > MAX_PATH_BYTES) {
    throw new AppError(
      'SOCKET_PATH_TOO_LONG',
      `The socket path has ${size} bytes, the system takes ${MAX_PATH_BYTES}: use a shorter state folder`,
    );
  }
  const found = await lstat(path).catch(() => undefined);
  if (!found) return;
  if (!found.isSocket())
    throw new AppError('SOCKET_PATH_TAKEN', `${path} is there and is not a socket: move it away`);
  if (await isAnswered(path))
    throw new AppError('SOCKET_IN_USE', `Another daemon answers at ${path}: stop it first`);
  await unlink(path).catch((cause) => {
    throw new AppError('SOCKET_PATH_TAKEN', `${path} cannot be removed: ${messageOf(cause)}`, { cause });
  });
}

/** Only owner and group may connect. */
export async function restrictSocket(path: string): Promise<void> {
  await chmod(path, 0o660);
}

/** Only a refused connection proves that no process listens; any other error counts as an answer. */
function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path);
    const settle = (answered: boolean) => {
      probe.destroy();
      resolve(answered);
    };
    probe.setTimeout(ASK_MS, () => settle(true));
    probe.once('connect', () => settle(true));
    probe.once('error', (error: NodeJS.ErrnoException) =>
      settle(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT'),
    );
  });
}
