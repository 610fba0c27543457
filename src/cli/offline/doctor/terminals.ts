import { terminalDrivers } from '../../../../drivers/index.ts';
import { knownDrivers } from '../../../agent/hosted-drivers.ts';
import { linkOf, placeOf } from '../../../agent/terminals.ts';
import type { TerminalDevice } from '../../../api/contract/terminal-device.ts';
import { AppError, messageOf } from '../../../base/errors.ts';
import { silentLog } from '../../../base/log.ts';
import { whereAnotherAnswers } from '../../../base/next-step.ts';
import type { CredentialPlaces } from '../../../config/credentials.ts';
import { withCredentials } from '../../../config/device-credentials.ts';
import { parseDeviceOptions } from '../../../config/device-options.ts';
import type { Config } from '../../../config/schema.ts';
import type { TerminalManifest } from '../../../driver-kit/define.ts';
import { systemClock } from '../../../runtime/system-clock.ts';
import { identitiesIn, openDevicesIn } from '../../../store/inspection/terminal-questions.ts';
import { type ConnectedTerminal, connectTerminal } from '../../../terminal/connect-terminal.ts';
import { nameOf } from '../../../terminal/identity.ts';
import type { TerminalIdentity } from '../../../terminal/ports.ts';
import { TerminalRegistry } from '../../../terminal/terminal-registry.ts';
import { OpenPorts } from '../../../transport/open-ports.ts';
import { type CheckResult, fail, ok, warn } from './check-result.ts';
import type { DiagnosticContext } from './diagnostic-context.ts';
import { placesOf } from './places.ts';
import { portFindings } from './ports.ts';

type Device = Config['devices'][number];

/** Time limit for one terminal: connection, greeting, identification. */
const MEETING_MS = 4_000;
const WHY = 'nothing can be sold through it';

/**
 * Connects to each terminal as the daemon would, and moves no money; a running daemon owns the terminals, and is asked instead.
 * The check skips a terminal with an open payment, because recovery is the daemon's job, and a port that another program has open.
 */
export async function checkTerminals(context: DiagnosticContext): Promise<readonly CheckResult[]> {
  const { options, configuration, holder } = context;
  const { config, file } = configuration;
  if (options.offline || !config || holder().kind === 'alive') return [];
  const drivers = knownDrivers(config);
  const settings = parseDeviceOptions(config, drivers, file);
  const books = rememberedOf(context);
  const registry = new TerminalRegistry();
  const credentials = { stateDir: context.files.folder, env: placesOf(context.io.env) };
  const ports = await portFindings(context);
  const reachable = config.devices.filter(({ id }) => (ports.get(id)?.level ?? 'ok') === 'ok');
  return Promise.all(
    reachable.map((device) => {
      const manifest = drivers.find(({ id }) => id === device.driver);
      if (isOfPackage(device))
        return ok('terminal', `${device.name} has a driver package: tilld connects it`);
      if (!manifest || device.link.type === 'virtual') return ok('terminal', `${device.name} is virtual`);
      if (books.open.has(device.id)) return openFinding(device);
      const known = books.known.get(device.id) ?? null;
      return meet({ device, manifest, options: settings.get(device.id), known, registry, credentials }, file);
    }),
  );
}

/** A driver from outside runs in a process of the daemon alone. */
function isOfPackage({ driver }: Device): boolean {
  return terminalDrivers.every(({ id }) => id !== driver);
}

/** The daemon's status of its terminals. */
export function terminalFindings(terminals: readonly TerminalDevice[]): readonly CheckResult[] {
  return terminals.map((device) => {
    const { name, status, status_reason: reason, id, needs } = device;
    if (status === 'ready' || status === 'busy') return ok('terminal', `${name} is ${status}`);
    if (status === 'offline' && needs !== null) return needFinding(name, reason ?? 'look at what it shows');
    const what = `${name} is ${status}${reason === null ? '' : `: ${reason}`}`;
    const why = WHY;
    if (status === 'recovering')
      return warn('terminal', {
        what,
        why: 'the outcome of a payment there is being looked up',
        fix: 'tillctl devices',
      });
    const fix =
      status === 'wrong_terminal'
        ? whereAnotherAnswers(id)
        : 'see that it is on and plugged in, then: tillctl devices';
    return fail('terminal', { what, why, fix });
  });
}

/** It answers, and takes no card until a person has done what it says. */
function needFinding(name: string, message: string): CheckResult {
  return fail('terminal', {
    what: `${name} answers and needs a person: ${message}`,
    why: WHY,
    fix: 'do that at the terminal, then: tillctl devices',
  });
}

