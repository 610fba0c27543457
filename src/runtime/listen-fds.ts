const FIRST_FD = 3;
/** A unit of tilld has two; more than this is no list of sockets. */
const MOST = 16;

/**
 * Descriptors of the sockets that the service manager opened for this process and listens on while it is down; empty: none.
 * @see sd_listen_fds(3)
 */
export function listenFds(env: Readonly<Record<string, string | undefined>>, pid: number): readonly number[] {
  if (env['LISTEN_PID'] !== String(pid)) return [];
  const count = Number(env['LISTEN_FDS']);
  if (!Number.isSafeInteger(count) || count < 1 || count > MOST) return [];
  return Array.from({ length: count }, (_, index) => FIRST_FD + index);
}
