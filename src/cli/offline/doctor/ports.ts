import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { basename, join } from 'node:path';
import type { Config } from '../../../config/schema.ts';
import { holdersOf } from '../../../transport/port-holders.ts';
import { groupOf } from '../../users.ts';
import { type CheckResult, fail, ok, warn } from './check-result.ts';
import type { DiagnosticContext } from './diagnostic-context.ts';
import { hidFindings } from './hid-devices.ts';
import { type Machine, programsOf, programsWithOpen, textOf } from './machine.ts';

type Device = Config['devices'][number];
/** A terminal at a serial path. */
type Cabled = Device & { readonly link: { readonly type: 'serial'; readonly path: string } };

/** Programs that open every new serial port to probe it. */
const PROBING = ['ModemManager', 'brltty', 'gpsd'];
const IGNORED_BY_MODEM_MANAGER = /ID_MM_DEVICE_IGNORE|ID_MM_PORT_IGNORE/;
const RULES = ['/usr/lib/udev/rules.d', '/etc/udev/rules.d', '/run/udev/rules.d'];

/** The terminals at a path of the configuration. */
function cabledIn(config: Config): readonly Cabled[] {
  return config.devices.filter((device): device is Cabled => pathOf(device) !== null);
}

function pathOf({ link }: Device): string | null {
  return link.type === 'serial' && link.path !== undefined && link.path !== 'auto' ? link.path : null;
}

/** Each port of the configuration: it exists, this user may open it, and no other program has it. */
export async function checkPorts(context: DiagnosticContext): Promise<readonly CheckResult[]> {
  const { config } = context.configuration;
  if (!config) return [];
  return [
    ...(await portFindings(context)).values(),
    ...(await hidFindings(config.devices, context.machine)),
    ...strangerFindings(config, context.machine),
  ];
}

/** The same for each device on a cable, by its id. Nothing is opened: that would change the line settings. */
export async function portFindings({
  configuration,
  machine,
  holder,
}: DiagnosticContext): Promise<ReadonlyMap<string, CheckResult>> {
  const locked = await holdersOf();
  const isRunning = holder().kind === 'alive';
  const devices = configuration.config ? cabledIn(configuration.config) : [];
  const findings = devices.map(async ({ id, name, link }) => {
    const missing = portProblem(name, link.path, machine);
    if (missing) return [id, missing] as const;
    if (isRunning) return [id, ok('port', `${name} is with the running tilld`)] as const;
    const real = realpathSync(link.path);
    return [id, portInUse(name, link.path, real, await locked(real), machine)] as const;
  });
  return new Map(await Promise.all(findings));
}

function portProblem(name: string, path: string, machine: Machine): CheckResult | null {
  const id = 'port';
  const facts = statSync(path, { throwIfNoEntry: false });
  if (!facts)
    return fail(id, {
      what: `${name}: there is no port ${path}`,
      why: 'nothing can be sold through it: the cable is out, the terminal is off, or it got another name',
      fix: 'plug it in and switch it on, then: ls -l /dev/serial/by-id (and put the name it has there into the configuration)',
    });
  if (!facts.isCharacterDevice())
    return fail(id, {
      what: `${name}: ${path} is no serial port`,
      why: 'nothing can be sold through it',
      fix: 'ls -l /dev/serial/by-id shows the ports that there are: put one of these into the configuration',
    });
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return null;
  } catch {
    const group = groupOf(facts.gid, join(machine.etc, 'group'));
    return fail(id, {
      what: `${name}: user ${userName()} may not use ${path}: it belongs to the group ${group}`,
      why: 'nothing can be sold through it while the user that runs tilld is not in that group',
      fix: `usermod -aG ${group} tilld (or: ${userName()}), then: systemctl restart tilld`,
    });
  }
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'of this command');
  }
}

function portInUse(
  name: string,
  path: string,
  real: string,
  locked: string | null,
  machine: Machine,
): CheckResult {
  const id = 'port';
  const [opener] = programsWithOpen(real, machine);
  const who = opener ? `${opener.name} (process ${opener.pid})` : locked;
  if (who === null) return ok(id, `${name}: ${path} is there, may be used, and no other program holds it`);
  return fail(id, {
    what: `${name}: ${path} is held by ${who}`,
    why: 'two programs at one terminal garble each other: nothing can be sold through it',
    fix: endOf(opener?.name ?? '', real, opener?.pid ?? /process (\d+)/.exec(who)?.[1]),
  });
}

function endOf(name: string, real: string, pid: number | string | undefined): string {
  if (name === 'ModemManager') return 'systemctl disable --now ModemManager';
  if (/getty$/.test(name)) return `systemctl disable --now serial-getty@${basename(real)}`;
  return `ps -fp ${pid ?? 'PID'} says what it is; end it, then: tillctl doctor`;
}

/** Programs that will open the port sooner or later, and a console that already did. */
function strangerFindings(config: Config, machine: Machine): readonly CheckResult[] {
  const cabled = config.devices.filter(({ link }) => link.type === 'serial');
  if (cabled.length === 0) return [];
  return [probingFinding(machine), consoleFinding(config, machine)];
}

function probingFinding(machine: Machine): CheckResult {
  const id = 'probing';
  const found = programsOf(machine).find(({ name }) => PROBING.includes(name));
  if (!found) return ok(id, 'no program runs that tries every serial port');
  if (found.name === 'ModemManager' && hasRule(machine))
    return ok(id, 'ModemManager is running, and is set to leave terminals alone');
  return warn(id, {
    what: `${found.name} is running (process ${found.pid}): it opens every serial port and writes to it`,
    why: 'what it writes into the middle of a payment garbles it',
    fix: `systemctl disable --now ${found.name}`,
  });
}

function hasRule({ etc }: Machine): boolean {
  const folders = [join(etc, 'udev/rules.d'), ...RULES];
  return folders.some((folder) =>
    ['70-tilld.rules', '60-tilld.rules'].some((name) =>
      IGNORED_BY_MODEM_MANAGER.test(textOf(join(folder, name)) ?? ''),
    ),
  );
}

function consoleFinding(config: Config, { proc }: Machine): CheckResult {
  const id = 'console';
  const kernel = textOf(join(proc, 'cmdline')) ?? '';
  const ports = cabledIn(config).map(({ name, link }) => ({ name, port: basename(link.path) }));
  const found = ports.find(({ port }) => new RegExp(`(^|\\s)console=${port}(,|\\s|$)`).test(kernel));
  if (!found) return ok(id, 'the kernel writes to no port of a terminal');
  return fail(id, {
    what: `${found.name}: the kernel of this machine writes its messages to ${found.port} (console=${found.port})`,
    why: 'they get into the middle of payments',
    fix: `take console=${found.port} out of the boot line (/etc/default/grub or cmdline.txt), then: update-grub && reboot`,
  });
}
