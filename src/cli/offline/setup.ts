import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { terminalDrivers } from '../../../drivers/index.ts';
import { AppError, messageOf } from '../../base/errors.ts';
import { isCurrency } from '../../base/money.ts';
import { parseDeviceOptions } from '../../config/device-options.ts';
import { configFiles, loadSellingConfig } from '../../config/load.ts';
import { type Config, LAN_NAME } from '../../config/schema.ts';
import { neighbours } from '../../net/neighbours.ts';
import { TerminalRegistry } from '../../terminal/terminal-registry.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import type { GlobalOptions, Io } from '../io.ts';
import { plain } from '../show/plain.ts';
import { meet } from './doctor/terminals.ts';
import { examine } from './doctor.ts';
import { checkedConfig, configText, type Draft, putConfig, putFile } from './setup/draft.ts';
import { firstSale } from './setup/first-sale.ts';
import { type FoundAddress, terminalsAt } from './setup/network-search.ts';
import { type FoundPort, type Place, placeOf, portsHere } from './setup/place.ts';
import { Questions } from './setup/questions.ts';

const INSTALLED = '/etc/tilld/tilld.jsonc';
const SERVICE_KEY = '/etc/credstore/tilld.service-key';

/** Each of these answers one question beforehand. */
export interface SetupOptions extends GlobalOptions {
  readonly config?: string;
  readonly environment?: string;
  readonly terminal?: string;
  readonly driver?: string;
  readonly name?: string;
  readonly currency?: string;
  readonly serviceUrl?: string;
  readonly serviceKeyFile?: string;
  readonly lan?: string;
  readonly person?: string;
  readonly testAmount?: string;
}

/**
 * `tillctl setup`: from the package to the first sale. It asks for the terminal, meets it, writes the configuration in one step, and where tilld is a
 * service starts it with that, adds the first person and takes a first payment; then it says what is missing. Nothing is changed before the
 * last question about the configuration is answered, and a configuration with terminals is never changed.
 */
export async function setup(options: SetupOptions, io: Io): Promise<ExitCode> {
  const file = resolve(io.cwd, options.config ?? INSTALLED);
  const questions = new Questions(io);
  const present = presentConfig(file);
  if (present && present.devices.length > 0) {
    io.err(`${file} names a terminal already: setup leaves it as it is.\n`);
    return missing(file, options, io);
  }
  const { draft, text, config } = await answered(file, options, { questions, io });
  const key = draft.serviceUrl === null ? null : await serviceKey(options, questions, io);
  putConfig(file, text);
  io.err(`written: ${file}\n`);
  if (key !== null) {
    const place =
      file === INSTALLED ? SERVICE_KEY : resolve(io.cwd, config.state_dir, 'credentials/service-key');
    putFile(place, key, 0o600);
    io.err(`written: ${place}\n`);
  }
  if (file === INSTALLED && existsSync('/run/systemd/system'))
    await firstSale(draft.device, options, { questions, io });
  else io.err(`next: tilld --config ${file}\n`);
  if (draft.lan !== null)
    io.err(`tablets of the shop: https://${draft.lan}.local:8443. The first one: tillctl devices pair\n`);
  return missing(file, options, io);
}

/** Asks until a terminal answers, or the person goes on without one. */
async function answered(file: string, options: SetupOptions, { questions, io }: Asking) {
  for (;;) {
    const draft = await draftOf(options, questions, io);
    const text = configText(draft);
    const config = checkedConfig(text, file, configFiles(file).slice(0, -1));
    if (await introduce(config, file, options, { questions, io })) return { draft, text, config };
  }
}

function presentConfig(file: string): Config | null {
  try {
    return loadSellingConfig(file).config;
  } catch (error) {
    if (error instanceof AppError && error.code === 'CONFIG_NOT_FOUND') return null;
    throw error;
  }
}

