import { virtualTerminals } from '../../drivers/virtual.ts';
import { AppError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { CredentialPlaces } from '../config/credentials.ts';
import { withCredentials } from '../config/device-credentials.ts';
import { parseDeviceOptions, withdrawnOptions } from '../config/device-options.ts';
import type { Config } from '../config/schema.ts';
import type { TerminalManifest } from '../driver-kit/define.ts';
import type { Counter } from '../payment/core.ts';
import type { Device } from '../terminal/device.ts';
import type { DriverHost } from '../terminal/driver-host.ts';
import type { NetworkAddress, OpenLink, PortSearch } from '../terminal/link.ts';
import { OpenPorts } from '../transport/open-ports.ts';
import { openTcpLink } from '../transport/tcp.ts';
import { preferredPortOf, searchHidDevice, searchSerialPort } from './serial-ports.ts';

type DeviceConfig = Config['devices'][number];

export interface TerminalDeps {
  readonly config: Config;
  /** The address of each virtual terminal of the sandbox, by its name. */
  readonly virtualAddresses: ReadonlyMap<string, string>;
  readonly drivers: DriverHost;
  /** Every driver that a device may name. */
  readonly manifests: readonly TerminalManifest[];
  /** Where the secrets are that options refer to. */
  readonly credentials: CredentialPlaces;
  readonly log: Log;
}

/**
 * Makes the terminal of every configured device; nothing is opened yet.
 * @throws CONFIG_INVALID when a device does not fit its driver.
 */
export async function makeCounters(deps: TerminalDeps): Promise<readonly Counter[]> {
  const options = parseDeviceOptions(deps.config, deps.manifests);
  for (const { path, device, words } of withdrawnOptions(deps.config, deps.manifests, virtualTerminals))
    deps.log.warn({ option: path, device, reason: words }, 'option has no effect any more');
  const open = new OpenPorts();
  return Promise.all(
    deps.config.devices.map((device) => makeCounter(device, options.get(device.id), open, deps)),
  );
}

async function makeCounter(
  config: DeviceConfig,
  driverOptions: unknown,
  open: OpenPorts,
  deps: TerminalDeps,
): Promise<Counter> {
  const manifest = manifestOf(config.driver, deps.manifests);
  const device = deviceOf(config, manifest);
  const log = deps.log.child({ device: device.id });
  const terminal = {
    driver: withCredentials(await deps.drivers.driverOf(manifest), deps.credentials),
    capabilities: manifest.capabilities,
    driverOptions,
    connectsPerExchange: manifest.connection === 'per_exchange',
    openLink: linkOf(config, manifest, { open, log, virtual: deps.virtualAddresses }),
    ...placeOf(config, manifest, deps.virtualAddresses),
    heartbeatMs: heartbeatOf(config, manifest, deps.config),
  };
  const policy = { lateApproval: config.late_approval, partialApproval: config.partial_approval };
  return { device, terminal, log, policy };
}

/** Heartbeat interval of a terminal on a cable: its port shows a pulled plug, but only the heartbeat shows a lost power supply. */
const SERIAL_HEARTBEAT_MS = 750;

function manifestOf(id: string, manifests: readonly TerminalManifest[]): TerminalManifest {
  const manifest = manifests.find((candidate) => candidate.id === id);
  if (!manifest) throw new AppError('CONFIG_INVALID', `there is no driver "${id}"`);
  return manifest;
}

function deviceOf(config: DeviceConfig, manifest: TerminalManifest): Device {
  const { id, name, driver, currency, min_amount_minor, max_amount_minor, ask_above_minor, tip } = config;
  const most = manifest.maxAmountMinor;
  return {
    id,
    name,
    driver,
    currency,
    minAmountMinor: Math.max(min_amount_minor, manifest.minAmountMinor ?? 1),
    maxAmountMinor: max_amount_minor ?? most,
    ...(ask_above_minor === undefined ? {} : { askAboveMinor: ask_above_minor }),
    tip,
    ...(config.link.type === 'tcp' ? { onNetwork: true } : {}),
  };
}

/** A cable carries one request a second; a terminal in the network may run on a battery, and some driver families allow fewer. */
function heartbeatOf({ link }: DeviceConfig, { defaults }: TerminalManifest, config: Config): number {
  const least = defaults.heartbeatMs ?? 0;
  if (link.type === 'serial' || link.type === 'hid')
    return link.heartbeat_ms ?? Math.max(least, SERIAL_HEARTBEAT_MS);
  return Math.max(least, config.heartbeat_ms);
}

interface LinkDeps {
  readonly open: OpenPorts;
  readonly log: Log;
  readonly virtual: ReadonlyMap<string, string>;
}

/** Where a device is in the network; empty: on a serial line. */
export function placeOf(
  { link }: DeviceConfig,
  manifest: TerminalManifest,
  virtual: LinkDeps['virtual'],
): { readonly address?: NetworkAddress } {
  if (link.type === 'tcp')
    return { address: { host: link.host, port: link.port ?? manifest.defaults.tcpPort ?? 0 } };
  const address = link.type === 'virtual' ? virtualAddressOf(virtual.get(link.terminal)) : undefined;
  return address ? { address } : {};
}

/** A virtual terminal listens at `tcp://127.0.0.1:PORT` or at the path of a pty; undefined: at a pty. */
function virtualAddressOf(address = ''): NetworkAddress | undefined {
  const { host, port } = /^tcp:\/\/(?<host>.+):(?<port>\d+)$/.exec(address)?.groups ?? {};
  return host !== undefined && port !== undefined ? { host, port: Number(port) } : undefined;
}

/** The transport of a device, as the configuration says; nothing is opened. */
export function linkOf(
  config: DeviceConfig,
  manifest: TerminalManifest,
  deps: LinkDeps,
): OpenLink | PortSearch {
  const { link } = config;
  switch (link.type) {
    case 'tcp': {
      const { host = link.host, port = 0 } = placeOf(config, manifest, deps.virtual).address ?? {};
      const { connect_timeout_ms: connectTimeoutMs, tls } = link;
      return openTcpLink({ host, port, connectTimeoutMs, ...(tls ? { tls } : {}) });
    }
    case 'serial': {
      const line = {
        baudRate: link.baud_rate ?? manifest.defaults.baudRate ?? 9600,
        dataBits: link.data_bits,
        stopBits: link.stop_bits ?? manifest.defaults.stopBits ?? 1,
        parity: link.parity,
      };
      return searchSerialPort(preferredPortOf(link, manifest), line, deps);
    }
    case 'hid':
      return searchHidDevice(link, deps);
    case 'virtual':
      return linkToVirtual(deps.virtual.get(link.terminal), manifest, deps);
  }
}

function linkToVirtual(
  address: string | undefined,
  manifest: TerminalManifest,
  deps: LinkDeps,
): OpenLink | PortSearch {
  if (address === undefined)
    throw new AppError('CONFIG_INVALID', 'a virtual link needs a terminal in the sandbox');
  const network = virtualAddressOf(address);
  if (network) return openTcpLink({ ...network, connectTimeoutMs: 2000 });
  const { baudRate = 9600, stopBits = 1 } = manifest.defaults;
  const line = { baudRate, dataBits: 8, stopBits, parity: 'none' } as const;
  return searchSerialPort({ kind: 'path', path: address }, line, deps);
}
