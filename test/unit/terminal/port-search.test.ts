import { describe, expect, it } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import type { PortFacts, PreferredPort, UsbFacts } from '../../../src/terminal/port-facts.ts';
import { PreferredPortSearch } from '../../../src/terminal/port-search.ts';

const USB: UsbFacts = { vendorId: '0b00', productId: '3070', serial: null, name: 'Terminal' };
const AUTO: PreferredPort = {
  kind: 'auto',
  fingerprints: [{ vendorId: '0b00', productId: '3070', note: 'Terminal' }],
};
const ACM0: PreferredPort = { kind: 'path', path: '/dev/ttyACM0' };

function port(number: number, changes: Partial<PortFacts> = {}): PortFacts {
  const path = `/dev/ttyACM${number}`;
  return { path, names: [path], usb: USB, socket: `1-${number}:1.0`, openedBy: null, ...changes };
}

/** A search over ports that the test changes. */
function searchOver(preferred: PreferredPort, ports: PortFacts[]) {
  return new PreferredPortSearch({
    preferred,
    list: async () => ports,
    open: () => () => Promise.reject(new Error('not opened in this test')),
    watch: () => () => undefined,
    log: silentLog,
  });
}

async function paths(search: PreferredPortSearch, isRecognised: boolean): Promise<readonly string[]> {
  return (await search.ways(isRecognised)).map(({ where }) => where);
}

describe('the search for a port', () => {
  it('does not choose between two ports for a terminal that it never met', async () => {
    const ports = [port(0), port(1)];
    const search = searchOver(AUTO, ports);
    await expect(search.ways(false)).rejects.toMatchObject({ code: 'LINK_REFUSED', retry: 'safe' });
    await expect(search.ways(false)).rejects.toThrow('never met before');
    expect(await paths(search, true)).toEqual(['/dev/ttyACM0', '/dev/ttyACM1']);
    ports.pop();
    expect(await paths(search, false)).toEqual(['/dev/ttyACM0']);
  });

  it('takes several ports of one USB device for one', async () => {
    const search = searchOver(AUTO, [port(0, { socket: '1-1:1.0' }), port(1, { socket: '1-1:1.2' })]);
    expect(await paths(search, false)).toHaveLength(2);
  });

  it('keeps a terminal that does not say who it is to its serial number or its socket, once it was proved', async () => {
    const ports = [port(0)];
    const search = searchOver(ACM0, ports);
    const [way] = await search.ways(false);
    if (!way) throw new Error('no way');
    search.learn(way, 'ours');
    ports.splice(0, 1, port(3, { socket: '1-3:1.0' }));
    await expect(search.ways(false)).rejects.toThrow('there is no such port');
    ports.splice(0, 1, port(3, { socket: '1-0:1.0' }));
    expect(await paths(search, false)).toEqual(['/dev/ttyACM3']);
  });

  it('leaves a terminal alone that has our name but another USB serial number, where the protocol cannot tell', async () => {
    const ports = [port(0, { usb: { ...USB, serial: '80471100' } })];
    const search = searchOver(ACM0, ports);
    const [way] = await search.ways(false);
    if (!way) throw new Error('no way');
    search.learn(way, 'ours');
    ports.splice(0, 1, port(0, { usb: { ...USB, serial: '80471101' } }));
    await expect(search.ways(false)).rejects.toMatchObject({ code: 'LINK_REFUSED' });
    expect(await paths(search, true)).toEqual(['/dev/ttyACM0']);
    search.forget();
    expect(await paths(search, false)).toEqual(['/dev/ttyACM0']);
  });

  it('looks among ports of the same kind when another terminal answered at our path', async () => {
    const search = searchOver(ACM0, [port(0), port(1), port(2, { usb: { ...USB, productId: '0001' } })]);
    expect(await paths(search, true)).toEqual(['/dev/ttyACM0']);
    const [way] = await search.ways(true);
    if (!way) throw new Error('no way');
    search.learn(way, 'stranger');
    expect(await paths(search, true)).toEqual(['/dev/ttyACM0', '/dev/ttyACM1']);
  });

  it('says what it saw and why it left it alone', async () => {
    const scale = port(1, { usb: { vendorId: '1509', productId: '2206', serial: null, name: 'Scale' } });
    await expect(searchOver(ACM0, [scale]).ways(true)).rejects.toThrow(
      'cannot open /dev/ttyACM0: there is no such port (is the terminal plugged in and on?); left alone: ' +
        '/dev/ttyACM1 (1509:2206 "Scale"): neither named in the configuration nor known as a terminal',
    );
    await expect(searchOver(ACM0, [port(0, { openedBy: 'tilld itself' })]).ways(true)).rejects.toThrow(
      '/dev/ttyACM0 (0b00:3070 "Terminal") is left alone: held by tilld itself',
    );
  });
});