async function draftOf(options: SetupOptions, questions: Questions, io: Io): Promise<Draft> {
  const ports = await portsHere();
  for (const { path, drivers } of ports)
    io.err(`found: ${path}${drivers.length > 0 ? `, a terminal for ${drivers.join(' or ')}` : ''}\n`);
  const environment = await questions.ask({
    words: 'Real money (live), or a try (sandbox)',
    otherwise: 'live',
    given: options.environment,
    read: (answer) => oneOf('live or sandbox', ['live', 'sandbox'] as const, answer),
  });
  const { link, likely } = await placeFor(ports, options, { questions, io });
  const ids = terminalDrivers.map(({ id }) => id);
  const driver = await questions.ask({
    words: `Its protocol (${ids.join(', ')})`,
    otherwise: likely ?? 'zvt',
    given: options.driver,
    read: (answer) => oneOf(ids.join(', '), ids, answer),
  });
  const name = await questions.ask({
    words: 'What staff call this place',
    otherwise: 'Counter 1',
    given: options.name,
    read: (answer) => answer,
  });
  const currency = await questions.ask({
    words: 'Currency',
    otherwise: 'EUR',
    given: options.currency?.toUpperCase(),
    read: (answer) => {
      if (isCurrency(answer.toUpperCase())) return answer.toUpperCase();
      throw new AppError('USAGE', 'the currency must be an ISO 4217 code, like EUR');
    },
  });
  const serviceUrl = await questions.ask({
    words: 'Address of the billing service; none: reports wait until there is one',
    otherwise: '',
    given: options.serviceUrl,
    read: (answer) => {
      if (answer === '' || URL.parse(answer)?.protocol === 'https:') return answer === '' ? null : answer;
      throw new AppError('USAGE', 'the address must be like https://api.service.example');
    },
  });
  const lan = await lanName(options, questions);
  return { environment, device: { id: randomUUID(), name, driver, currency, link }, serviceUrl, lan };
}

/** The name at which tablets of the shop are served; null: nothing listens in the network. */
async function lanName(options: SetupOptions, questions: Questions): Promise<string | null> {
  const own = hostname().split('.')[0]?.toLowerCase() ?? '';
  return questions.ask({
    words: `Tablets of the shop open the pages at https://NAME.local:8443. NAME (this machine is called ${plain(own)}); none: nothing listens in the network`,
    otherwise: '',
    given: options.lan,
    read: (answer) => {
      if (answer === '' || LAN_NAME.test(answer)) return answer === '' ? null : answer;
      throw new AppError('USAGE', 'the name must be 1 to 32 small letters, digits and hyphens');
    },
  });
}

/** Asks where the terminal is, as often as the network is searched. `likely`: the driver of what was found there. */
async function placeFor(
  ports: readonly FoundPort[],
  options: SetupOptions,
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
      read: (answer) => (answer.toLowerCase() === 'search' ? null : placeOf(answer)),
    });
    if (link !== null) return { link, likely: driverAt(ports, found, link) };
    found = await searched(io);
    nearest = found[0] ? `${found[0].host}:${found[0].port}` : nearest;
    if (options.terminal !== undefined) return { link: firstOf(found), likely: found[0]?.driver };
  }
}

async function searched(io: Io): Promise<readonly FoundAddress[]> {
  const hosts = neighbours();
  io.err(`looking for terminals at ${hosts.length} addresses of the network, nothing is sent to them …\n`);
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
  if (link.type === 'serial') return ports.find(({ path }) => path === link.path)?.drivers[0];
  return found.find(({ host, port }) => host === link.host && port === link.port)?.driver;
}

function oneOf<const T extends string>(words: string, values: readonly T[], answer: string): T {
  const found = values.find((value) => value === answer.toLowerCase());
  if (found !== undefined) return found;
  throw new AppError('USAGE', `it must be ${words}`);
}

interface Asking {
  readonly questions: Questions;
  readonly io: Io;
}

/** Meets the terminal; where it does not answer, the person decides. @returns whether to go on. @throws USAGE when setup is to end */
async function introduce(
  config: Config,
  file: string,
  options: SetupOptions,
  { questions, io }: Asking,
): Promise<boolean> {
  const [device] = config.devices;
  const manifest = terminalDrivers.find(({ id }) => id === device?.driver);
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
      read: (answer) => oneOf('again, change, on or end', ['again', 'change', 'on', 'end'] as const, answer),
    });
    if (next === 'on' || next === 'change') return next === 'on';
    if (next === 'end') throw new AppError('USAGE', 'nothing was changed');
  }
}

async function serviceKey(options: SetupOptions, questions: Questions, io: Io): Promise<string | null> {
  return questions.ask({
    words: 'File that holds the API key of the service; none: later',
    otherwise: '',
    given: options.serviceKeyFile,
    read: (answer) => {
      if (answer === '') return null;
      try {
        return `${readFileSync(resolve(io.cwd, answer), 'utf8').trim()}\n`;
      } catch (error) {
        throw new AppError('USAGE', `the key cannot be read: ${messageOf(error)}`);
      }
    },
  });
}

/** What doctor would not call in order. */
async function missing(file: string, options: SetupOptions, io: Io): Promise<ExitCode> {
  const findings = await examine({ ...options, config: file }, io, Date.now());
  const open = findings.filter(({ level }) => level !== 'ok');
  if (open.length === 0) io.out('Nothing is missing.\n');
  else
    io.out(
      `Still missing:\n${open.map(({ what, fix }) => `- ${plain(what)}\n  ${plain(fix ?? '')}\n`).join('')}`,
    );
  return open.some(({ level }) => level === 'fail') ? EXIT.no : EXIT.done;
}
