import { createServer, type Socket } from 'node:net';
import type { NetworkInterfaceInfo } from 'node:os';
import { describe, expect, it, onTestFinished } from 'vitest';
import { TERMINAL_PORTS, terminalsAt } from '../../../src/cli/offline/setup/network-search.ts';
import { neighbours } from '../../../src/net/neighbours.ts';

function anInterface(cidr: string, changes: Partial<NetworkInterfaceInfo> = {}): NetworkInterfaceInfo {
  const address = cidr.split('/')[0] ?? '';
  return {
    address,
    netmask: '',
    family: 'IPv4',
    mac: '',
    internal: false,
    cidr,
    ...changes,
  } as NetworkInterfaceInfo;
}

/** Something that listens; `heard` is what it was sent. */
async function aListener(host: string, port = 0): Promise<{ port: number; heard: Buffer[]; met: Socket[] }> {
  const [heard, met]: [Buffer[], Socket[]] = [[], []];
  const server = createServer((socket) => {
    met.push(socket);
    socket.on('error', () => undefined).on('data', (data) => heard.push(data));
  });
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return { port: typeof address === 'object' && address ? address.port : 0, heard, met };
}

describe('the search for terminals in the network', () => {
  it('knows the ports of every protocol that has one', () => {
    expect(TERMINAL_PORTS).toEqual([
      { driver: 'zvt', port: 20_007 },
      { driver: 'concert', port: 8888 },
      { driver: 'ecr17', port: 10_000 },
    ]);
  });

  it('looks at the private networks of this machine, each address once, and no further than 254 addresses', () => {
    const eth0 = [anInterface('192.168.1.17/24'), anInterface('fd00::7/64', { family: 'IPv6' })];
    const around = neighbours({ eth0, wlan0: [anInterface('192.168.1.18/24')] });
    expect([around.length, around[0], around.at(-1)]).toEqual([254, '192.168.1.1', '192.168.1.254']);
    const wide = neighbours({ eth0: [anInterface('10.20.30.40/8')] });
    expect([wide.length, wide[0], wide.at(-1)]).toEqual([254, '10.20.30.1', '10.20.30.254']);
    expect(neighbours({ eth0: [anInterface('172.16.0.9/30')] })).toEqual(['172.16.0.9', '172.16.0.10']);
    expect(neighbours({ eth0: [anInterface('172.16.0.9/32')] })).toEqual(['172.16.0.9']);
  });

  it('never looks at addresses of the internet, nor at this machine itself', () => {
    expect(neighbours({ eth0: [anInterface('203.0.113.5/24'), anInterface('100.64.0.2/10')] })).toEqual([]);
    expect(neighbours({ lo: [anInterface('127.0.0.1/8', { internal: true })] })).toEqual([]);
  });

  it('finds what listens, sends nothing to it, and hangs up', async () => {
    const one = await aListener('127.0.0.2');
    const two = await aListener('127.0.0.4', one.port);
    const hosts = ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4'];
    const found = await terminalsAt(hosts, [{ driver: 'zvt', port: one.port }]);
    expect(found).toEqual([
      { host: '127.0.0.2', port: one.port, driver: 'zvt' },
      { host: '127.0.0.4', port: one.port, driver: 'zvt' },
    ]);
    await expect
      .poll(() => [...one.met, ...two.met].map(({ readyState }) => readyState))
      .toEqual(['closed', 'closed']);
    expect([...one.heard, ...two.heard]).toEqual([]);
  });
});
