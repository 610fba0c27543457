import { randomUUID } from 'node:crypto';
import { terminalDrivers } from '../../../../drivers/index.ts';
import { counted } from '../../../base/counted.ts';
import { AppError } from '../../../base/errors.ts';
import { isCurrency } from '../../../base/money.ts';
import { parseDeviceOptions } from '../../../config/device-options.ts';
import { neighbours } from '../../../net/neighbours.ts';
import { TerminalRegistry } from '../../../terminal/terminal-registry.ts';
import type { Io } from '../../io.ts';
import { plain } from '../../show/plain.ts';
import { meet } from '../doctor/terminals.ts';
import { checkedConfig, configText, type Draft, type DraftDevice } from './draft.ts';
import { type FoundAddress, terminalsAt } from './network-search.ts';
import { type FoundPort, type Place, placeOf, portsHere } from './place.ts';
import { oneOf, type Questions } from './questions.ts';

/** Each of these answers one question about the first terminal beforehand; with `terminal` there is no other one. */
export interface TerminalOptions {
  readonly terminal?: string;
  readonly driver?: string;
  readonly name?: string;
  readonly currency?: string;
}

interface Asking {
  readonly questions: Questions;
  readonly io: Io;
  readonly file: string;
  /** What was answered before. */
  readonly shop: Omit<Draft, 'devices'>;
}

/** Asks for one terminal after the other, and meets each. The last one is followed by an empty answer. @throws USAGE when setup is to end */
export async function terminalsOf(options: TerminalOptions, asking: Asking): Promise<readonly DraftDevice[]> {
  const { questions, io } = asking;
  const ports = await portsHere();
  for (const { path, drivers } of ports)
    io.err(`found: ${path}${drivers.length > 0 ? `, a terminal for ${drivers.join(' or ')}` : ''}\n`);
  const devices = [await answeringTerminal({ ports, options, known: [] }, asking)];
  while (options.terminal === undefined) {
    const isAnother = await questions.ask({
      words: 'Another terminal (yes or no)',
      otherwise: 'no',
      given: undefined,
      read: (answer) => oneOf(['yes', 'no'], answer),
    });
    if (isAnother === 'no') break;
    devices.push(await answeringTerminal({ ports, options: {}, known: devices }, asking));
  }
  return devices;
}

interface Wanted {
  readonly ports: readonly FoundPort[];
  readonly options: TerminalOptions;
  /** Those that were asked for before. */
  readonly known: readonly DraftDevice[];
}

/** Asks until a terminal answers, or the person goes on without one. */
async function answeringTerminal(wanted: Wanted, asking: Asking): Promise<DraftDevice> {
  for (;;) {
    const device = await askedFor(wanted, asking);
    if (await introduce(device, wanted.options, asking)) return device;
  }
}

async function askedFor({ ports, options, known }: Wanted, asking: Asking): Promise<DraftDevice> {
  const { questions, shop } = asking;
  const free = ports.filter(({ path }) => !known.some(({ link }) => isSame(link, { type: 'serial', path })));
  const { link, likely } = await placeFor({ ports: free, options, known }, asking);
  const ids = terminalDrivers.map(({ id }) => id);
  const driver = await questions.ask({
    words: `Its protocol (${ids.join(', ')})`,
    otherwise: likely ?? known.at(-1)?.driver ?? 'zvt',
    given: options.driver,
    read: (answer) => oneOf(ids, answer),
  });
  const name = await questions.ask({
    words: 'What staff call this place',
    otherwise: `Counter ${known.length + 1}`,
    given: options.name,
    read: (answer) => {
      if (!known.some((other) => other.name === answer)) return answer;
      throw new AppError('USAGE', 'another place has this name: staff would confuse the two');
    },
  });
  const currency = await questions.ask({
    words: 'Currency',
    otherwise: known.at(-1)?.currency ?? 'EUR',
    given: options.currency?.toUpperCase(),
    read: (answer) => {
      if (isCurrency(answer.toUpperCase())) return answer.toUpperCase();
      throw new AppError('USAGE', 'the currency must be an ISO 4217 code, like EUR');
    },
  });
  // Receipts of a ZVT terminal that has no printer are written by tilld: in German, where nothing else is said.
  const words = driver === 'zvt' && shop.language !== 'de' ? { options: { receipt_language: 'en' } } : {};
  return { id: randomUUID(), name, driver, currency, link, ...words };
}

