import { describe, expect, it } from 'vitest';
import type { PortFacts, PreferredPort, UsbFacts } from '../../../src/terminal/port-facts.ts';
import { type KnownPort, ratePorts } from '../../../src/terminal/rate-ports.ts';

const TERMINAL: UsbFacts = {
  vendorId: '0b00',
  productId: '3070',
  serial: '80471100',
  name: 'INGENICO iPP3xx',
};
const TWIN: UsbFacts = { ...TERMINAL, serial: '80471101' };
const SCALE: UsbFacts = { vendorId: '1509', productId: '2206', serial: null, name: 'Scale' };
const ADAPTER: UsbFacts = { vendorId: '0403', productId: '6001', serial: null, name: 'FT232R' };

function port(path: string, usb: UsbFacts | null, changes: Partial<PortFacts> = {}): PortFacts {
  return { path, names: [path], usb, socket: null, openedBy: null, ...changes };
}

const NOTHING: KnownPort = { ours: null, kinds: [] };
const ACM0: PreferredPort = { kind: 'path', path: '/dev/ttyACM0' };
const AUTO: PreferredPort = {
  kind: 'auto',
  fingerprints: [{ vendorId: '0b00', productId: '3070', note: 'iPP3xx' }],
};
const BY_IDS: PreferredPort = { kind: 'usb', vendorId: '0b00', productId: '3070', serial: null, plug: null };

/** The ports that may be asked, the likeliest first. */
function asked(
  preferred: PreferredPort,
  ports: readonly PortFacts[],
  memory: KnownPort = NOTHING,
): readonly string[] {
  return ratePorts(preferred, ports, memory).flatMap((rated) => (rated.score > 0 ? [rated.port.path] : []));
}

describe('which ports may be asked', () => {
  const scale = port('/dev/ttyACM1', SCALE);
  const line = port('/dev/ttyS0', null);
  const here = port('/dev/ttyACM0', TERMINAL);
  const twin = port('/dev/ttyACM2', TWIN);
  const ours = { ours: here, kinds: [] };

  it.each<[string, PreferredPort, readonly PortFacts[], KnownPort, readonly string[]]>([
    ['the port of the configuration and no other', ACM0, [here, scale, line], NOTHING, ['/dev/ttyACM0']],
    [
      'a line without USB, when it is named',
      { ...ACM0, path: '/dev/ttyS0' },
      [line],
      NOTHING,
      ['/dev/ttyS0'],
    ],
    ['no line without USB that is not named', AUTO, [line], NOTHING, []],
    ['what the driver knows by its USB ids', AUTO, [scale, here], NOTHING, ['/dev/ttyACM0']],
    ['what has the USB ids of the configuration', BY_IDS, [scale, here], NOTHING, ['/dev/ttyACM0']],
    [
      'the adapter cable in the USB port of the configuration, of several alike',
      { kind: 'usb', vendorId: '0403', productId: '6001', serial: null, plug: '1-1.4' },
      [
        port('/dev/ttyUSB0', ADAPTER, { socket: '1-1.3:1.0' }),
        port('/dev/ttyUSB1', ADAPTER, { socket: '1-1.4:1.0' }),
        port('/dev/ttyUSB2', ADAPTER, { socket: '1-1.40:1.0' }),
      ],
      NOTHING,
      ['/dev/ttyUSB1'],
    ],
    [
      'the one with the USB serial number of the configuration',
      { ...BY_IDS, serial: '80471101' },
      [here, twin],
      NOTHING,
      ['/dev/ttyACM2'],
    ],
    [
      'a terminal that came back under another number, and not the scale that has its old one',
      ACM0,
      [port('/dev/ttyACM0', SCALE), port('/dev/ttyACM1', TERMINAL)],
      ours,
      ['/dev/ttyACM1'],
    ],
    [
      'its own USB serial number before the name, when a twin has the name',
      ACM0,
      [port('/dev/ttyACM0', TWIN), port('/dev/ttyACM1', TERMINAL)],
      ours,
      ['/dev/ttyACM1', '/dev/ttyACM0'],
    ],
    ['no twin that nobody named', AUTO, [twin], ours, []],
    [
      'ports of the kind that another terminal showed at our name',
      ACM0,
      [port('/dev/ttyACM0', TWIN), here, scale]
        .map((one, index) => ({ ...one, path: `/dev/ttyACM${index}` }))
        .map((one) => ({ ...one, names: [one.path] })),
      { ours: null, kinds: [TWIN] },
      ['/dev/ttyACM0', '/dev/ttyACM1'],
    ],
    ['no port that somebody holds', ACM0, [{ ...here, openedBy: 'tilld itself' }], NOTHING, []],
    [
      'an adapter cable that is named',
      { ...ACM0, path: '/dev/ttyUSB0' },
      [port('/dev/ttyUSB0', ADAPTER)],
      NOTHING,
      ['/dev/ttyUSB0'],
    ],
    [
      'no adapter cable of the same kind elsewhere: a scale may hang on it',
      { ...ACM0, path: '/dev/ttyUSB0' },
      [port('/dev/ttyUSB1', ADAPTER, { socket: '1-2:1.0' })],
      { ours: port('/dev/ttyUSB0', ADAPTER, { socket: '1-1:1.0' }), kinds: [] },
      [],
    ],
    [
      'the adapter cable in the same socket under another number',
      { ...ACM0, path: '/dev/ttyUSB0' },
      [port('/dev/ttyUSB1', ADAPTER, { socket: '1-1:1.0' })],
      { ours: port('/dev/ttyUSB0', ADAPTER, { socket: '1-1:1.0' }), kinds: [] },
      ['/dev/ttyUSB1'],
    ],
    [
      'the only adapter cable with the ids of the configuration',
      { kind: 'usb', vendorId: '0403', productId: '6001', serial: null, plug: null },
      [port('/dev/ttyUSB0', ADAPTER)],
      NOTHING,
      ['/dev/ttyUSB0'],
    ],
    [
      'none of two adapter cables with the ids of the configuration',
      { kind: 'usb', vendorId: '0403', productId: '6001', serial: null, plug: null },
      [port('/dev/ttyUSB0', ADAPTER), port('/dev/ttyUSB1', ADAPTER)],
      NOTHING,
      [],
    ],
  ])('%s', (_title, preferred, ports, memory, expected) => {
    expect(asked(preferred, ports, memory)).toEqual(expected);
  });

  it('says of each port why', () => {
    const rated = ratePorts(ACM0, [port('/dev/ttyACM0', SCALE), port('/dev/ttyACM1', TERMINAL), scale], ours);
    expect(rated.map(({ port: { path }, reasons }) => [path, ...reasons])).toEqual([
      ['/dev/ttyACM1', 'has the USB serial number of the terminal'],
      ['/dev/ttyACM0', 'another kind of device has this name now (1509:2206, the terminal was 0b00:3070)'],
      ['/dev/ttyACM1', 'neither named in the configuration nor known as a terminal'],
    ]);
  });

  it('takes a serial number that whole series share for none', () => {
    const common = { ...TERMINAL, serial: '0001' };
    const [rated] = ratePorts(AUTO, [port('/dev/ttyACM1', common)], {
      ours: port('/dev/ttyACM0', common),
      kinds: [],
    });
    expect(rated?.isOurs).toBe('unclear');
  });
});
