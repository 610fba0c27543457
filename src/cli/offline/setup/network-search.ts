import { connect } from 'node:net';
import { terminalDrivers } from '../../../../drivers/index.ts';

/** Something in the network that has the port of a protocol open; whether it is a terminal shows when it is met. */
export interface FoundAddress {
  readonly host: string;
  readonly port: number;
  readonly driver: string;
}

/** A neighbour on the same wire answers within a few ms; one on weak wifi within this. */
const ANSWER_MS = 400;
const AT_ONCE = 64;

/** The ports on which terminals of each protocol listen. */
export const TERMINAL_PORTS: readonly { readonly driver: string; readonly port: number }[] =
  terminalDrivers.flatMap(({ id, defaults: { tcpPort } }) =>
    tcpPort === undefined ? [] : [{ driver: id, port: tcpPort }],
  );

/** Opens a connection to each of them and closes it; sends nothing. In the order of the hosts. */
export async function terminalsAt(
  hosts: readonly string[],
  ports = TERMINAL_PORTS,
): Promise<readonly FoundAddress[]> {
  const places = hosts.flatMap((host) => ports.map((port) => ({ host, ...port })));
  const open = new Set<FoundAddress>();
  const waiting = places.values();
  const search = async () => {
    for (const place of waiting) if (await isOpen(place)) open.add(place);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, search));
  return places.filter((place) => open.has(place));
}

function isOpen({ host, port }: FoundAddress): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(ANSWER_MS, () => end(false));
    socket.once('connect', () => end(true)).once('error', () => end(false));
  });
}