/** Asks where the terminal is, as often as the network is searched. `likely`: the driver of what was found there. */
async function placeFor(
  { ports, options, known }: Wanted,
  { questions, io }: Asking,
): Promise<{ readonly link: Place; readonly likely: string | undefined }> {
  const [plugged] = ports;
  let nearest = plugged && plugged.drivers.length > 0 ? plugged.path : undefined;
  let found: readonly FoundAddress[] = [];
  for (;;) {
    const link = await questions.ask({
      words: 'Where is the terminal: its address in the network, a serial port, or search for an address',
      ...(nearest === undefined ? {} : { otherwise: nearest }),
      given: options.terminal,
      read: (answer) => (answer.toLowerCase() === 'search' ? null : freePlace(answer, known)),
    });
    if (link !== null) return { link, likely: driverAt(ports, found, link) };
    found = (await searched(io)).filter(({ host, port }) => !isTaken({ type: 'tcp', host, port }, known));
    nearest = found[0] ? `${found[0].host}:${found[0].port}` : nearest;
    if (options.terminal !== undefined) return { link: firstOf(found), likely: found[0]?.driver };
  }
}

/** @throws USAGE */
function freePlace(answer: string, known: readonly DraftDevice[]): Place {
  const place = placeOf(answer);
  if (!isTaken(place, known)) return place;
  throw new AppError('USAGE', 'another terminal of this list is there');
}

function isTaken(place: Place, known: readonly DraftDevice[]): boolean {
  return known.some(({ link }) => isSame(link, place));
}

/** A place without a port has that of its driver, so it is the same as any of that host. */
function isSame(one: Place, other: Place): boolean {
  if (one.type === 'serial' || other.type === 'serial')
    return one.type === 'serial' && other.type === 'serial' && one.path === other.path;
  const isPort = one.port === other.port || one.port === undefined || other.port === undefined;
  return one.host.toLowerCase() === other.host.toLowerCase() && isPort;
}

async function searched(io: Io): Promise<readonly FoundAddress[]> {
  const hosts = neighbours();
  io.err(
    `looking for terminals at ${counted(hosts.length, 'address', 'addresses')} of the network, nothing is sent to them …\n`,
  );
  const found = await terminalsAt(hosts);
  for (const { host, port, driver } of found)
    io.err(`found: ${host}:${port}, which may be a terminal for ${driver}\n`);
  if (found.length === 0)
    io.err('found: nothing. Look for its address in the menu of the terminal: it must be in this network.\n');
  return found;
}

/** @throws USAGE */
function firstOf([first]: readonly FoundAddress[]): Place {
  if (first) return { type: 'tcp', host: first.host, port: first.port };
  throw new AppError('USAGE', 'no terminal was found in the network: nothing was changed');
}

function driverAt(
  ports: readonly FoundPort[],
  found: readonly FoundAddress[],
  link: Place,
): string | undefined {
  if (link.type === 'serial') {
    // Families of one maker share its USB ids: then they say nothing of the protocol.
    const [driver, ...others] = ports.find(({ path }) => path === link.path)?.drivers ?? [];
    return others.length === 0 ? driver : undefined;
  }
  return found.find(({ host, port }) => host === link.host && port === link.port)?.driver;
}

/** Meets the terminal; where it does not answer, the person decides. @returns whether to go on. @throws USAGE when setup is to end */
async function introduce(
  draft: DraftDevice,
  options: TerminalOptions,
  { questions, io, file, shop }: Asking,
): Promise<boolean> {
  const config = checkedConfig(configText({ ...shop, devices: [draft] }), file);
  const device = config.devices.find(({ id }) => id === draft.id);
  const manifest = terminalDrivers.find(({ id }) => id === draft.driver);
  if (!device || !manifest) return true;
  const settings = parseDeviceOptions(config, terminalDrivers, file);
  for (;;) {
    io.err(`${plain(device.name)}: asking who it is …\n`);
    const connection = { device, manifest, options: settings.get(device.id), known: null };
    const { level, what, fix } = await meet({ ...connection, registry: new TerminalRegistry() }, file);
    io.err(`${plain(what)}\n`);
    if (level === 'ok' || options.terminal !== undefined) return true;
    io.err(`${plain(fix ?? '')}\n`);
    const next = await questions.ask({
      words: 'Try again, change the answers, go on without it, or end (again, change, on, end)',
      otherwise: 'again',
      given: undefined,
      read: (answer) => oneOf(['again', 'change', 'on', 'end'], answer),
    });
    if (next === 'on' || next === 'change') return next === 'on';
    if (next === 'end') throw new AppError('USAGE', 'nothing was changed');
  }
}