interface Remembered {
  readonly known: ReadonlyMap<string, TerminalIdentity>;
  readonly open: ReadonlySet<string>;
}

/** An unreadable database remembers no terminal: other checks report what is wrong with it. */
function rememberedOf({ hasDatabase, database }: DiagnosticContext): Remembered {
  try {
    if (hasDatabase) return { known: identitiesIn(database()), open: openDevicesIn(database()) };
  } catch {}
  return { known: new Map(), open: new Set() };
}

function openFinding({ name }: Device): CheckResult {
  return warn('terminal', {
    what: `${name} was not asked: a payment there is still open in the books`,
    why: 'only tilld may speak with it now, to find out whether the customer was charged',
    fix: 'systemctl start tilld',
  });
}

export interface Connection {
  readonly device: Device;
  readonly manifest: TerminalManifest;
  readonly options: unknown;
  readonly known: TerminalIdentity | null;
  readonly registry: TerminalRegistry;
  /** Absent: its options refer to no secret. */
  readonly credentials?: CredentialPlaces;
}

/** Connects to a terminal as tilld would, asks who it is, and moves no money. */
export async function meet(connection: Connection, file: string): Promise<CheckResult> {
  const { device, manifest, options, known, registry, credentials } = connection;
  const ports = { open: new OpenPorts(), log: silentLog, virtual: new Map<string, string>() };
  try {
    const met = await connectTerminal(
      {
        device: { ...device, minAmountMinor: 1, maxAmountMinor: manifest.maxAmountMinor },
        driver: credentials ? withCredentials(await manifest.load(), credentials) : await manifest.load(),
        driverOptions: options,
        openLink: linkOf(device, manifest, ports),
        ...placeOf(device, manifest, ports.virtual),
        connectsPerExchange: manifest.connection === 'per_exchange',
        transcript: { record: () => undefined },
        clock: systemClock,
        log: silentLog,
        identities: { get: () => known, remember: () => undefined, setAside: () => null },
        registry,
      },
      MEETING_MS,
      AbortSignal.timeout(MEETING_MS + 1_000),
    );
    return await readinessOf(device, met);
  } catch (error) {
    return lossFinding(connection, error, file);
  }
}

async function readinessOf({ name }: Device, met: ConnectedTerminal): Promise<CheckResult> {
  try {
    const readiness = await met.session.readiness(AbortSignal.timeout(MEETING_MS));
    return readiness.kind === 'person'
      ? needFinding(name, readiness.message)
      : ok('terminal', `${name} answers: ${nameOf(met.identity)}`);
  } catch (error) {
    return warn('terminal', {
      what: `${name} answers, but does not say whether it can sell: ${messageOf(error)}`,
      why: 'a payment there would be refused until it does',
      fix: 'look at what it shows; switch it off and on, then: tillctl doctor',
    });
  } finally {
    await met.session.close().catch(() => undefined);
    await met.link.abandon().catch(() => undefined);
  }
}

function lossFinding({ device, manifest }: Connection, error: unknown, file: string): CheckResult {
  const what = `${device.name}: ${messageOf(error)}`;
  return fail('terminal', { what, why: WHY, fix: fixOf(device, manifest, error, file) });
}

function fixOf(device: Device, { defaults }: TerminalManifest, error: unknown, file: string): string {
  const { link, id } = device;
  const code = error instanceof AppError ? error.code : '';
  const check = `tillctl config check ${file}`;
  if (code === 'WRONG_TERMINAL') return whereAnotherAnswers(id);
  if (code === 'TERMINAL_WRONG_PROTOCOL') return `set what it says in its menu or in ${file}, then: ${check}`;
  if (link.type === 'tcp') {
    if (/ENOTFOUND|EAI_|name/i.test(messageOf(error)))
      return `getent hosts ${link.host}; give its IP address in ${file}, then: ${check}`;
    return `see that it is on and what its menu says of its address, then: ping -c 3 ${link.host}`;
  }
  if (link.type === 'hid')
    return `see that it is on, speaks ${device.driver}, and has the USB ids of ${file} (lsusb), then: ${check}`;
  const rate = link.type === 'serial' ? (link.baud_rate ?? defaults.baudRate ?? 9600) : 9600;
  return `see that it is on, speaks ${device.driver}, and uses ${rate} bits per second as ${file} says ("baud_rate"), then: ${check}`;
}
